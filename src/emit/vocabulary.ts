import { mysqlVocabulary, vocabulary, type ColumnType, type Dialect, type SqlType } from '@tablewright/runtime/model';
import type { Doc } from './source/doc.js';
import type { Imports } from './source/file.js';
import { call, object, string } from './source/typescript.js';

const constantsOf = (words: object): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(words).flatMap(([name, type]: [string, unknown]) =>
      typeof type === 'object' ? [[JSON.stringify(type), name]] : [],
    ),
  );

const constants: Readonly<Record<Dialect, ReadonlyMap<string, string>>> = {
  postgres: constantsOf(vocabulary),
  mysql: constantsOf(mysqlVocabulary),
};

/** Names of the vocabulary: constants of files that use it need other names. */
export const vocabularyNames: ReadonlySet<string> = new Set(Object.keys(vocabulary));

/**
 * A column's type in the vocabulary of its dialect's types.ts: `tw.arrayOf(tw.text)`,
 * `tw.mysql.varchar`.
 */
export function typeExpression(type: ColumnType, imports: Imports): Doc {
  const constant = constants[imports.dialect].get(JSON.stringify(type));
  if (constant !== undefined) return imports.word(constant);
  return imports.dialect === 'mysql' ? mysqlExpression(type, imports) : postgresExpression(type, imports);
}

function mysqlExpression(type: ColumnType, imports: Imports): Doc {
  const { kind, sql, element } = type;
  if (kind === 'enum') return call(imports.word('enumOf'), [string(type.enum ?? '')]);
  if (kind === 'array') return call(imports.word('setOf'), [string(element?.enum ?? '')]);
  return kind === 'other' ? call(imports.word('other'), [string(sql.name)]) : literal(type);
}

function postgresExpression(type: ColumnType, imports: Imports): Doc {
  const word = (name: string): string => imports.word(name);
  const { sql, element } = type;
  const schema = sql.schema === undefined ? [] : [string(sql.schema)];
  switch (type.kind) {
    case 'array':
      return element === undefined ? literal(type) : arrayExpression(type, element, imports);
    case 'enum':
      return call(word('enumOf'), [string(type.enum ?? ''), ...schema, string(sql.name)]);
    case 'composite':
      return call(word('compositeOf'), [string(type.composite ?? ''), ...schema, string(sql.name)]);
    case 'range':
      if (element === undefined) return literal(type);
      return call(word('rangeOf'), [typeExpression(element, imports), string(sql.name), ...schema]);
    case 'vector':
      return call(word('vector'), [...schema, ...(type.dimension === undefined ? [] : [String(type.dimension)])]);
    case 'text':
      return call(word('textLike'), [...schema, string(sql.name)]);
    case 'other':
      return call(word('other'), [string(sql.name), ...schema]);
    default:
      return literal(type);
  }
}

/** An array of a domain is a separate type, for which the vocabulary has no word. */
function arrayExpression(type: ColumnType, element: ColumnType, imports: Imports): Doc {
  const item = typeExpression(element, imports);
  if (JSON.stringify(vocabulary.arrayOf(element)) === JSON.stringify(type)) {
    return call(imports.word('arrayOf'), [item]);
  }
  return object([
    ['kind', string('array')],
    ['sql', sqlTypeDoc(type.sql)],
    ['element', item],
  ]);
}

function literal(type: ColumnType): Doc {
  return object([
    ['kind', string(type.kind)],
    ['sql', sqlTypeDoc(type.sql)],
  ]);
}

export function sqlTypeDoc(type: SqlType): Doc {
  return object([
    ...(type.schema === undefined ? [] : [['schema', string(type.schema)] as const]),
    ['name', string(type.name)],
    ...(type.array === true ? [['array', 'true'] as const] : []),
  ]);
}

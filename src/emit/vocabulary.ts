import type { ColumnType } from '../../templates/runtime/descriptor.js';
import * as vocabulary from '../../templates/runtime/types.js';
import type { Doc } from './source/doc.js';
import type { Imports } from './source/file.js';
import { call, object, string } from './source/typescript.js';

const builtins: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabulary).flatMap(([name, type]) =>
    typeof type === 'object' ? [[JSON.stringify(type), name]] : [],
  ),
);

/** Names of the vocabulary: no constant of a file that uses it may be called so. */
export const vocabularyNames: ReadonlySet<string> = new Set(Object.keys(vocabulary));

/** A column's type in the words of runtime/types.ts: `arrayOf(text)`. */
export function typeExpression(type: ColumnType, imports: Imports, from: string): Doc {
  const word = (name: string): string => imports.value(name, from);
  const builtin = builtins.get(JSON.stringify(type));
  if (builtin !== undefined) return word(builtin);
  const { sql, element } = type;
  const schema = sql.schema === undefined ? [] : [string(sql.schema)];
  switch (type.kind) {
    case 'array':
      return element === undefined ? literal(type) : arrayExpression(type, element, imports, from);
    case 'enum':
      return call(word('enumOf'), [string(type.enum ?? ''), ...schema, string(sql.name)]);
    case 'composite':
      return call(word('compositeOf'), [string(type.composite ?? ''), ...schema, string(sql.name)]);
    case 'range':
      if (element === undefined) return literal(type);
      return call(word('rangeOf'), [typeExpression(element, imports, from), string(sql.name), ...schema]);
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

/** An array of a domain is a type of its own, which no word says. */
function arrayExpression(type: ColumnType, element: ColumnType, imports: Imports, from: string): Doc {
  const item = typeExpression(element, imports, from);
  if (JSON.stringify(vocabulary.arrayOf(element)) === JSON.stringify(type)) {
    return call(imports.value('arrayOf', from), [item]);
  }
  return object([
    ['kind', string('array')],
    ['sql', sqlLiteral(type)],
    ['element', item],
  ]);
}

function literal(type: ColumnType): Doc {
  return object([
    ['kind', string(type.kind)],
    ['sql', sqlLiteral(type)],
  ]);
}

function sqlLiteral({ sql }: ColumnType): Doc {
  return object([
    ...(sql.schema === undefined ? [] : [['schema', string(sql.schema)] as const]),
    ['name', string(sql.name)],
    ...(sql.array === true ? [['array', 'true'] as const] : []),
  ]);
}

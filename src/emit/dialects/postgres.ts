import { PostgresAdapter } from 'kysely-codegen/dist/generator/dialects/postgres/postgres-adapter.js';
import { vocabulary, type ColumnType } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';
import { call, string } from '../source/typescript.js';
import type { EmitDialect, Words } from './dialect.js';
import { literal } from './literal.js';

/** PostgreSQL. */
export const postgres: EmitDialect = {
  namespace: '',
  vocabulary,
  expression,
  adapter: () => new PostgresAdapter(),
  adapterName: ({ sql }) => sql.name,
  hasArrays: true,
};

function expression(type: ColumnType, words: Words): Doc {
  const { word } = words;
  const { sql, element } = type;
  const schema = sql.schema === undefined ? [] : [string(sql.schema)];
  const operators = sql.operators === undefined ? [] : [string(sql.operators)];
  switch (type.kind) {
    case 'array':
      return element === undefined ? literal(type) : arrayExpression(type, element, words);
    case 'enum':
      return call(word('enumOf'), [string(type.enum ?? ''), ...schema, string(sql.name)]);
    case 'composite':
      return call(word('compositeOf'), [string(type.composite ?? ''), ...schema, string(sql.name)]);
    case 'range':
      if (element === undefined) return literal(type);
      return call(word('rangeOf'), [words.expression(element), string(sql.name), ...schema]);
    case 'vector':
      return call(word('vector'), [...schema, ...dimensionOf(type), ...operators]);
    case 'text':
      return call(word('textLike'), [...schema, string(sql.name), ...operators]);
    case 'other':
      return call(word('other'), [string(sql.name), ...schema, ...operators]);
    default:
      return literal(type);
  }
}

function dimensionOf({ dimension, sql: { operators } }: ColumnType): readonly string[] {
  if (dimension !== undefined) return [String(dimension)];
  return operators === undefined ? [] : ['undefined'];
}

/** An array of a domain is a separate type, for which the vocabulary has no word. */
function arrayExpression(type: ColumnType, element: ColumnType, { word, expression: of }: Words): Doc {
  const item = of(element);
  const hasWord = JSON.stringify(vocabulary.arrayOf(element)) === JSON.stringify(type);
  return hasWord ? call(word('arrayOf'), [item]) : literal(type, item);
}

import type { ColumnType, Kind, SqlType } from '../../descriptor/descriptor.js';

/**
 * The types that generated descriptors use: `{ name: 'labels', type: arrayOf(text) }`. Each name is
 * the PostgreSQL type of that name.
 */
const builtin = (kind: Kind, name: string): ColumnType => ({ kind, sql: { name } });

export const int2 = builtin('int', 'int2');
export const int4 = builtin('int', 'int4');
export const int8 = builtin('bigint', 'int8');
export const numeric = builtin('numeric', 'numeric');
export const money = builtin('money', 'money');
export const float4 = builtin('float', 'float4');
export const float8 = builtin('float', 'float8');
export const bool = builtin('boolean', 'bool');
export const text = builtin('text', 'text');
export const varchar = builtin('text', 'varchar');
export const bpchar = builtin('text', 'bpchar');
export const name = builtin('text', 'name');
export const uuid = builtin('uuid', 'uuid');
export const date = builtin('date', 'date');
export const time = builtin('time', 'time');
export const timetz = builtin('time', 'timetz');
export const timestamp = builtin('timestamp', 'timestamp');
export const timestamptz = builtin('timestamp', 'timestamptz');
export const interval = builtin('interval', 'interval');
export const json = builtin('json', 'json');
export const jsonb = builtin('jsonb', 'jsonb');
export const bytea = builtin('bytes', 'bytea');
export const tsvector = builtin('tsvector', 'tsvector');

/**
 * A type of an extension that behaves as text does, such as citext.
 * @param operators the schema of its operators, where it is another one
 */
export const textLike = (schema: string, typeName: string, operators?: string): ColumnType => ({
  kind: 'text',
  sql: sqlType(typeName, schema, operators),
});

/** Any type without rules of its own: values are read, written and compared in their text form. */
export const other = (typeName: string, schema?: string, operators?: string): ColumnType => ({
  kind: 'other',
  sql: sqlType(typeName, schema, operators),
});

/** pgvector's `vector(N)`; `schema` is the schema of the extension. */
export const vector = (schema: string, dimension?: number, operators?: string): ColumnType => ({
  kind: 'vector',
  sql: sqlType('vector', schema, operators),
  ...(dimension === undefined ? {} : { dimension }),
});

/** `key` is the GraphQL type of the enum's descriptor. */
export const enumOf = (key: string, schema: string, typeName: string): ColumnType => ({
  kind: 'enum',
  sql: { schema, name: typeName },
  enum: key,
});

/** `key` is the GraphQL type of the composite's descriptor. */
export const compositeOf = (key: string, schema: string, typeName: string): ColumnType => ({
  kind: 'composite',
  sql: { schema, name: typeName },
  composite: key,
});

export const arrayOf = (element: ColumnType): ColumnType => ({
  kind: 'array',
  sql: { ...element.sql, array: true },
  element,
});

export const rangeOf = (subtype: ColumnType, typeName: string, schema?: string): ColumnType => ({
  kind: 'range',
  sql: sqlType(typeName, schema),
  element: subtype,
});

function sqlType(typeName: string, schema: string | undefined, operators?: string): SqlType {
  return {
    ...(schema === undefined ? {} : { schema }),
    name: typeName,
    ...(operators === undefined ? {} : { operators }),
  };
}

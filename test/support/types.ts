import type { ColumnType, Kind } from '../../runtime/src/descriptor/descriptor.js';

/**
 * Types of columns as plain data, with PostgreSQL's type names, so that suites without a database
 * need no dialect.
 */
const named = (kind: Kind, name: string): ColumnType => ({ kind, sql: { name } });

export const bool = named('boolean', 'bool');
export const int4 = named('int', 'int4');
export const int8 = named('bigint', 'int8');
export const jsonb = named('jsonb', 'jsonb');
export const numeric = named('numeric', 'numeric');
export const text = named('text', 'text');
export const timestamptz = named('timestamp', 'timestamptz');
export const tsvector = named('tsvector', 'tsvector');

export const arrayOf = (element: ColumnType): ColumnType => ({
  kind: 'array',
  sql: { ...element.sql, array: true },
  element,
});

export const enumOf = (type: string, schema: string, name: string): ColumnType => ({
  kind: 'enum',
  sql: { schema, name },
  enum: type,
});

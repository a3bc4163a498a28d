import type { ColumnType } from '../../descriptor/descriptor.js';
import type { DerivedTypes } from '../../plan/context.js';

const text: ColumnType = { kind: 'text', sql: { name: 'longtext' } };

/**
 * The types of results of MySQL's functions. A client may cast to text only: this database casts
 * any text to a number without an error.
 */
export const derivedTypes: DerivedTypes = {
  text,
  count: { kind: 'int', sql: { name: 'bigint' } },
  length: { kind: 'int', sql: { name: 'int' } },
  numeric: { kind: 'numeric', sql: { name: 'decimal' } },
  float: { kind: 'float', sql: { name: 'double' } },
  casts: new Map(['text', 'varchar', 'char'].map((name) => [name, text])),
};

import type { ColumnType } from '../../runtime/src/descriptor/descriptor.js';

/** A type of a column for the grammar of REST, whose suite imports no dialect. */
export const int4: ColumnType = { kind: 'int', sql: { name: 'int4' } };

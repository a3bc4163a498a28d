import type { TableDescriptor, UniqueDescriptor } from './descriptor.js';

/**
 * The columns that identify a row of a table or a view in reads; undefined where there are none.
 */
export const rowKeyOf = ({
  primaryKey,
  rowKey,
}: Pick<TableDescriptor, 'primaryKey' | 'rowKey'>): readonly string[] | undefined => primaryKey?.columns ?? rowKey;

/**
 * The keys that identify a table's rows: its primary key, and then its other unique constraints.
 */
export const uniqueKeys = ({
  primaryKey,
  uniques = [],
}: Pick<TableDescriptor, 'primaryKey' | 'uniques'>): readonly UniqueDescriptor[] =>
  primaryKey === undefined ? uniques : [primaryKey, ...uniques];

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

/** Whether the values of these columns identify a row of the table. */
export const areUnique = (
  table: Pick<TableDescriptor, 'primaryKey' | 'uniques'>,
  columns: readonly string[],
): boolean => uniqueKeys(table).some((key) => sameColumns(key.columns, columns));

/** Whether two lists name the same columns, in whatever order. */
export const sameColumns = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name));

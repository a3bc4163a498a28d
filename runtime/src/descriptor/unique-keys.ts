import type { ColumnDescriptor, TableDescriptor, UniqueDescriptor } from './descriptor.js';

/**
 * The columns that identify a row of a table or a view in reads; undefined where there are none.
 */
export const rowKeyOf = ({
  primaryKey,
  rowKey,
}: Pick<TableDescriptor, 'primaryKey' | 'rowKey'>): readonly string[] | undefined => primaryKey?.columns ?? rowKey;

/** The columns that PostgREST takes for the key of a table or a view, as in `Location`. */
export const shownKeyOf = (
  table: Pick<TableDescriptor, 'primaryKey' | 'rowKey' | 'shownKey'>,
): readonly string[] | undefined => table.shownKey ?? rowKeyOf(table);

/**
 * The keys that identify a table's rows: its primary key, and then its other unique constraints and
 * indexes.
 */
export const uniqueKeys = ({
  primaryKey,
  uniques = [],
}: Pick<TableDescriptor, 'primaryKey' | 'uniques'>): readonly UniqueDescriptor[] =>
  primaryKey === undefined ? uniques : [primaryKey, ...uniques];

/** The keys by which rows are merged: not those that are deferrable or temporal. */
export const mergeKeys = (
  table: Pick<TableDescriptor, 'primaryKey' | 'uniques' | 'unmergedKeys'>,
): readonly UniqueDescriptor[] => uniqueKeys(table).filter(({ columns }) => mergesBy(table, columns));

/** Whether rows can be merged by these columns, if they are a key. */
export const mergesBy = (
  { unmergedKeys = [] }: Pick<TableDescriptor, 'unmergedKeys'>,
  columns: readonly string[],
): boolean => !unmergedKeys.some((each) => sameColumns(each, columns));

/** Whether the values of these columns identify a row of the table. */
export const areUnique = (
  table: Pick<TableDescriptor, 'primaryKey' | 'uniques'>,
  columns: readonly string[],
): boolean => uniqueKeys(table).some((key) => sameColumns(key.columns, columns));

/** Whether these columns include a whole key, so that values of them name at most one row. */
export const includeKey = (
  table: Pick<TableDescriptor, 'primaryKey' | 'rowKey' | 'uniques'>,
  columns: ReadonlySet<string | undefined>,
): boolean =>
  [rowKeyOf(table), ...uniqueKeys(table).map((key) => key.columns)].some(
    (key) => key?.every((name) => columns.has(name)) === true,
  );

/** Whether two lists name the same columns, in whatever order. */
export const sameColumns = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name));

/**
 * PostgreSQL's column with the table that a row is in. A key and it identify a row of an inherited
 * table, whose rows are also those of other tables.
 */
export const tableoid: ColumnDescriptor = { name: 'tableoid', type: { kind: 'other', sql: { name: 'oid' } } };

import type { Table } from '../../descriptor/registry.js';
import type { NestedConflict, NestedRow } from '../../plan/write/nested-write.js';
import type { By, Found } from './statements.js';

/** What rows of one table are written with. */
export interface RowWriter {
  /** The other side of a relation, or a junction table. */
  readonly tableOf: (of: { readonly table: string }) => Table;
  /**
   * New rows, all of one table. Answers of each the columns that are wanted. Rejects with
   * ServerError 409 where one of them was not inserted.
   * @param filled for each row the texts of columns that the rows around it give
   */
  readonly insert: (
    table: Table,
    rows: readonly NestedRow[],
    filled: readonly Found[],
    wanted: readonly string[],
    conflict?: NestedConflict,
  ) => Promise<readonly Found[]>;
  /**
   * Inserts a row of nothing but these columns, unless there is one with the same key. Answers
   * whether it was inserted.
   */
  readonly insertUnlessThere: (table: Table, filled: Found) => Promise<boolean>;
  /**
   * Updates the one row that is found so, and writes the rows inside it. Rejects with
   * ServerError 404 where there is none.
   * @param relation leads to it
   */
  readonly updateOne: (table: Table, by: By, row: NestedRow, relation: string) => Promise<void>;
  /**
   * Rows are related by other columns than before. Hooks receive an update without values. Returns
   * the number of rows.
   */
  readonly reconnect: (table: Table, by: By, filled: Found) => Promise<number>;
  /** Answers how many rows there were. */
  readonly remove: (table: Table, by: By) => Promise<number>;
  /** The row that is found so; undefined: there is none, or the caller may not see it. */
  readonly find: (table: Table, by: By, wanted: readonly string[]) => Promise<Found | undefined>;
}

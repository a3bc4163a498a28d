import type { Table } from '../../descriptor/registry.js';
import type { NestedConflict, NestedRow } from '../../plan/write/nested-write.js';
import type { By, Found } from './statements.js';

/** Writes rows of any table. Relations use it to write the rows inside a row. */
export interface RowWriter {
  /** The other side of a relation, or a junction table. */
  readonly tableOf: (of: { readonly table: string }) => Table;
  /**
   * Inserts rows of one table and returns the wanted columns of each. Rejects with ServerError 409
   * if a row was not inserted.
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
   * Inserts a row that has only these columns, unless its key exists. Returns whether it was
   * inserted.
   */
  readonly insertUnlessThere: (table: Table, filled: Found) => Promise<boolean>;
  /**
   * Updates the row that `by` finds, and writes the rows inside it. Rejects with ServerError 404 if
   * there is none.
   * @param relation the relation that leads to it
   */
  readonly updateOne: (table: Table, by: By, row: NestedRow, relation: string) => Promise<void>;
  /**
   * Sets the foreign key of rows. Hooks receive an update without values. Returns the number of
   * rows.
   */
  readonly reconnect: (table: Table, by: By, filled: Found) => Promise<number>;
  /** Deletes rows and returns their number. */
  readonly remove: (table: Table, by: By) => Promise<number>;
  /** The row that `by` finds; undefined if there is none, or the caller may not see it. */
  readonly find: (table: Table, by: By, wanted: readonly string[]) => Promise<Found | undefined>;
}

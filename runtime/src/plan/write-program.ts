import type { RawRow, Statement } from './statement.js';

/**
 * A write as its statements, usually one. Each write statement returns one row: the text of the
 * answer (null when none is requested), the number of written rows, how many of these are new, and
 * their keys as JSON (null when they are not needed).
 */
export type WriteProgram = RowsProgram | CallProgram;

/** Runs a statement in the transaction of the write, and answers its rows. */
export type RunOne = (statement: Statement, inputs: unknown) => Promise<readonly RawRow[]>;

/**
 * Several statements, each built from the answers of those before it. The last step returns one
 * row, as a single statement would.
 */
export interface Steps {
  readonly perform: (run: RunOne, inputs: unknown) => Promise<RawRow>;
  /**
   * The same write as one statement, if one is enough for these inputs. It may throw as `perform`
   * does.
   */
  readonly alone?: (inputs: unknown) => AloneStatement | undefined;
}

/** The only statement of a write. */
export interface AloneStatement {
  readonly statement: Statement;
  readonly inputs: unknown;
  /** The one row of the write, from the rows of the statement. */
  readonly answer: (rows: readonly RawRow[]) => RawRow | undefined;
}

/** The one row that a write returns; undefined for a single statement that wrote no row. */
export async function runWrite(write: Statement | Steps, inputs: unknown, run: RunOne): Promise<RawRow | undefined> {
  return 'perform' in write ? write.perform(run, inputs) : (await run(write, inputs))[0];
}

export interface RowsProgram {
  readonly kind: 'rows';
  /** Absent if rows are nested: then `tree` writes. */
  readonly statement?: Statement | Steps;
  readonly tree?: InsertTree;
  /**
   * Returns the answer instead of the write itself. The keys are in its inputs, where `answerIn`
   * finds them.
   */
  readonly readBack?: Statement;
  /** The answer if nothing was written: `null`, `[]`, a header of CSV, or no text at all. */
  readonly empty: string | null;
  /** The most rows that may be written, from the inputs. */
  readonly atMost?: (inputs: unknown) => number | undefined;
}

/**
 * Rows with nested rows: forward rows are written first and supply the foreign key of this row;
 * reverse rows take their foreign key from it.
 */
export interface InsertTree {
  readonly statement: Statement | Steps;
  /** The rows of the request. */
  readonly rows: (inputs: unknown) => readonly object[];
  readonly encode: (row: object) => Map<string, string>;
  readonly forward: readonly NestedTree[];
  readonly reverse: readonly NestedTree[];
  /** How many of the returned columns are the table's own key, by which the rows are read back. */
  readonly ownKey: number;
}

/**
 * The place of nested rows: `row[key].data`, and below that in `inner` of each object, if there is
 * one.
 */
export interface NestedPlace {
  readonly key: string;
  readonly inner?: string;
}

export interface NestedTree extends NestedPlace {
  /** The nested table: its rows come from the row above. */
  readonly tree: InsertTree;
  /**
   * forward: columns of this row, and the position of their values in the key of the other row.
   * reverse: the other way round.
   */
  readonly columns: readonly { readonly column: string; readonly at: number }[];
}

export interface CallProgram {
  readonly kind: 'call';
  readonly statement: Statement | Steps;
  /**
   * Makes JSON of the result of the call: its row is in the inputs, where `answerIn` finds it.
   * Absent: the statement returns the text itself.
   */
  readonly answer?: Statement;
  /** There are no OUT parameters. */
  readonly silent?: true;
}

/** The result of a write. */
export interface Written {
  /** JSON or CSV text; null if none was requested. */
  readonly text: string | null;
  readonly affected: number;
  readonly created: number;
  /** The texts of each row's key, if requested. */
  readonly keys: readonly RawRow[] | undefined;
  /** The row that a call returned; for a list of rows, the row of a RowsIntent. */
  readonly answered?: RawRow;
}

import type { RawRow, Statement } from './statement.js';

/**
 * A write as the statements it takes: mostly one. Each write statement answers one row: the
 * answer's text (null when none is asked for), how many rows were written, how many of those are
 * new, and their keys as JSON (null where nobody needs them).
 */
export type WriteProgram = RowsProgram | CallProgram;

/** Runs a statement in the transaction of the write, and answers its rows. */
export type RunOne = (statement: Statement, inputs: unknown) => Promise<readonly RawRow[]>;

/**
 * What takes several statements, each made of what those before it have answered. Answers one row,
 * as one statement would.
 */
export interface Steps {
  readonly perform: (run: RunOne, inputs: unknown) => Promise<RawRow>;
  /** The same as one statement, where these inputs take no more. It may throw as `perform` does. */
  readonly alone?: (inputs: unknown) => AloneStatement | undefined;
}

/** A statement that is all of a write. */
export interface AloneStatement {
  readonly statement: Statement;
  readonly inputs: unknown;
  /** The one row of the write, from the rows of the statement. */
  readonly answer: (rows: readonly RawRow[]) => RawRow | undefined;
}

/** The one row that a write answers; undefined where it wrote none and says so. */
export async function runWrite(write: Statement | Steps, inputs: unknown, run: RunOne): Promise<RawRow | undefined> {
  return 'perform' in write ? write.perform(run, inputs) : (await run(write, inputs))[0];
}

export interface RowsProgram {
  readonly kind: 'rows';
  /** Absent: there are nested rows, and `tree` writes. */
  readonly statement?: Statement | Steps;
  readonly tree?: InsertTree;
  /** Answers instead of the write itself. The keys are in its inputs, as `answerIn` finds them. */
  readonly readBack?: Statement;
  /** The answer if nothing was written: `null`, `[]`, a header of CSV, or no text at all. */
  readonly empty: string | null;
  /** The most rows that may be written, from the inputs. */
  readonly atMost?: (inputs: unknown) => number | undefined;
}

/**
 * Rows with rows inside: forward ones are written first and give this one its foreign key, reverse
 * ones take theirs from it.
 */
export interface InsertTree {
  readonly statement: Statement | Steps;
  /** The rows of the request. */
  readonly rows: (inputs: unknown) => readonly object[];
  readonly encode: (row: object) => Map<string, string>;
  readonly forward: readonly NestedTree[];
  readonly reverse: readonly NestedTree[];
  /**
   * Which of the columns that the statement answers as keys are the table's own key: those the rows
   * are read back by.
   */
  readonly ownKey: number;
}

/**
 * Where the rows inside a row are: at `row[key].data`, each one in an object at its `inner` where
 * there is one.
 */
export interface NestedPlace {
  readonly key: string;
  readonly inner?: string;
}

export interface NestedTree extends NestedPlace {
  /** What it says of the tree below: its rows come from the row above. */
  readonly tree: InsertTree;
  /**
   * forward: columns of this row, and where in the keys of the other table's row their values are.
   * reverse: the other way round.
   */
  readonly columns: readonly { readonly column: string; readonly at: number }[];
}

export interface CallProgram {
  readonly kind: 'call';
  readonly statement: Statement | Steps;
  /**
   * Makes JSON of what the call answered: the row is in its inputs, as `answerIn` finds it. Absent:
   * the statement answers the text itself.
   */
  readonly answer?: Statement;
  /** There are no OUT parameters. */
  readonly silent?: true;
}

/** What a write did. */
export interface Written {
  /** JSON or CSV text; null where nothing was asked for. */
  readonly text: string | null;
  readonly affected: number;
  readonly created: number;
  /** For each row the texts of its key, where they were asked for. */
  readonly keys: readonly RawRow[] | undefined;
}

import type { RowConditions } from './intent.js';

/**
 * A compiled statement: a fixed text, and for each `$n` the function that makes its text form from
 * the request's inputs.
 */
export interface Statement {
  readonly text: string;
  readonly slots: readonly Slot[];
  /** For REST's `count=planned` and `estimated`: the source of the total in the third column. */
  readonly estimate?: Estimate;
  /**
   * Set if the driver may send the statement together with others as one statement. It returns
   * rows, or the number of changed rows. Absent: the driver sends it alone.
   */
  readonly answers?: 'rows' | 'count';
  /**
   * Set if the statement returns the items of one JSON list, one row per item. The driver joins
   * them to one row: the text of the list, the number of items, and NULL for the total.
   */
  readonly items?: true;
  /**
   * Set for a procedure whose result sets are read: for each a row with the number of its rows and
   * the names of its columns, and then its rows. Bytes are `\\x` and digits.
   */
  readonly resultSet?: true;
  /** Set where the statement reads a view, or calls a function: these may change the session. */
  readonly runsCode?: true;
  /** Throws ServerError 400 for inputs that no slot reads, and that cannot be used. */
  readonly check?: (inputs: unknown) => void;
}

/**
 * The database's estimate of a total, by another statement that runs afterwards. It replaces the
 * third column; with `above`, only if the count there is larger than that.
 */
export interface Estimate {
  readonly statement: Statement;
  readonly above?: number;
  /**
   * The total, where the estimate would reveal rows that policies of the database hide: NULL if it
   * does not, and -1 if there are more rows than are counted.
   */
  readonly instead?: Statement;
  /** The number of rows that the row of the answer estimates. */
  readonly read: (answer: RawRow) => number;
}

/**
 * A parameter of a statement. `bind` returns its text form, or null for NULL. It throws a
 * ServerError if the runtime parses the value and the type does not accept it.
 */
export interface Slot {
  readonly bind: (inputs: unknown, conditions?: RowConditions) => string | null;
  /** What the value is for, in an error about it: `column "title"`. */
  readonly subject?: string;
  /** The hook that supplies the value, if the client does not. */
  readonly hook?: string;
  /** The language of the value, if only the database can parse it. */
  readonly syntax?: SlotSyntax;
}

/** `configuration`: the name of a text search configuration. `cursor`: a value in a cursor. */
export type SlotSyntax = 'tsquery' | 'tsvector' | 'configuration' | 'jsonpath' | 'cursor';

/** Options of a requested execution plan. */
export interface PlanOptions {
  readonly format: 'json' | 'text';
  /** `analyze` runs the statement. */
  readonly details: readonly PlanDetail[];
}

export const planDetails = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;

export type PlanDetail = (typeof planDetails)[number];

export interface BoundStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** As of `Statement`. */
  readonly answers?: Statement['answers'];
  readonly items?: true;
  readonly runsCode?: true;
  readonly resultSet?: true;
}

/** A row as the database wrote it: one text per column, undecoded. */
export type RawRow = readonly (string | null)[];

/** The same, where long texts may be bytes: UTF-8. */
export type AnswerRow = readonly (string | Buffer | null)[];

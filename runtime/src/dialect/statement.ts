/**
 * A compiled statement: fixed text, and for each `$n` how its text form is made from the request's
 * inputs.
 */
export interface Statement {
  readonly text: string;
  readonly slots: readonly Slot[];
  /** REST's `count=planned` and `estimated`: where the total in the third column comes from. */
  readonly estimate?: Estimate;
  /**
   * Set where the statement may be sent as one with those around it: whether it answers rows, or
   * how many rows it has changed. Absent: the driver sends it by itself.
   */
  readonly answers?: 'rows' | 'count';
  /**
   * Set where the statement answers the items of one JSON list, a row each. The driver makes one
   * row of them: the text of the list, how many items it has, and NULL for a total.
   */
  readonly items?: true;
}

/**
 * The database's guess at a total, by a statement that is run after the other one. It replaces the
 * third column, or with `above` only a count that goes beyond that.
 */
export interface Estimate {
  readonly statement: Statement;
  readonly above?: number;
  /** How many rows the one row that the statement answers speaks of. */
  readonly read: (answer: RawRow) => number;
}

/**
 * A parameter of a statement. `bind` gives its text form, or null for NULL; it throws a ServerError
 * when the value is not one the type can take and we are the ones who parse it.
 */
export interface Slot {
  readonly bind: (inputs: unknown) => string | null;
  /** Whose value it is, for an error about it: `column "title"`. */
  readonly subject?: string;
  /** The language that the value is written in, where the database alone can read it. */
  readonly syntax?: SlotSyntax;
}

/** `configuration`: the name of a text search configuration. */
export type SlotSyntax = 'tsquery' | 'tsvector' | 'configuration' | 'jsonpath';

/** What a plan of a statement says, and how. */
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
}

/** A row as the database wrote it: one text per column, undecoded. */
export type RawRow = readonly (string | null)[];

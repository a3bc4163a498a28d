/** A compiled statement: fixed text, and for each `$n` how its text form is made from the request's inputs. */
export interface Statement {
  readonly text: string;
  readonly slots: readonly Slot[];
  /** REST's `count=planned` and `estimated`: where the total in the third column comes from. */
  readonly estimate?: Estimate;
}

/**
 * The planner's guess at a total, run after the statement: an EXPLAIN (FORMAT JSON). It replaces the third column, or
 * with `above` only a count that goes beyond that.
 */
export interface Estimate {
  readonly statement: Statement;
  readonly above?: number;
}

/**
 * A parameter of a statement. `bind` gives its text form, or null for NULL; it throws a ServerError when the value is
 * not one the type can take and we are the ones who parse it.
 */
export interface Slot {
  readonly bind: (inputs: unknown) => string | null;
}

export interface BoundStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** A row as the database wrote it: one text per column, undecoded. */
export type RawRow = readonly (string | null)[];

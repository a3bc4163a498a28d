import type { BoundStatement, RawRow } from './statement.js';

/** What a driver needs of an AbortSignal. A request's own is lighter: see server/departure.ts. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface RunOptions {
  /** Aborted when the client goes away: the driver cancels the statement at the database. */
  readonly signal?: CancelSignal;
  /** Milliseconds each statement may take, as `statement_timeout`. Default: the setting for reads, or for writes. */
  readonly timeout?: number;
  /** `run` only: the statements write. They are never run again on their own, and a lost connection leaves unknown what was done. */
  readonly write?: true;
  /** With `write`: the statement inserts or updates one row at most, so what it usually takes says what it takes this time. */
  readonly oneRow?: true;
  /** With `write`: the statement calls a procedure, which may end the transaction it is in. */
  readonly procedure?: true;
}

/**
 * The door to the database. Each driver is one file in drivers/: pg, pglite, mysql.
 * Failures are DatabaseError of the driver (with a SQLSTATE in `code`) or ServerError `unavailable`.
 */
export interface Driver {
  /**
   * Runs the statements in one implicit transaction, in one round trip where the protocol allows (one Sync), and answers the rows of
   * the last. Any failure undoes all of them, and leaves the connection clean.
   */
  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]>;
  /** One transaction over several round trips, for documents of several mutations. Rolls back when `work` throws. */
  transaction<T>(work: (run: Driver['run']) => Promise<T>, options?: RunOptions): Promise<T>;
  /** Resolves when the database answers; rejects otherwise. For readiness: while all connections are taken it says at once what is known. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Who asks: verified claims only. All absent: anonymous, and nothing is set. */
export interface Identity {
  readonly userId?: string;
  readonly projectId?: string;
  /** The verified claims as JSON text, for `request.jwt.claims`. */
  readonly claims?: string;
  /** A role from the allow-list, for SET LOCAL ROLE. */
  readonly role?: string;
}

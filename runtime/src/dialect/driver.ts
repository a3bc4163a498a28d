import type { BoundStatement, RawRow } from './statement.js';

/** What a driver needs of an AbortSignal. A request's own is lighter: see http/client-disconnect.ts. */
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
  /** `run` only: the statements write. They are never run twice. */
  readonly write?: true;
  /** Who asks. Set in the transaction, before anything else is run in it. Absent: nobody. */
  readonly identity?: Identity;
}

/**
 * The door to the database: connections, transactions, and who asks. A dialect has one driver for each kind of address it speaks.
 * Failures are errors that the dialect reads (`Dialect.failure`), or ServerError `unavailable`.
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

/** Who asks: verified claims only. All absent: nobody; with verification on, all variables are empty then. */
export interface Identity {
  readonly userId?: string;
  readonly projectId?: string;
  /** The verified claims as JSON text, for `request.jwt.claims`. */
  readonly claims?: string;
  /** A role from the allow-list, for SET LOCAL ROLE. */
  readonly role?: string;
}

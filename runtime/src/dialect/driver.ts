import type { BoundStatement, RawRow } from './statement.js';

/**
 * The part of an AbortSignal that a driver uses. A request's own is lighter: see
 * http/client-disconnect.ts.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface RunOptions {
  /** Aborted when the client goes away: the driver cancels the statement at the database. */
  readonly signal?: CancelSignal;
  /**
   * Milliseconds each statement may take, as `statement_timeout`. Default: the setting for reads,
   * or for writes.
   */
  readonly timeout?: number;
  /** `run` only: the statements write. They are never run twice. */
  readonly write?: true;
  /** The identity. Set in the transaction, before any other statement. Absent: anonymous. */
  readonly identity?: Identity;
}

/**
 * Access to the database: connections, transactions and identities. A dialect has one driver for
 * each kind of address it speaks. Failures are errors that the dialect reads (`Dialect.failure`),
 * or ServerError `unavailable`.
 */
export interface Driver {
  /**
   * Runs the statements in one implicit transaction, in one round trip where the protocol allows
   * (one Sync), and answers the rows of the last. Any failure undoes all of them, and leaves the
   * connection clean.
   */
  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]>;
  /**
   * One transaction over several round trips, for documents of several mutations. Rolls back when
   * `work` throws.
   */
  transaction<T>(work: (run: Driver['run'], own: OwnSession) => Promise<T>, options?: RunOptions): Promise<T>;
  /**
   * Resolves when the database answers; rejects otherwise. For readiness: while all connections are
   * busy it returns the last known state at once.
   */
  ping(): Promise<void>;
  /** Of its connections, for metrics. Absent where it has but one. */
  readonly stats?: () => PoolStats | undefined;
  close(): Promise<void>;
}

/** A statement of the user's code: its values are those of the database's Node.js driver. */
export interface OwnStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Its result: rows by column, with values of the database's Node.js driver. */
export interface OwnResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly affected?: bigint;
  readonly changed?: bigint;
  readonly insertId?: bigint;
}

/** The transaction as the user's own code sees it. Calls are to wait for each other. */
export interface OwnSession {
  /**
   * Runs one statement as the caller, independent of the settings of earlier statements of the
   * user.
   * @throws ServerError `unsupported` for a statement that would end the transaction
   */
  query(statement: OwnStatement): Promise<OwnResult>;
  /** Marks a place that can be returned to. */
  savepoint(): Promise<Savepoint>;
}

/** To be settled once, the inner ones before the outer ones. */
export interface Savepoint {
  readonly release: () => Promise<void>;
  /** Undoes later statements: a failed statement among them no longer counts. */
  readonly rollback: () => Promise<void>;
}

/** The connections of a driver at the moment. */
export interface PoolStats {
  /** At most. */
  readonly size: number;
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
  /** Statements that all of them together keep prepared. Absent: the driver is not told. */
  readonly prepared?: number;
}

/**
 * The identity: verified claims only. All absent: anonymous; with verification on, all variables
 * are empty then.
 */
export interface Identity {
  readonly userId?: string;
  readonly projectId?: string;
  /** The verified claims as JSON text, for `request.jwt.claims`. */
  readonly claims?: string;
  /** A role from the allow-list, for SET LOCAL ROLE. */
  readonly role?: string;
}

import type { CancelSignal } from '../cancel-signal.js';
import type { PoolStats } from '../observe/pool-stats.js';
import type { AnswerRow, BoundStatement, RawRow } from '../plan/statement.js';
import type { Position } from './position.js';

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
  /**
   * `transaction` only: a write of a row that has changed since the transaction read it fails as
   * `serialization`, and may be tried again.
   */
  readonly repeatable?: true;
  /** The identity. Set in the transaction, before any other statement. Absent: anonymous. */
  readonly identity?: Identity;
  /** What the request adds to its transaction. `transaction` leaves `after` to its caller. */
  readonly session?: RequestSession;
  /** Receives the position of the commit of a write, in words of the dialect. */
  readonly committed?: (position: string) => void;
  /** The statement that returns that position. Absent: the driver's. */
  readonly position?: BoundStatement | undefined;
  /**
   * `run` of reads only: the driver may return long texts of the answer as bytes, in UTF-8. Without
   * it, every column is a text.
   */
  readonly bytes?: true;
  /** Of a request that replicas may answer. Absent: the primary answers. */
  readonly version?: DataVersion;
}

/** The options of a run that may answer bytes. */
export interface AsBytes extends RunOptions {
  readonly bytes: true;
}

/** The position that a request needs to read at, and the positions of its commits. */
export interface DataVersion {
  /** The position that the client has seen: a replica must have reached it to answer. */
  readonly seen: Position | undefined;
  /** Whether the request has begun to write. Its later reads go to the primary. */
  isWriting: boolean;
  /** Receives the position of each commit. */
  readonly wrote: (position: Position) => void;
}

/**
 * What a request adds to its transactions, in the same round trip. Only dialects with
 * `requestVariables` have it.
 */
export interface RequestSession {
  /** Settings for the transaction, set after the identity. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Runs as the caller, before the statements of the request. */
  readonly before?: BoundStatement;
  /** Runs after them, before the commit. */
  readonly after?: ReadBack;
}

/** A statement whose row is not the answer of its run. */
export interface ReadBack {
  readonly statement: BoundStatement;
  readonly answered: (row: RawRow | undefined) => void;
}

/**
 * Access to the database: connections, transactions and identities. A dialect has one driver for
 * each kind of address it speaks. Failures are errors that the dialect reads (`Dialect.failure`),
 * or ServerError `unavailable`.
 */
export interface Driver {
  /**
   * Runs the statements in one implicit transaction, in one round trip where the protocol allows
   * (one Sync), and answers the rows of the last statement. Any failure undoes all of them, and
   * leaves the connection clean.
   */
  run(statements: readonly BoundStatement[], options: AsBytes): Promise<readonly AnswerRow[]>;
  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]>;
  /**
   * One transaction over several round trips, for documents of several mutations. Rolls back when
   * `work` throws.
   */
  transaction<T>(work: (run: Driver['run'], custom: CustomSession) => Promise<T>, options?: RunOptions): Promise<T>;
  /**
   * Resolves when the database answers; rejects otherwise. Used for readiness: while all
   * connections are busy it returns the last known state at once.
   */
  ping(): Promise<void>;
  /** The connections, for metrics. Absent if the driver has a single connection. */
  readonly stats?: () => PoolStats | undefined;
  /**
   * Resolves when all connections are closed.
   * @param grace milliseconds after which connections with running statements are cut. Default: no
   * limit
   */
  close(grace?: number): Promise<void>;
}

/** A statement of custom code, with values of the database's Node.js driver. */
export interface CustomStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set for rows of hooks: the statement of the compiler, whose settings the session has. */
  readonly compiled?: BoundStatement;
}

/**
 * The result of a custom statement: rows by column, with values of the database's Node.js driver.
 */
export interface CustomResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly affected?: bigint;
  readonly changed?: bigint;
  readonly insertId?: bigint;
}

/** A transaction for the statements of custom code. Calls must wait for each other. */
export interface CustomSession {
  /**
   * Runs one statement with the caller's identity, even if earlier statements of the user's code
   * have changed the session.
   * @throws ServerError `unsupported` for a statement that would end the transaction
   */
  query(statement: CustomStatement): Promise<CustomResult>;
  /** Marks a place that can be returned to. */
  savepoint(): Promise<Savepoint>;
}

/** Is released or rolled back once, inner savepoints before outer ones. */
export interface Savepoint {
  readonly release: () => Promise<void>;
  /** Undoes later statements, so that a failed statement among them no longer counts. */
  readonly rollback: () => Promise<void>;
}

/** The plan of a statement, as lines; undefined if the database cannot show it without values. */
export type ExplainStatement = (
  driver: Driver,
  statement: BoundStatement,
  options: RunOptions,
) => Promise<readonly string[] | undefined>;

/**
 * The identity: verified claims only. If all are absent, the request is anonymous; with
 * verification on, all variables are then empty.
 */
export interface Identity {
  readonly userId?: string;
  readonly projectId?: string;
  /** The verified claims as JSON text, for `request.jwt.claims`. */
  readonly claims?: string;
  /** A role from the allow-list, for SET LOCAL ROLE. */
  readonly role?: string;
  /** The tenant whose database it is an identity of, where `custom.tenant` names one. */
  readonly tenant?: string;
}

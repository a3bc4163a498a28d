import type { QueryBuilder } from '../dialect/dialect.js';
import type { Driver, Identity, OwnResult, OwnStatement, Savepoint } from '../dialect/driver.js';
import type { Written } from '../dialect/write-program.js';
import type { NestedRun } from './nested/run.js';
import type { Frame } from './own/frame.js';
import type { PreparedWrite } from './write-runner.js';

/** One write of a request. */
export interface WriteRequest {
  readonly prepared: PreparedWrite;
  readonly inputs: unknown;
  /** Checks the writes before the commit. */
  readonly check?: (written: Written) => void;
}

/** A write in a transaction, reported after the commit. */
export interface DoneWrite {
  readonly request: WriteRequest;
  readonly written: Written;
  /** The writes of rows inside its rows. */
  readonly nested?: Pick<NestedRun, 'events'>;
}

/**
 * A transaction whose writes are not known in advance, because the user's code runs between them.
 */
export interface WriteSession {
  /** The driver that it is on: a transaction of another server is none of this one's. */
  readonly on: Driver;
  readonly identity: Identity;
  readonly builder: QueryBuilder;
  /** Milliseconds that one transaction inside another waits for the one before it. */
  readonly patience: number;
  readonly query: (statement: OwnStatement) => Promise<OwnResult>;
  readonly savepoint: () => Promise<Savepoint>;
  /** The errors of statements, except those that a savepoint undid. */
  readonly failures: readonly unknown[];
  /** Nothing of the transaction is kept from now on, even when `work` passes over the error. */
  readonly abandon: (error: unknown) => void;
  /** Runs in the transaction, and sees its writes. */
  readonly driver: Driver;
  /** Runs hooks, then the write. Rejects with an error that a client may see. */
  readonly write: (request: WriteRequest) => Promise<Written>;
  /**
   * Reports a write after the commit, if no savepoint before it is returned
   * to.
   */
  readonly record: (write: DoneWrite) => void;
  /** The frame in which the user's code runs. */
  readonly frame: Frame;
}

/** A transaction that stays open until one of these is called. */
export interface HeldSession {
  readonly session: WriteSession;
  readonly commit: () => Promise<void>;
  /** Never rejects. */
  readonly rollback: (error: unknown) => Promise<void>;
}

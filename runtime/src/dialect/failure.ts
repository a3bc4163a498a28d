import type { Table } from '../descriptor/registry.js';
import type { Slot } from './statement.js';

/**
 * The failure of a statement, in the same terms for every database. response/failure-answer.ts
 * makes the answer from it.
 *
 * - `malformed`: a value or a request that is not valid.
 * - `invalidValue`: a value that the type of its column cannot hold.
 * - `locked`: another session holds a lock.
 * - `timeout`: the statement took too long, or was cancelled.
 * - `limit`: the database has reached a limit.
 * - `outdated`: the database has changed since the server was generated.
 * - `broken`: a view or function of the database fails.
 * - `raised`: code in the database refused the statement.
 */
export type FailureKind =
  | 'unique'
  | 'foreignKey'
  | 'exclusion'
  | 'notNull'
  | 'check'
  | 'malformed'
  | 'invalidValue'
  | 'denied'
  | 'serialization'
  | 'locked'
  | 'timeout'
  | 'readOnly'
  | 'unavailable'
  | 'limit'
  | 'outdated'
  | 'broken'
  | 'raised'
  | 'unknown';

/**
 * A failure as the dialect reads it from its driver's error. The names are of the catalogue and may
 * be shown; values of rows are not in it.
 */
export interface DatabaseFailure {
  readonly kind: FailureKind;
  /** The database's own code, which clients are shown. */
  readonly code: string;
  /** Fit for a client; of `raised`, the words of the database's author. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** `raised`: what its author added. */
  readonly detail?: string | undefined;
  /** `raised`: the status its author chose. */
  readonly status?: number | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** The domain whose constraint it is. */
  readonly domain?: string | undefined;
  /** Whose value was being read: `column "title"`. */
  readonly subject?: string | undefined;
  /** The column that it must be about, where the database does not say of which. */
  readonly suspect?: string | undefined;
  /** The database does not take such a statement, and has done nothing of it. */
  readonly isRefusedForm?: true | undefined;
}

/**
 * The purpose of the failed statement. The same error means different failures of a read and of a
 * call.
 */
export interface FailedStatement {
  /** `several`: the writes of a request together, at their commit. */
  readonly does: 'read' | 'insert' | 'update' | 'delete' | 'call' | 'several';
  /** Of the statement that failed, where it is known. */
  readonly slots?: readonly Slot[] | undefined;
  /** The table that is written. */
  readonly table?: Table | undefined;
  /** The rows that are written. */
  readonly rows?: (() => readonly Readonly<Record<string, unknown>>[]) | undefined;
}

/** Why a database cannot be used at the moment, without its address. */
export type Outage =
  | 'connection refused'
  | 'host name not found'
  | 'no answer in time'
  | 'connection lost'
  | 'starting up or shutting down'
  | 'too many connections';

import type { Table } from '../descriptor/registry.js';
import type { FailureKind } from '../errors.js';
import type { Slot } from './statement.js';

/**
 * A failure as the dialect reads it from its driver's error. Names are from the catalogue and may
 * be shown; values of rows are left out.
 */
export interface DatabaseFailure {
  readonly kind: FailureKind;
  /** The database's own code, which clients receive. */
  readonly code: string;
  /** A message for clients; for `raised`, the text of the database's author. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** What the database itself says, where that names the catalogue and no value of a row. */
  readonly databaseText?: { readonly message: string; readonly hint?: string | undefined } | undefined;
  /** For `raised`: the detail that the database's author gave. */
  readonly detail?: string | undefined;
  /** For `raised`: the HTTP status that the database's author chose. */
  readonly status?: number | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** The domain whose constraint failed. */
  readonly domain?: string | undefined;
  /** The value that the database was reading: `column "title"`. */
  readonly subject?: string | undefined;
  /** The hook that supplied this value, if the client did not. */
  readonly hook?: string | undefined;
  /** The only column that can be the cause, if the database does not name one. */
  readonly suspect?: string | undefined;
  /** The database does not support this form of statement and has done nothing. */
  readonly isRefusedForm?: true | undefined;
}

/**
 * The purpose of the failed statement. The same error means different failures of a read and of a
 * call.
 */
export interface FailedStatement {
  /** `several`: all writes of a request, at their commit. */
  readonly does: 'read' | 'insert' | 'update' | 'delete' | 'call' | 'several';
  /** Slots of the statement that failed, if it is known. */
  readonly slots?: readonly Slot[] | undefined;
  /** The table that is written. */
  readonly table?: Table | undefined;
  /** Whether the API knows the columns by which rows are merged as a key of the table. */
  readonly mergesByKey?: boolean | undefined;
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

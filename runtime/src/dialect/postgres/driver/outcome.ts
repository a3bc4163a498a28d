import { codes, ServerError } from '../../../errors.js';
import { databaseErrorFields } from '../failures/fields.js';
import { explained } from './explained.js';

/** Connections that were refused or lost: a pooler in between says so in the database's place. */
const isLost = (code: string): boolean => code.startsWith('08');

/** The server is stopped, or an administrator or a limit has ended the connection. */
const isEnded = (code: string): boolean => code.startsWith('57P');

/** How far a write had come when it failed. */
export interface Reached {
  /** Whether the server has been asked to commit, and whether that is what failed. */
  readonly commit: 'not sent' | 'sent' | 'failed';
  readonly isConnectionLost: boolean;
}

/**
 * The error of a write, and whether it may have been committed. An error of the server proves that
 * it did not commit, because a commit would have been reported first. Two cases prove nothing: the
 * connection is lost after the request to commit, or the server ends the connection while it
 * commits. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function explainedWrite(error: unknown, { commit, isConnectionLost }: Reached): unknown {
  const code = databaseErrorFields(error)?.code;
  if (code !== undefined && !(isConnectionLost && isLost(code)))
    return isEnded(code) ? ended(code, commit, error) : error;
  const seen = code === undefined ? explained(error) : undefined;
  const isOther = seen instanceof ServerError ? seen === error : seen !== undefined;
  if (isOther) return seen;
  return commit === 'not sent' ? nothingWritten(codes.unavailable, error) : outcomeUnknown(error);
}

const ended = (code: string, commit: Reached['commit'], error: unknown): ServerError =>
  commit === 'failed' ? outcomeUnknown(error) : nothingWritten(code, error);

const outcomeUnknown = (cause: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The database was lost while it was writing: the outcome is unknown.', {
    hint: 'Read before you write again: the write may have been done.',
    headers,
    cause,
  });

const nothingWritten = (code: string, cause: unknown): ServerError =>
  new ServerError(503, code, 'The database ended the connection: nothing was written.', {
    hint: 'Send the request again in a moment.',
    headers,
    cause,
  });

/**
 * A standby that answers reads: after a failover the next connection may reach the server that
 * writes.
 */
export const readOnlyServer = (cause: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The database only reads at the moment: nothing was written.', {
    hint: 'Send the request again in a moment.',
    headers,
    cause,
  });

const headers = { 'retry-after': '1' };

import { codes, ServerError } from '../../../errors.js';
import { nothingWritten, outcomeUnknown } from '../../write-outcome.js';
import { databaseErrorFields, isForeignOutage } from '../failures/fields.js';
import { explained } from './explained.js';

/** Connections that were refused or lost: a pooler reports them in the database's place. */
const isLost = (code: string): boolean => code.startsWith('08');

/** The server is shutting down, or an administrator or a limit has ended the connection. */
const isEnded = (code: string): boolean => code.startsWith('57P');

/** The progress of a write when it failed. */
export interface Reached {
  /** Whether the request to commit was sent, and whether the commit itself failed. */
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
  const fields = databaseErrorFields(error);
  const code = fields?.code;
  // The session goes on, and has rolled back.
  if (fields !== undefined && isForeignOutage(fields)) return error;
  if (code !== undefined && !(isConnectionLost && isLost(code)))
    return isEnded(code) ? ended(code, commit, error) : error;
  const seen = code === undefined ? explained(error) : undefined;
  const isOther = seen instanceof ServerError ? seen === error : seen !== undefined;
  if (isOther) return seen;
  return commit === 'not sent' ? nothingWritten(error) : outcomeUnknown(error);
}

const ended = (code: string, commit: Reached['commit'], error: unknown): ServerError =>
  commit === 'failed' ? outcomeUnknown(error) : nothingWritten(error, code);

/**
 * A standby that answers reads: after a failover the next connection may reach the server that
 * writes.
 */
export const readOnlyServer = (cause: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The database is read only at the moment: nothing was written.', {
    hint: 'Send the request again in a moment.',
    headers: { 'retry-after': '1' },
    hasNotBegun: true,
    cause,
  });

import { codes, ServerError } from '../../../errors.js';
import { databaseErrorFields, isConnectionFailure } from '../failures/fields.js';
import type { MysqlConnection } from './connection.js';

/**
 * Errors that end a block wherever it is, also right behind its COMMIT: the statement was stopped
 * or took too long, or the connection or the server ends.
 * Source: https://mariadb.com/kb/en/mariadb-error-code-reference/
 */
const interruptions: ReadonlySet<number> = new Set([1053, 1317, 1927, 1969, 3024]);

/**
 * The error of a block of statements that ends with COMMIT. Its transaction is rolled back. An
 * interruption proves nothing of the commit, unless the transaction is still open.
 */
export async function afterFailedBlock(connection: MysqlConnection, error: unknown): Promise<unknown> {
  if (connection.isLost || isConnectionFailure(error)) return outcomeUnknown(error);
  const isInterrupted = interruptions.has(databaseErrorFields(error)?.number ?? 0);
  const isKnown = !isInterrupted || (await isInTransaction(connection));
  try {
    await connection.plain('rollback');
  } catch {
    // Nothing is left of a transaction whose connection is gone.
    connection.spoil();
  }
  return isKnown ? error : outcomeUnknown(error);
}

async function isInTransaction(connection: MysqlConnection): Promise<boolean> {
  try {
    const [row] = await connection.run({ text: 'select @@in_transaction', values: [] });
    return row?.[0] === '1';
  } catch {
    return false;
  }
}

/** A connection that is lost while it commits proves nothing: the outcome is unknown. */
export async function commit(connection: MysqlConnection): Promise<void> {
  try {
    await connection.plain('commit');
  } catch (error) {
    if (databaseErrorFields(error) !== undefined && !connection.isLost) throw error;
    throw outcomeUnknown(error);
  }
}

/** The error of a transaction that was not asked to commit. */
export const explainedWrite = (error: unknown): unknown =>
  isConnectionFailure(error)
    ? new ServerError(503, codes.unavailable, 'The database ended the connection: nothing was written.', {
        hint: 'Send the request again in a moment.',
        headers: { 'retry-after': '1' },
        cause: error,
      })
    : error;

const outcomeUnknown = (cause: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The database was lost while it was writing: the outcome is unknown.', {
    hint: 'Read before you write again: the write may have been done.',
    headers: { 'retry-after': '1' },
    cause,
  });

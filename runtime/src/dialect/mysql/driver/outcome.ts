import { nothingWritten, outcomeUnknown } from '../../write-outcome.js';
import { databaseErrorFields, isConnectionFailure } from '../failures/fields.js';
import type { MysqlConnection } from './connection.js';

/** Independent of `completion_type`, which a trigger may have set. */
export const commitText = 'commit and no chain no release';
export const rollbackText = 'rollback and no chain no release';

/** A node of Galera lost the other nodes while it committed: they may have the write. */
const ERROR_DURING_COMMIT = 1180;

/**
 * Errors that may end a block at any place, even after its COMMIT: the statement was stopped or
 * took too long, or the connection or the server ends.
 * Source: https://mariadb.com/kb/en/mariadb-error-code-reference/
 */
const interruptions: ReadonlySet<number> = new Set([1053, ERROR_DURING_COMMIT, 1317, 1927, 1969, 3024]);

/**
 * The error of a block that ends with COMMIT. Its transaction is rolled back. After an interruption
 * it is unknown whether the block committed, unless the transaction is still open.
 */
export async function afterFailedBlock(connection: MysqlConnection, error: unknown): Promise<unknown> {
  if (connection.isLost || isConnectionFailure(error)) return outcomeUnknown(error);
  const isInterrupted = interruptions.has(databaseErrorFields(error)?.number ?? 0);
  const isKnown = !isInterrupted || (await isInTransaction(connection));
  try {
    await connection.plain(rollbackText);
  } catch {
    // The transaction of a lost connection is gone.
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

/** If the connection is lost while it commits, the outcome is unknown. */
export async function commit(connection: MysqlConnection): Promise<void> {
  try {
    await connection.plain(commitText);
  } catch (error) {
    const { number } = databaseErrorFields(error) ?? {};
    if (number !== undefined && number !== ERROR_DURING_COMMIT && !connection.isLost) throw error;
    throw outcomeUnknown(error);
  }
}

/** The error of a transaction before its commit was requested. */
export const explainedWrite = (error: unknown): unknown => (isConnectionFailure(error) ? nothingWritten(error) : error);

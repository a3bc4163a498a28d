import type { RunOptions } from '../../driver.js';
import type { TransactionSteps } from '../../driver-transaction.js';
import type { BoundStatement } from '../../../plan/statement.js';

/**
 * Begins a transaction that may write, although the session's default is read only. A `set local`
 * in an implicit transaction would also work, but logs a warning each time.
 */
export const begin: BoundStatement = { text: 'begin read write', values: [] };
/**
 * The statement that sets how a transaction sees others. It comes before any query.
 * https://www.postgresql.org/docs/current/transaction-iso.html#XACT-REPEATABLE-READ
 */
export const isolation = ({ repeatable }: Pick<RunOptions, 'repeatable'>): readonly BoundStatement[] =>
  repeatable === true ? [repeatableRead] : [];
const repeatableRead: BoundStatement = { text: 'set transaction isolation level repeatable read', values: [] };

export const commit: BoundStatement = { text: 'commit', values: [] };
export const rollback: BoundStatement = { text: 'rollback', values: [] };

/**
 * Releases the advisory locks of the session that functions and triggers took: other requests would
 * wait for them until the connection closes.
 */
export const unlock: BoundStatement = { text: 'select pg_catalog.pg_advisory_unlock_all()', values: [] };

/** Any statement may call a function that sets a variable, and a rollback resets variables. */
export const sessionOfTransaction: Pick<TransactionSteps, 'mayChangeSession' | 'restoresSettings'> = {
  mayChangeSession: () => true,
  restoresSettings: true,
};

import type { CancelSignal, Driver } from '../../driver.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../statement.js';

/**
 * Begins a transaction that may write, though the session's default is read only. A `set local` in an implicit transaction would do the same,
 * with a warning in the database's log each time.
 */
export const begin: BoundStatement = { text: 'begin read write', values: [] };
export const commit: BoundStatement = { text: 'commit', values: [] };
export const rollback: BoundStatement = { text: 'rollback', values: [] };

/** What a transaction over several round trips is made of. */
export interface TransactionSteps {
  /** Begins it and runs the first statements, in one round trip. */
  begin(statements: readonly BoundStatement[]): Promise<readonly RawRow[]>;
  within(statements: readonly BoundStatement[]): Promise<readonly RawRow[]>;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/**
 * A transaction on one connection; without a run nothing is begun. Rolls back when `work` throws, and also when it passes over a failed
 * run: PostgreSQL would turn that commit into a rollback and not say so. When the request is given up, nothing more is run or kept: between
 * two statements there is nothing that could be cancelled.
 */
export async function runTransaction<T>(
  steps: TransactionSteps,
  work: (run: Driver['run']) => Promise<T>,
  signal?: CancelSignal,
): Promise<T> {
  const state = { begun: false, failed: false };
  const track: Driver['run'] = async (statements) => {
    if (signal?.aborted === true) throw requestAborted();
    const isFirst = !state.begun;
    state.begun = true;
    try {
      return await (isFirst ? steps.begin(statements) : steps.within(statements));
    } catch (error) {
      state.failed = true;
      throw error;
    }
  };
  try {
    const result = await work(track);
    if (state.failed) throw new Error('a statement of the transaction failed and was passed over');
    if (signal?.aborted === true) throw requestAborted();
    if (state.begun) await steps.commit();
    return result;
  } catch (error) {
    // On a lost connection there is nothing to roll back, and the first error is the one to tell.
    if (state.begun) await steps.rollback().catch(() => undefined);
    throw error;
  }
}

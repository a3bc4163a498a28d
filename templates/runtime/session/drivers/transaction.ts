import type { CancelSignal, Driver } from '../driver.js';
import { givenUp } from './given-up.js';
import type { BoundStatement } from '../statement.js';

const commit: BoundStatement = { text: 'commit', values: [] };
const rollback: BoundStatement = { text: 'rollback', values: [] };

/** Begins a transaction that may write, though the session's default is read only. */
export const begin: BoundStatement = { text: 'begin read write', values: [] };

/** Lets the implicit transaction of a batch write: the first statement of it, before anything has looked at the database. */
export const mayWrite: BoundStatement = { text: 'set local transaction_read_only = off', values: [] };

/**
 * A transaction on one connection. `opening` goes along with the first run, at no round trip of its own; without a run nothing is begun.
 * Rolls back when `work` throws, and also when it passes over a failed run: PostgreSQL would turn that commit into a rollback and not say so.
 * When the request is given up, nothing more is run or kept: between two statements there is nothing that could be cancelled.
 */
export async function runTransaction<T>(
  run: Driver['run'],
  opening: readonly BoundStatement[],
  work: (run: Driver['run']) => Promise<T>,
  signal?: CancelSignal,
): Promise<T> {
  const state = { begun: false, failed: false };
  const track: Driver['run'] = async (statements) => {
    if (signal?.aborted === true) throw givenUp();
    const opened = state.begun ? statements : [...opening, ...statements];
    state.begun = true;
    try {
      return await run(opened);
    } catch (error) {
      state.failed = true;
      throw error;
    }
  };
  try {
    const result = await work(track);
    if (state.failed) throw new Error('a statement of the transaction failed and was passed over');
    if (signal?.aborted === true) throw givenUp();
    if (state.begun) await run([commit]);
    return result;
  } catch (error) {
    // On a lost connection there is nothing to roll back, and the first error is the one to tell.
    if (state.begun) await run([rollback]).catch(() => undefined);
    throw error;
  }
}

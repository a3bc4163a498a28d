import type { CancelSignal, Driver, OwnSession } from './driver.js';
import { requestAborted } from './request-aborted.js';

/** A transaction of a driver, which the first statement begins. */
export interface LazyTransaction extends OwnSession {
  readonly run: Driver['run'];
  readonly isBegun: boolean;
  /** Whether a statement has failed and was not rolled back to a savepoint. */
  readonly hasFailed: boolean;
}

/** The ends of a transaction that has begun. */
export interface TransactionEnds {
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/**
 * Commits what `work` has done; without a statement there is nothing to commit. Rolls back when
 * `work` throws, and also when it passes over a failed statement: PostgreSQL would turn that commit
 * into a rollback and not say so. When the request is given up, nothing is kept.
 */
export async function withinTransaction<T>(
  transaction: LazyTransaction,
  ends: TransactionEnds,
  work: (run: Driver['run'], own: OwnSession) => Promise<T>,
  signal: CancelSignal | undefined,
): Promise<T> {
  try {
    const result = await work(transaction.run, transaction);
    if (transaction.hasFailed) throw new Error('a statement of the transaction failed and was passed over');
    if (signal?.aborted === true) throw requestAborted();
    if (transaction.isBegun) await ends.commit();
    return result;
  } catch (error) {
    // On a lost connection there is nothing to roll back, and the first error is the one to report.
    if (transaction.isBegun) await ends.rollback().catch(() => undefined);
    throw error;
  }
}

import type { CancelSignal } from '../cancel-signal.js';
import type { Driver, CustomResult, CustomSession, CustomStatement, Savepoint } from './driver.js';
import { endedByStatement, refuseControl } from './custom-statement.js';
import { requestAborted } from './request-aborted.js';
import type { BoundStatement, RawRow } from '../plan/statement.js';

/**
 * The state that a step finds: no transaction yet; a transaction with its identity and its time
 * limit; or a transaction in which a custom statement may have changed them.
 */
export type TransactionState = 'new' | 'set' | 'touched';

/** The steps of a transaction on one connection, as a database implements them. */
export interface TransactionSteps {
  /** Runs statements of the runtime, with the identity and the time limit set before them. */
  run(statements: readonly BoundStatement[], state: TransactionState): Promise<readonly RawRow[]>;
  /** Runs a custom statement likewise, and returns whether the transaction is open. */
  query(
    statement: CustomStatement,
    state: TransactionState,
  ): Promise<{ readonly result: CustomResult; readonly isOpen: boolean }>;
  /** Runs a statement about a savepoint. It needs no identity, and may follow a failure. */
  mark(text: string, state: TransactionState): Promise<void>;
  /** Whether this custom statement may change the identity or the time limit. */
  mayChangeSession(text: string): boolean;
  /** Words of statements that commit on this database alone. */
  readonly committing?: ReadonlySet<string>;
  /**
   * Whether the database has rolled back the whole transaction with this error, so that a further
   * statement would run in none.
   */
  readonly hasEnded?: (error: unknown) => boolean;
  /** Whether a rollback to a savepoint also gives settings their former values. */
  readonly restoresSettings: boolean;
  commit(): Promise<unknown>;
  /** Has no effect where no transaction is open. */
  rollback(): Promise<unknown>;
}

/**
 * Commits what `work` has done; without a statement there is nothing to commit. Rolls back when
 * `work` throws, and also when it passes over a failed statement: PostgreSQL would turn that commit
 * into a rollback and not say so. When the request is aborted, nothing is kept, and no further
 * statement is run: between two statements there is nothing that could be cancelled.
 */
export async function runTransaction<T>(
  steps: TransactionSteps,
  work: (run: Driver['run'], custom: CustomSession) => Promise<T>,
  signal: CancelSignal | undefined,
): Promise<T> {
  const transaction = new DriverTransaction(steps, signal);
  try {
    const result = await work(transaction.run, transaction);
    if (transaction.hasFailed) throw new Error('a statement of the transaction failed and was passed over');
    if (signal?.aborted === true) throw requestAborted();
    if (transaction.isBegun) await steps.commit();
    return result;
  } catch (error) {
    // On a lost connection there is nothing to roll back, and the first error is the one to report.
    if (transaction.isBegun) await steps.rollback().catch(() => undefined);
    throw error;
  }
}

/** A transaction that its first statement begins. Statements must wait for each other. */
class DriverTransaction implements CustomSession {
  /** Whether a statement has failed and was not rolled back to a savepoint. */
  hasFailed = false;
  #state: TransactionState = 'new';
  #savepoints = 0;

  constructor(
    private readonly steps: TransactionSteps,
    private readonly signal: CancelSignal | undefined,
  ) {}

  get isBegun(): boolean {
    return this.#state !== 'new';
  }

  readonly run: Driver['run'] = (statements) => this.#step('set', (state) => this.steps.run(statements, state));

  query(statement: CustomStatement): Promise<CustomResult> {
    const after = this.steps.mayChangeSession(statement.text) ? 'touched' : 'set';
    return this.#step(after, async (state) => {
      refuseControl(statement.text, this.steps.committing);
      const { result, isOpen } = await this.steps.query(statement, state);
      if (isOpen) return result;
      // Later statements must not run without a transaction: the next one begins another.
      this.#state = 'new';
      throw endedByStatement();
    });
  }

  async savepoint(): Promise<Savepoint> {
    this.#savepoints += 1;
    const name = `tablewright_${String(this.#savepoints)}`;
    const hadFailed = this.hasFailed;
    await this.#mark(`savepoint ${name}`);
    return {
      release: () => this.#mark(`release savepoint ${name}`),
      rollback: async () => {
        await this.#mark(`rollback to savepoint ${name}`);
        if (this.steps.restoresSettings) this.#state = 'touched';
        this.hasFailed = hadFailed;
      },
    };
  }

  #mark(text: string): Promise<void> {
    const after = this.#state === 'touched' ? 'touched' : 'set';
    return this.#step(after, (state) => this.steps.mark(text, state));
  }

  /** @param after the state that the step leaves behind when it succeeds */
  async #step<T>(after: Exclude<TransactionState, 'new'>, work: (state: TransactionState) => Promise<T>): Promise<T> {
    if (this.signal?.aborted === true) throw requestAborted();
    const before = this.#state;
    if (before !== 'new' && after === 'touched') this.#state = 'touched';
    try {
      const result = await work(before);
      this.#state = after;
      return result;
    } catch (error) {
      this.hasFailed = true;
      // A later statement, if the error is passed over, begins a transaction of its own, which is
      // not committed either.
      if (before === 'new' || this.steps.hasEnded?.(error) === true) {
        await this.steps.rollback().catch(() => undefined);
        this.#state = 'new';
      }
      throw error;
    }
  }
}

import type { CancelSignal, Driver, OwnResult, OwnSession, OwnStatement } from '../../driver.js';
import { endedByStatement, refuseControl } from '../../own-statement.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { withinTransaction, type LazyTransaction } from '../../within-transaction.js';

/**
 * Begins a transaction that may write, though the session's default is read only. A `set local` in
 * an implicit transaction would do the same, with a warning in the database's log each time.
 */
export const begin: BoundStatement = { text: 'begin read write', values: [] };
export const commit: BoundStatement = { text: 'commit', values: [] };
export const rollback: BoundStatement = { text: 'rollback', values: [] };

/** The parts of a transaction over several round trips. */
export interface TransactionSteps {
  /** Begins it and runs the first statements, in one round trip. */
  begin(statements: readonly BoundStatement[]): Promise<readonly RawRow[]>;
  within(statements: readonly BoundStatement[]): Promise<readonly RawRow[]>;
  /**
   * Runs a statement of the user's code, after `preamble`, in one round trip. `isFirst`: begins the
   * transaction first.
   */
  own(statement: OwnStatement, isFirst: boolean): Promise<OwnResult>;
  /** The identity and the time limit, which the user's own statements may have changed. */
  readonly preamble: readonly BoundStatement[];
  /** Whether it is open still. */
  isOpen(): boolean;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/**
 * A transaction on one connection: see `withinTransaction`. When the request is given up, nothing
 * more is run: between two statements there is nothing that could be cancelled.
 */
export const runTransaction = <T>(
  steps: TransactionSteps,
  work: (run: Driver['run'], own: OwnSession) => Promise<T>,
  signal?: CancelSignal,
): Promise<T> => withinTransaction(new Transaction(steps, signal), steps, work, signal);

class Transaction implements LazyTransaction {
  isBegun = false;
  hasFailed = false;
  /** Whether a statement of the user has run since the identity was set. */
  #isTouched = false;
  #savepoints = 0;

  constructor(
    private readonly steps: TransactionSteps,
    private readonly signal: CancelSignal | undefined,
  ) {}

  readonly run: Driver['run'] = (statements) =>
    this.#tracked(async (isFirst) => {
      if (isFirst) return this.steps.begin(statements);
      if (!this.#isTouched) return this.steps.within(statements);
      this.#isTouched = false;
      return this.steps.within([...this.steps.preamble, ...statements]);
    });

  query(statement: OwnStatement): Promise<OwnResult> {
    return this.#tracked(async (isFirst) => {
      refuseControl(statement.text);
      this.#isTouched = true;
      const result = await this.steps.own(statement, isFirst);
      if (!this.steps.isOpen()) throw endedByStatement();
      return result;
    });
  }

  async savepoint(): Promise<{ release: () => Promise<void>; rollback: () => Promise<void> }> {
    this.#savepoints += 1;
    const name = `tablewright_${String(this.#savepoints)}`;
    const hadFailed = this.hasFailed;
    await this.#control(`savepoint ${name}`);
    return {
      release: () => this.#control(`release savepoint ${name}`),
      rollback: async () => {
        await this.#control(`rollback to savepoint ${name}`);
        // Settings of the transaction have their values of the savepoint again.
        this.#isTouched = true;
        this.hasFailed = hadFailed;
      },
    };
  }

  async #control(text: string): Promise<void> {
    const statement = { text, values: [] };
    await this.#tracked((isFirst) => (isFirst ? this.steps.begin([statement]) : this.steps.within([statement])));
  }

  async #tracked<T>(work: (isFirst: boolean) => Promise<T>): Promise<T> {
    if (this.signal?.aborted === true) throw requestAborted();
    const isFirst = !this.isBegun;
    this.isBegun = true;
    try {
      return await work(isFirst);
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}

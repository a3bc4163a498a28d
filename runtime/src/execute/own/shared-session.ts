import type { Driver, OwnResult, OwnSession, OwnStatement, Savepoint } from '../../dialect/driver.js';
import { ended } from './ended.js';

/**
 * One transaction for generated statements and statements of the user's code, which take turns: a
 * connection runs one statement at a time, and the user's code may ask for several at once.
 */
export class SharedSession implements OwnSession {
  /**
   * What statements have failed with. Catching the error does not help: PostgreSQL has already
   * aborted the transaction.
   */
  readonly failures: unknown[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(
    private readonly rawRun: Driver['run'],
    private readonly own: OwnSession,
  ) {}

  readonly run: Driver['run'] = (statements) => this.#inTurn(() => this.rawRun(statements));

  query(statement: OwnStatement): Promise<OwnResult> {
    return this.#inTurn(() => this.own.query(statement));
  }

  async savepoint(): Promise<Savepoint> {
    const savepoint = await this.#inTurn(() => this.own.savepoint());
    const failed = this.failures.length;
    return {
      release: () => this.#inTurn(() => savepoint.release()),
      rollback: async () => {
        await this.#inTurn(() => savepoint.rollback());
        this.failures.length = failed;
      },
    };
  }

  /** Waits for running statements, and refuses later ones. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#last;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(ended());
    const turn = this.#last.then(() => {
      if (this.#isOver) throw ended();
      return work().catch((error: unknown) => {
        this.failures.push(error);
        throw error;
      });
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

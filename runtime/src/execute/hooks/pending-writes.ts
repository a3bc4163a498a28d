import type { Written } from '../../plan/write-program.js';
import type { WriteJob } from '../prepared-write.js';
import { ended, type Transaction } from '../transaction.js';

/**
 * The writes of a request with hooks between them, in their order. While no hook asks the database
 * for anything there is no transaction, and all writes can be run without hooks at the end.
 */
export class PendingWrites {
  readonly jobs: WriteJob[] = [];
  /** The results of the jobs that have run, by their place. */
  readonly written: Written[] = [];
  transaction: Transaction | undefined;
  /** The job that failed, even if a hook passes over its error. */
  failure: { readonly at: number; readonly error: unknown } | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(
    private readonly begin: () => Promise<Transaction>,
    private readonly run: (transaction: Transaction, job: WriteJob) => Promise<Written>,
  ) {}

  /** The transaction, once every earlier write has run in it. */
  readonly open = (): Promise<Transaction> => {
    if (this.#isOver) return Promise.reject(ended());
    const turn = this.#turn.then(() => this.flush());
    this.#turn = turn.catch(() => undefined);
    return turn;
  };

  /** The transaction, for code that a job calls while it runs in it. */
  readonly opened = (): Promise<Transaction> =>
    this.transaction === undefined ? this.open() : Promise.resolve(this.transaction);

  /** Runs the job when something asks for the transaction, or at the end. */
  defer(job: WriteJob): void {
    this.jobs.push(job);
  }

  /** Runs the job now. */
  async write(job: WriteJob): Promise<Written> {
    const at = this.jobs.push(job) - 1;
    await this.open();
    const written = this.written[at];
    if (written === undefined) throw new TypeError('a write answered nothing');
    return written;
  }

  /** Resolves when no request for the transaction is on its way. Rejects if a job has failed. */
  async idle(): Promise<void> {
    await this.#turn;
    if (this.failure !== undefined) throw this.failure.error;
  }

  /**
   * From now on, a handle that the user's code has kept opens no transaction. Waits for one that is
   * being opened.
   */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#turn;
  }

  /** Runs the jobs that have not run yet. */
  async flush(): Promise<Transaction> {
    if (this.failure !== undefined) throw this.failure.error;
    this.transaction ??= await this.begin();
    for (let at = this.written.length; ; at += 1) {
      const job = this.jobs[at];
      if (job === undefined) return this.transaction;
      try {
        this.written[at] = await this.run(this.transaction, job);
      } catch (error) {
        this.failure = { at, error };
        throw error;
      }
    }
  }
}

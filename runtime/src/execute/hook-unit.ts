import type { Written } from '../dialect/write-program.js';
import { ended } from './own/ended.js';
import type { WriteJob } from './run-writes.js';
import type { HeldSession, WriteSession } from './write-session.js';

/** The transaction that hooks of a write run in, and how the write is done in it. */
export interface HookUnit {
  /** The transaction, with everything written that comes before. */
  readonly open: () => Promise<WriteSession>;
  /** Does the write at once. */
  readonly write: (job: WriteJob) => Promise<Written>;
  /** Does it when something asks for the transaction, or at the end; absent: at once. */
  readonly defer?: (job: WriteJob) => void;
}

/** The hooked writes of a request failed at this one. */
export class HookedFailure extends Error {
  override readonly name = 'HookedFailure';

  constructor(
    readonly at: number,
    readonly error: unknown,
  ) {
    super('a write with hooks failed', { cause: error });
  }
}

/**
 * Writes of a request with hooks between them. As long as no hook asks the database for anything,
 * nothing is begun: the writes then go to it as those without hooks do.
 */
export class DeferredWrites implements HookUnit {
  /** By the place of the request's write. */
  readonly written: Written[] = [];
  readonly jobs: WriteJob[] = [];
  held: HeldSession | undefined;
  failure: HookedFailure | undefined;
  #flushed = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(
    private readonly begin: () => Promise<HeldSession>,
    private readonly run: (session: WriteSession, at: number, job: WriteJob) => Promise<Written>,
  ) {}

  readonly open = (): Promise<WriteSession> => {
    if (this.#isOver) return Promise.reject(ended());
    const turn = this.#turn.then(() => this.#flush());
    this.#turn = turn.catch(() => undefined);
    return turn;
  };

  readonly defer = (job: WriteJob): void => {
    this.jobs.push(job);
  };

  readonly write = async (job: WriteJob): Promise<Written> => {
    const at = this.jobs.push(job) - 1;
    await this.open();
    const written = this.written[at];
    if (written === undefined) throw new TypeError('a write answered nothing');
    return written;
  };

  /**
   * From now on, a handle that the user's code has kept opens no transaction. A transaction that is
   * being opened, although nothing waits for it, is `held`.
   */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#turn;
  }

  /** Resolves when nothing that a hook has asked for is on its way. */
  async idle(): Promise<void> {
    await this.#turn;
  }

  async #flush(): Promise<WriteSession> {
    if (this.failure !== undefined) throw this.failure;
    this.held ??= await this.begin();
    const { session } = this.held;
    for (let job = this.jobs[this.#flushed]; job !== undefined; job = this.jobs[this.#flushed]) {
      const at = this.#flushed;
      this.#flushed += 1;
      try {
        this.written[at] = await this.run(session, at, job);
      } catch (error) {
        this.failure = new HookedFailure(at, error);
        throw this.failure;
      }
    }
    return session;
  }
}

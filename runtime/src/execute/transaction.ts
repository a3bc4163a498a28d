import type { Kysely } from 'kysely';
import { copyWith } from '../copy-with.js';
import type { Dialect } from '../dialect/dialect.js';
import type {
  Driver,
  Identity,
  CustomResult,
  CustomSession,
  CustomStatement,
  ReadBack,
  RunOptions,
  Savepoint,
} from '../dialect/driver.js';
import { codes, ServerError } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { AsyncScope } from './async-scope.js';
import { createHandle } from './handle.js';
import type { AnyDatabase } from './hooks/table-hooks.js';

interface Parts {
  readonly driver: Driver;
  readonly dialect: Dialect;
  readonly settings: Settings;
}

/** What a transaction has in common with the savepoints in it. */
interface Shared {
  readonly parts: Parts;
  readonly identity: Identity;
  readonly run: Driver['run'];
  readonly custom: CustomSession;
  readonly after: ReadBack | undefined;
  /**
   * The errors of statements, except those that a savepoint undid. Catching one does not help:
   * PostgreSQL has already aborted the transaction.
   */
  readonly failures: unknown[];
  readonly afterCommit: (() => void)[];
  /** The end of the last statement. */
  last: Promise<unknown>;
  isClosed: boolean;
  readonly commit: () => Promise<void>;
  readonly rollback: (error: unknown) => Promise<unknown>;
}

/** The transaction, or the savepoint in it, in which the user's code runs. */
const scope = new AsyncScope<Transaction>();

/**
 * An open transaction of one identity, or a savepoint in it. Generated statements and statements of
 * the user's code take turns in it: a connection runs one statement at a time, and the user's code
 * may ask for several at once. The code that opens a transaction ends it by `commit` or `rollback`;
 * a savepoint ends with the function of `nested`. Decision 025.
 */
export class Transaction implements Pick<Driver, 'run' | 'transaction'> {
  #isOver = false;
  #db: Kysely<AnyDatabase> | undefined;
  /** Resolves when the last savepoint directly inside has ended. */
  #inner: Promise<void> = Promise.resolve();

  private constructor(private readonly shared: Shared) {}

  /** Rejects where the driver gives no connection. The first statement begins the transaction. */
  static open(parts: Parts, identity: Identity, options: RunOptions): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      let commit = (): void => undefined;
      let rollback: (error: unknown) => void = () => undefined;
      const settled = new Promise<void>((done, failed) => {
        commit = done;
        rollback = failed;
      });
      // The transaction may be rolled back before the driver waits for it.
      settled.catch(() => undefined);
      const ended = parts.driver.transaction(
        (run, custom) => {
          const shared: Shared = {
            ...{ parts, identity, run, custom },
            after: options.session?.after,
            failures: [],
            afterCommit: [],
            last: Promise.resolve(),
            isClosed: false,
            commit: () => {
              commit();
              return ended;
            },
            rollback: (error) => {
              rollback(error);
              return ended.then(
                () => error,
                (reported: unknown) => reported,
              );
            },
          };
          resolve(new Transaction(shared));
          return settled;
        },
        copyWith(options, { identity }),
      );
      ended.catch(reject);
    });
  }

  /** The transaction of the code that calls, if it is one of this identity on this driver. */
  static current(on: Driver, identity: Identity): Transaction | undefined {
    const { current } = scope;
    if (current === undefined || current.#isOver) return undefined;
    const { shared } = current;
    return shared.parts.driver === on && shared.identity === identity ? current : undefined;
  }

  get identity(): Identity {
    return this.shared.identity;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The handle of the user's code. It ends with the transaction, or with the savepoint. */
  get db(): Kysely<AnyDatabase> {
    return (this.#db ??= createHandle(this.shared.parts.dialect.queryBuilder, this));
  }

  /** Runs the user's code, so that functions it calls find this transaction. */
  within<T>(work: () => Promise<T>): Promise<T> {
    return scope.run(this, work);
  }

  /** The same, but code that runs in a savepoint of this transaction stays in the savepoint. */
  around<T>(work: () => Promise<T>): Promise<T> {
    const current = Transaction.current(this.shared.parts.driver, this.identity);
    return current?.shared === this.shared ? work() : this.within(work);
  }

  readonly run: Driver['run'] = (statements) => this.#inTurn(() => this.shared.run(statements));

  query(statement: CustomStatement): Promise<CustomResult> {
    return this.#inTurn(() => this.shared.custom.query(statement));
  }

  /** Work of a driver's transaction runs in this one. */
  transaction<T>(work: (run: Driver['run'], custom: CustomSession) => Promise<T>): Promise<T> {
    return work(this.run, this);
  }

  async savepoint(): Promise<Savepoint> {
    const savepoint = await this.#inTurn(() => this.shared.custom.savepoint());
    const { failures, afterCommit } = this.shared;
    const [failed, recorded] = [failures.length, afterCommit.length];
    return {
      release: () => this.#inTurn(() => savepoint.release()),
      rollback: async () => {
        await this.#inTurn(() => savepoint.rollback());
        failures.length = failed;
        afterCommit.length = recorded;
      },
    };
  }

  /**
   * Runs the user's code in a savepoint, which is released if the code resolves and rolled back if
   * it rejects.
   */
  async nested<T>(work: (inner: Transaction) => Promise<T>): Promise<T> {
    const savepoint = await this.enter();
    const inner = new Transaction(this.shared);
    const { failures } = this.shared;
    const before = failures.length;
    try {
      const result = await inner.within(() => work(inner));
      inner.#isOver = true;
      if (failures.length > before) throw failures[before];
      await savepoint.release();
      return result;
    } catch (error) {
      inner.#isOver = true;
      await savepoint.rollback();
      throw error;
    }
  }

  /** Begins a savepoint. Savepoints are a stack: those beside each other wait for each other. */
  async enter(): Promise<Savepoint> {
    const previous = this.#inner;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.#inner = previous.then(() => left);
    try {
      await inTime(previous, this.shared.parts.settings['app.datasource.acquire-timeout-ms']);
      const savepoint = await this.savepoint();
      return {
        release: () => savepoint.release().finally(leave),
        rollback: () =>
          savepoint
            .rollback()
            .catch((error: unknown) => {
              // The database has undone everything already, as after a deadlock of MariaDB, or the
              // connection is lost.
              this.abandon(error);
            })
            .finally(leave),
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Nothing of the transaction is kept from now on, even when its code passes over the error. */
  abandon(error: unknown): void {
    this.shared.failures.push(error);
  }

  /** Calls `notify` after the commit, unless a savepoint before this call is rolled back to. */
  afterCommit(notify: () => void): void {
    this.shared.afterCommit.push(notify);
  }

  /**
   * Waits for running statements, and refuses later ones. Rejects with the first failure that no
   * savepoint has undone: then there is nothing to commit.
   */
  async close(): Promise<void> {
    this.#isOver = true;
    this.shared.isClosed = true;
    await this.shared.last;
    const { failures } = this.shared;
    if (failures.length > 0) throw failures[0];
  }

  /** Runs the statement of the request's session that comes after all others. */
  async readBack(): Promise<void> {
    const { after, failures } = this.shared;
    if (after === undefined || failures.length > 0) return;
    after.answered((await this.run([after.statement]))[0]);
  }

  /** If it rejects, `rollback` is still to be called. */
  async commit(): Promise<void> {
    await this.readBack();
    await this.close();
    await this.shared.commit();
    for (const notify of this.shared.afterCommit) notify();
  }

  /** Never rejects. Answers the error as the driver reports it for the whole transaction. */
  async rollback(error: unknown): Promise<unknown> {
    await this.close().catch(() => undefined);
    return this.shared.rollback(error);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { shared } = this;
    if (this.#isOver || shared.isClosed) return Promise.reject(ended());
    const turn = shared.last.then(() => {
      if (shared.isClosed) throw ended();
      return work().catch((error: unknown) => {
        shared.failures.push(error);
        throw error;
      });
    });
    shared.last = turn.catch(() => undefined);
    return turn;
  }
}

async function inTime(previous: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(occupied());
    }, milliseconds);
  });
  try {
    await Promise.race([previous, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The error of a handle that is used after its end: the user's code did not await its work, or kept
 * the handle.
 */
export const ended = (): ServerError =>
  new ServerError(500, codes.unsupported, 'The transaction of this handle has ended.', {
    hint: 'Await every statement inside the function that was given the handle, and keep the handle nowhere.',
  });

/** Two transactions inside one: each would undo the other’s work. */
const occupied = (): ServerError =>
  new ServerError(503, codes.unavailable, 'Another transaction inside this one did not end in time.', {
    hint: 'Begin a transaction inside another one from the inner handle, and await one before the next begins.',
  });

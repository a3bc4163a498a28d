import type { ServerError } from '../errors.js';
import { closing, databaseUnavailable, overloaded, waitingPerConnection } from './unavailable.js';

interface Waiter<T> {
  readonly grant: (connection: T) => void;
  readonly refuse: (error: ServerError) => void;
  readonly timer: NodeJS.Timeout;
  readonly since: number;
}

/** The pool whose connections requests wait for. */
export interface QueuedPool<T> {
  /** Connections, at most. */
  readonly size: number;
  /** Milliseconds that a request waits for one. */
  readonly patience: number;
  /** How many are open, in use or not. */
  readonly openCount: () => number;
  readonly hasIdle: () => boolean;
  /** Opens another one, which counts as open from then on. */
  readonly open: () => Promise<T>;
  /** Receives the opened connection: requests may have stopped waiting meanwhile. */
  readonly release: (connection: T) => void;
  /** Receives the milliseconds that a request waited for a connection. */
  readonly waited?: (milliseconds: number) => void;
}

/** What a probe can be told at once. */
export type PoolState = 'free' | 'busy' | 'exhausted';

/**
 * Requests that wait for a connection of a pool, in the order they came in. Connections are opened
 * for them as far as there may be more.
 */
export class ConnectionQueue<T> {
  readonly #waiting = new Set<Waiter<T>>();
  #opening = 0;
  /** When a request last got a connection, as `performance.now()`. */
  #granted = 0;
  /** Why the last connection could not be opened; undefined once one was. */
  #refusal: unknown;
  #isClosed = false;

  constructor(private readonly pool: QueuedPool<T>) {}

  /**
   * A connection, when one is free.
   * @throws ServerError 503 when the database cannot be reached, no connection is free in time, or
   * too many requests wait already
   */
  wait(): Promise<T> {
    const { size, patience, openCount } = this.pool;
    if (this.#isClosed) return Promise.reject(closing());
    if (this.#waiting.size >= size * waitingPerConnection) return Promise.reject(overloaded());
    return new Promise((grant, refuse) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        refuse(openCount() === 0 ? databaseUnavailable(new Error('timeout of a connection')) : overloaded());
      }, patience);
      const waiter: Waiter<T> = { grant, refuse, timer, since: performance.now() };
      this.#waiting.add(waiter);
      this.openMore();
    });
  }

  /** Gives a connection to the request that has waited longest. Answers whether there is one. */
  grant(connection: T): boolean {
    const waiter = this.#next();
    if (waiter === undefined) return false;
    this.granted();
    this.pool.waited?.(performance.now() - waiter.since);
    waiter.grant(connection);
    return true;
  }

  /** A request has got a connection. */
  granted(): void {
    this.#granted = performance.now();
  }

  /** Opens connections for waiting requests. Call it when a connection is gone. */
  openMore(): void {
    const { size, openCount } = this.pool;
    while (!this.#isClosed && this.#opening < this.#waiting.size && openCount() + this.#opening < size)
      void this.#openOne();
  }

  /**
   * `busy` while requests have all connections and still get them in turn, `exhausted` when none
   * got one for as long as any waits.
   */
  get state(): PoolState {
    const { size, patience, openCount, hasIdle } = this.pool;
    if (openCount() + this.#opening < size || hasIdle()) return 'free';
    return performance.now() - this.#granted < patience ? 'busy' : 'exhausted';
  }

  /**
   * Why a probe is not given a connection of an exhausted pool: requests hold them all, or none can
   * be opened.
   */
  get exhaustion(): ServerError {
    return this.pool.openCount() === 0 && this.#refusal !== undefined
      ? databaseUnavailable(this.#refusal)
      : overloaded();
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Refuses all that wait, and all that come. */
  close(): void {
    this.#isClosed = true;
    for (let waiter = this.#next(); waiter !== undefined; waiter = this.#next()) waiter.refuse(closing());
  }

  /** The waiter that has waited longest. */
  #next(): Waiter<T> | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.delete(first);
    clearTimeout(first.timer);
    return first;
  }

  /** Never rejects: the request that has waited longest gets the error. */
  async #openOne(): Promise<void> {
    this.#opening += 1;
    // A sign of life, until one could not be opened.
    if (this.#refusal === undefined) this.granted();
    try {
      const connection = await this.pool.open();
      this.#opening -= 1;
      this.#refusal = undefined;
      this.pool.release(connection);
    } catch (error) {
      this.#opening -= 1;
      this.#granted = -Infinity;
      this.#refusal = error;
      this.#next()?.refuse(databaseUnavailable(error));
      this.openMore();
    }
  }
}

import { ServerError } from '../errors.js';
import { closing, databaseUnavailable, overloaded, waitingPerConnection } from './unavailable.js';

interface Waiter<T> {
  readonly grant: (connection: T) => void;
  readonly refuse: (error: ServerError) => void;
  readonly timer: NodeJS.Timeout;
  readonly since: number;
}

/** The pool whose connections requests wait for. */
export interface QueuedPool<T> {
  /** The largest number of connections. */
  readonly size: number;
  /** Milliseconds that a request waits for a connection. */
  readonly patience: number;
  /** The number of open connections, in use or idle. */
  readonly openCount: () => number;
  readonly hasIdle: () => boolean;
  /** Opens another connection, which counts as open from then on. */
  readonly open: () => Promise<T>;
  /** Receives the opened connection. The request that needed it may have stopped waiting. */
  readonly release: (connection: T) => void;
  /** Connections that are opened at a time, at most. Default: no limit. */
  readonly mostOpening?: number;
  /** Whether there is room for another connection, which is then opened. Default: there is. */
  readonly mayOpen?: () => boolean;
  /** Receives the milliseconds that a request waited for a connection. */
  readonly waited?: (milliseconds: number) => void;
}

/** The state of a pool, for a readiness probe. */
export type PoolState = 'free' | 'busy' | 'exhausted';

/**
 * Requests that wait for a connection of a pool, first come, first served. Opens connections for
 * them up to the size of the pool.
 */
export class ConnectionQueue<T> {
  readonly #waiting = new Set<Waiter<T>>();
  #opening = 0;
  /** When a request last got a connection, by `performance.now()`. */
  #granted = 0;
  /** The error of the last attempt to open a connection; undefined after a success. */
  #refusal: unknown;
  /** Whether the last attempt to open a connection found no room for it. */
  #isCrowded = false;
  #isClosed = false;

  constructor(private readonly pool: QueuedPool<T>) {}

  /**
   * Resolves with a connection when one is free.
   * @throws ServerError 503 when the database cannot be reached, no connection becomes free in
   * time, or too many requests wait already
   */
  wait(): Promise<T> {
    const { size, patience, openCount } = this.pool;
    if (this.#isClosed) return Promise.reject(closing());
    if (this.#waiting.size >= size * waitingPerConnection) return Promise.reject(overloaded());
    return new Promise((grant, refuse) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        refuse(
          openCount() === 0 && !this.#isCrowded
            ? databaseUnavailable(new Error('timeout of a connection'), true)
            : overloaded(),
        );
      }, patience);
      const waiter: Waiter<T> = { grant, refuse, timer, since: performance.now() };
      this.#waiting.add(waiter);
      this.openMore();
    });
  }

  /** Gives a connection to the request that has waited longest. Returns whether a request waits. */
  grant(connection: T): boolean {
    const waiter = this.#next();
    if (waiter === undefined) return false;
    this.granted();
    this.pool.waited?.(performance.now() - waiter.since);
    waiter.grant(connection);
    return true;
  }

  /** Records that a request has got a connection. */
  granted(): void {
    this.#granted = performance.now();
  }

  /** Opens connections for waiting requests. Called when a connection is lost or closed. */
  openMore(): void {
    const { size, openCount, mostOpening = size, mayOpen } = this.pool;
    while (
      !this.#isClosed &&
      this.#opening < Math.min(this.#waiting.size, mostOpening) &&
      openCount() + this.#opening < size
    ) {
      this.#isCrowded = mayOpen?.() === false;
      if (this.#isCrowded) return;
      void this.#openOne();
    }
  }

  /** Connections that are being opened. */
  get opening(): number {
    return this.#opening;
  }

  /**
   * `busy` while requests have all connections and still get them in turn, `exhausted` when no
   * request got a connection for as long as a request waits.
   */
  get state(): PoolState {
    const { size, patience, openCount, hasIdle } = this.pool;
    if (openCount() + this.#opening < size || hasIdle()) return 'free';
    return performance.now() - this.#granted < patience ? 'busy' : 'exhausted';
  }

  /**
   * Why a health probe gets no connection of an exhausted pool: requests hold all of them, or none
   * can be opened.
   */
  get exhaustion(): ServerError {
    return this.pool.openCount() === 0 && this.#refusal !== undefined
      ? databaseUnavailable(this.#refusal)
      : overloaded();
  }

  /** The number of waiting requests. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Refuses all waiting requests, and all later ones. */
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
    // Opening counts as progress, until a connection could not be opened.
    if (this.#refusal === undefined) this.granted();
    try {
      const connection = await this.pool.open();
      this.#opening -= 1;
      this.#refusal = undefined;
      this.pool.release(connection);
      this.openMore();
    } catch (error) {
      this.#opening -= 1;
      this.#granted = -Infinity;
      this.#refusal = error;
      // A mistake of the configuration is explained already.
      this.#next()?.refuse(error instanceof ServerError ? error : databaseUnavailable(error, true));
      this.openMore();
    }
  }
}

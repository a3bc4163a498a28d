import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import { Cancelling, type Cancellable } from './cancelling.js';
import { MAX_OPENING, SLOW_OPENING_MS, type BudgetedPool, type ConnectionBudget } from './connection-budget.js';
import { ConnectionQueue } from './connection-queue.js';
import type { PoolStats } from '../observe/pool-stats.js';
import type { CancelSignal } from '../cancel-signal.js';
import { longestTimer } from '../longest-timer.js';
import { requestAborted } from './request-aborted.js';
import { cutAtClose, SilenceWatch, type Attended } from './silence.js';

/** A connection as its pool sees it. */
export interface PoolMember extends Attended, Cancellable {
  /** Whether it can be given to the next request. */
  readonly isUsable: boolean;
  /** Ends the connection, even if it is in use. */
  end(): void;
}

/**
 * The connections of a server. They are opened when they are needed and then kept, until they are
 * lost or old. Requests wait for them in a bounded queue.
 */
export abstract class ConnectionPool<T extends PoolMember> implements BudgetedPool {
  /** Connections, at most. */
  readonly size: number;
  /** Requests that wait for a connection. */
  readonly queue: ConnectionQueue<T>;
  /** Open connections, in use or idle, and the timers that end their lifetimes. */
  readonly #open = new Map<T, NodeJS.Timeout | undefined>();
  readonly #old = new WeakSet<T>();
  /** When a connection has been open for as long as opening it took, by `performance.now()`. */
  readonly #repaid = new WeakMap<T, number>();
  /** Idle connections; the one used last is at the end. */
  readonly #idle: T[] = [];
  readonly #silence = new SilenceWatch(() => {
    // The network of the idle connections is the same: each request would have to detect the
    // silence again.
    this.#discardIdle();
  });
  #isClosed = false;
  readonly #whenEmpty: (() => void)[] = [];

  /** Called when an idle connection can be used. */
  onIdle: (() => void) | undefined;

  /** @param budget of the connections of several pools */
  constructor(
    protected readonly settings: Settings,
    observe: Observer,
    private readonly budget?: ConnectionBudget,
  ) {
    this.size = settings['app.datasource.pool-size'];
    this.queue = new ConnectionQueue({
      size: this.size,
      patience: settings['app.datasource.acquire-timeout-ms'],
      openCount: () => this.#open.size,
      hasIdle: () => this.hasIdle,
      open: () => this.#connect(),
      release: (connection) => {
        this.release(connection);
      },
      waited: (milliseconds) => {
        observe({ kind: 'waited', milliseconds });
      },
      ...(budget === undefined ? {} : { mostOpening: MAX_OPENING, mayOpen: () => budget.take(this) }),
    });
  }

  /** Opens a connection. `onLost` is to be called, perhaps twice, when it is gone. */
  protected abstract connect(onLost: (connection: T) => void): Promise<T>;

  /** Prepares the session of a new connection. */
  protected abstract prepare(connection: T): Promise<void>;

  get hasIdle(): boolean {
    return this.#idle.length > 0;
  }

  get stats(): PoolStats {
    const [open, idle, waiting] = [this.#open.size, this.#idle.length, this.queue.length];
    return { size: this.size, open, idle, waiting };
  }

  get connectionCount(): number {
    return this.#open.size + this.queue.opening;
  }

  get waitingCount(): number {
    return this.queue.length;
  }

  closeIdle(): void {
    const [first] = this.#idle;
    if (first !== undefined) this.#discard(first);
  }

  openMore(): void {
    this.queue.openMore();
  }

  /** Open connections, in use or idle. */
  protected get connections(): Iterable<T> {
    return this.#open.keys();
  }

  /**
   * @throws ServerError 503 when the database cannot be reached, or no connection is free in time
   */
  lease(): Promise<T> | T {
    return this.take((idle) => idle.length - 1) ?? this.queue.wait();
  }

  /** The idle connection at the place that is chosen; undefined for -1. */
  protected take(choose: (idle: readonly T[]) => number): T | undefined {
    const place = choose(this.#idle);
    if (place === -1) return undefined;
    this.queue.granted();
    return place === this.#idle.length - 1 ? this.#idle.pop() : this.#idle.splice(place, 1)[0];
  }

  /**
   * Leases a connection for the work. When the request is aborted, its statement is stopped at the
   * database first.
   */
  async use<R>(
    signal: CancelSignal | undefined,
    work: (connection: T) => Promise<R>,
    lease: () => Promise<T> | T = () => this.lease(),
  ): Promise<R> {
    if (isAborted(signal)) throw requestAborted();
    const leased = lease();
    const connection = leased instanceof Promise ? await leased : leased;
    if (isAborted(signal)) {
      this.release(connection);
      throw requestAborted();
    }
    const cancelling = new Cancelling(connection, signal);
    try {
      return await work(connection);
    } finally {
      cancelling.stop();
      this.release(connection);
    }
  }

  /** Gives the connection to the next request, or discards it. */
  release(connection: T): void {
    this.budget?.use(this);
    const isUnwanted = this.#isClosed || this.#old.has(connection) || !connection.isUsable;
    if (isUnwanted || this.#isClaimed(connection)) this.#discard(connection);
    else if (!this.queue.grant(connection)) {
      this.#idle.push(connection);
      this.onIdle?.();
    }
  }

  /**
   * Whether another pool needs the room of the connection more. A connection serves waiting
   * requests for as long as opening it took: where that is long, pools would otherwise close each
   * other's connections before a request had them.
   */
  #isClaimed(connection: T): boolean {
    if (this.waitingCount > 0 && performance.now() < (this.#repaid.get(connection) ?? 0)) return false;
    return this.budget?.claims(this) === true;
  }

  /** For readiness: asks the database, unless requests use every connection. */
  async ping(ask: () => Promise<void>): Promise<void> {
    const { state, exhaustion } = this.queue;
    if (state === 'exhausted') throw exhaustion;
    if (state === 'free') await ask();
  }

  /**
   * Resolves when all connections are released.
   * @param grace milliseconds until those in use are cut. Default: never
   */
  async close(grace?: number): Promise<void> {
    this.#isClosed = true;
    this.queue.close();
    this.#discardIdle();
    this.budget?.forget(this);
    const cutting = grace === undefined ? undefined : setTimeout(this.#cutAll, grace);
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
    clearTimeout(cutting);
    this.#silence.stop();
  }

  readonly #cutAll = (): void => {
    for (const connection of this.#open.keys()) connection.cut(cutAtClose());
  };

  async #connect(): Promise<T> {
    const discardIdle = (connection: T): void => {
      if (this.#idle.includes(connection)) this.#discard(connection);
    };
    const began = performance.now();
    const connection = await this.#counted(() => this.#connectAndPrepare(discardIdle));
    const opened = performance.now();
    this.#repaid.set(connection, opened + (opened - began));
    this.#open.set(connection, this.#aging(connection, discardIdle));
    return connection;
  }

  async #connectAndPrepare(onLost: (connection: T) => void): Promise<T> {
    const connection = await this.connect(onLost);
    this.#silence.add(connection);
    try {
      await this.prepare(connection);
    } catch (error) {
      this.#silence.delete(connection);
      connection.end();
      throw error;
    }
    return connection;
  }

  /** The connection has room in the budget already: while it is opened, only for a short time. */
  async #counted(open: () => Promise<T>): Promise<T> {
    const { budget } = this;
    if (budget === undefined) return open();
    const room = { counts: true };
    const slow = setTimeout(() => {
      room.counts = false;
      budget.give();
    }, SLOW_OPENING_MS);
    try {
      const connection = await open();
      if (!room.counts) budget.takeAnyway();
      return connection;
    } catch (error) {
      if (room.counts) budget.give();
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  /** At the end of its lifetime a connection is replaced, once it is idle. */
  #aging(connection: T, discardIdle: (connection: T) => void): NodeJS.Timeout | undefined {
    const lifetime = this.settings['app.datasource.max-lifetime-ms'];
    if (lifetime === 0) return undefined;
    const age = (): void => {
      this.#old.add(connection);
      discardIdle(connection);
    };
    return setTimeout(age, Math.min(jittered(lifetime), longestTimer)).unref();
  }

  #discardIdle(): void {
    for (const connection of [...this.#idle]) this.#discard(connection);
  }

  #discard(connection: T): void {
    clearTimeout(this.#open.get(connection));
    const wasOpen = this.#open.delete(connection);
    this.#silence.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    connection.end();
    if (wasOpen) this.budget?.give();
    if (!this.#isClosed) this.queue.openMore();
    else if (this.#open.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }
}

/** A tenth more or less: connections that were opened together are not to be replaced together. */
const jittered = (milliseconds: number): number => milliseconds * (0.9 + 0.2 * Math.random());

const isAborted = (signal: CancelSignal | undefined): boolean => signal?.aborted === true;

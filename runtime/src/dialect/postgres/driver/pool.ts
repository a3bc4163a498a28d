import pg from 'pg';
import type { ServerError } from '../../../errors.js';
import { closing, databaseUnavailable, overloaded, waitingPerConnection } from '../../unavailable.js';
import type { Settings } from '../../../settings/settings.js';
import type { BoundStatement } from '../../statement.js';
import { PgConnection, type KeptSession } from './connection.js';
import { chooseConnection } from './choose-connection.js';
import { clientConfig, keptSession } from './pool-config.js';
import { PooledConnection, type Leased } from './pooled-connection.js';

export type { Leased } from './pooled-connection.js';

interface Waiter {
  readonly grant: (leased: Leased) => void;
  readonly refuse: (error: ServerError) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The connections of a server. They are opened when they are needed and then kept, until they are lost or old. Requests wait for them in a
 * bounded queue.
 */
export class PgPool {
  /** Connections, at most. */
  readonly size: number;
  /** Those that are open, in use or not. */
  readonly #open = new Set<PooledConnection>();
  /** Those that nobody uses; the one used last is used next. */
  readonly #idle: PooledConnection[] = [];
  #opening = 0;
  /** In the order they came in. */
  readonly #waiting = new Set<Waiter>();
  readonly #config: pg.ClientConfig;
  readonly #kept: KeptSession | undefined;
  /** When a request last got a connection, as `performance.now()`. */
  #granted = 0;
  /** Why the last connection could not be opened; undefined once one was. */
  #refusal: unknown;
  #closed: PromiseWithResolvers | undefined;

  /** Called when a connection that nobody has asked for can be used. */
  onIdle: (() => void) | undefined;

  /** @param tables how many there are: with more of them, connections keep more statements */
  constructor(
    url: string,
    private readonly settings: Settings,
    tables: number,
  ) {
    this.size = settings['app.datasource.pool-size'];
    this.#config = clientConfig(url, settings);
    this.#kept = keptSession(settings, tables);
  }

  /**
   * A connection that has the statements prepared, if it matters and there is one.
   * @throws ServerError 503 when the database cannot be reached, or no connection is free in time
   */
  lease(statements: readonly BoundStatement[]): Promise<Leased> | Leased {
    return this.#take(chooseConnection(this.#idle, statements)) ?? this.#wait();
  }

  /** The same connection if it is idle and has nothing to parse: statements of several requests are to share it. */
  leaseToShare(statements: readonly BoundStatement[]): Leased | undefined {
    const place = chooseConnection(this.#idle, statements);
    return this.#idle[place]?.connection.canShare(statements) === true ? this.#take(place) : undefined;
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0;
  }

  /**
   * What a probe can be told at once: `busy` while requests have all connections and still get them in turn, `exhausted` when none got one
   * for as long as any waits, `free` when the probe can have one itself.
   */
  get state(): 'free' | 'busy' | 'exhausted' {
    if (this.#open.size + this.#opening < this.size || this.#idle.length > 0) return 'free';
    return performance.now() - this.#granted < this.#patience ? 'busy' : 'exhausted';
  }

  /** Why a probe is not given a connection of an exhausted pool: requests hold them all, or none can be opened. */
  get exhaustion(): ServerError {
    return this.#open.size === 0 && this.#refusal !== undefined ? databaseUnavailable(this.#refusal) : overloaded();
  }

  /** Resolves when all connections are released. */
  async close(): Promise<void> {
    this.#closed ??= withResolvers();
    for (const { refuse } of this.#takeWaiters()) refuse(closing());
    for (const pooled of [...this.#idle]) this.#discard(pooled);
    if (this.#open.size === 0) this.#closed.resolve();
    await this.#closed.promise;
  }

  get #patience(): number {
    return this.settings['app.datasource.acquire-timeout-ms'];
  }

  #take(place: number): Leased | undefined {
    if (place === -1) return undefined;
    this.#granted = performance.now();
    return place === this.#idle.length - 1 ? this.#idle.pop() : this.#idle.splice(place, 1)[0];
  }

  #wait(): Promise<Leased> {
    if (this.#closed !== undefined) return Promise.reject(closing());
    if (this.#waiting.size >= this.size * waitingPerConnection) return Promise.reject(overloaded());
    return new Promise((grant, refuse) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        refuse(this.#open.size === 0 ? databaseUnavailable(new Error('timeout of a connection')) : overloaded());
      }, this.#patience);
      const waiter: Waiter = { grant, refuse, timer };
      this.#waiting.add(waiter);
      this.#openMore();
    });
  }

  /** The one that has waited longest. */
  #nextWaiter(): Waiter | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.delete(first);
    clearTimeout(first.timer);
    return first;
  }

  *#takeWaiters(): Generator<Waiter> {
    for (let waiter = this.#nextWaiter(); waiter !== undefined; waiter = this.#nextWaiter()) yield waiter;
  }

  /** Opens connections for those that wait, as far as there may be more. */
  #openMore(): void {
    while (this.#opening < this.#waiting.size && this.#open.size + this.#opening < this.size) void this.#openOne();
  }

  /** Never rejects: the one that has waited longest is told. */
  async #openOne(): Promise<void> {
    this.#opening += 1;
    const client = new pg.Client(this.#config);
    // Without a listener a connection that is lost would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      client.end().catch(() => undefined);
      this.#opening -= 1;
      // That connections are being opened is no sign of life once one could not be.
      this.#granted = -Infinity;
      this.#refusal = error;
      this.#nextWaiter()?.refuse(databaseUnavailable(error));
      this.#openMore();
      return;
    }
    this.#opening -= 1;
    this.#refusal = undefined;
    this.#release(this.#pooled(client));
  }

  #pooled(client: pg.Client): PooledConnection {
    const discardIdle = (): void => {
      if (this.#idle.includes(pooled)) this.#discard(pooled);
    };
    const release = (): void => {
      this.#release(pooled);
    };
    const connection = new PgConnection(client, this.#kept, this.settings['app.limits.response-bytes'], discardIdle);
    const lifetime = this.settings['app.datasource.max-lifetime-ms'];
    const pooled = new PooledConnection(connection, client, release, lifetime, discardIdle);
    this.#open.add(pooled);
    return pooled;
  }

  #release(pooled: PooledConnection): void {
    if (!pooled.isReusable || this.#closed !== undefined) {
      this.#discard(pooled);
      return;
    }
    const waiter = this.#nextWaiter();
    if (waiter === undefined) {
      this.#idle.push(pooled);
      this.onIdle?.();
    } else {
      this.#granted = performance.now();
      waiter.grant(pooled);
    }
  }

  #discard(pooled: PooledConnection): void {
    this.#open.delete(pooled);
    const at = this.#idle.indexOf(pooled);
    if (at !== -1) this.#idle.splice(at, 1);
    pooled.end();
    if (this.#closed === undefined) this.#openMore();
    else if (this.#open.size === 0) this.#closed.resolve();
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** `Promise.withResolvers` of later versions of Node.js. */
function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

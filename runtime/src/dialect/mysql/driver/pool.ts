import type { ConnectionOptions } from 'mysql2/promise';
import type { ServerError } from '../../../errors.js';
import type { Settings } from '../../../settings/settings.js';
import { closing, databaseUnavailable, overloaded, waitingPerConnection } from '../../unavailable.js';
import { sessionStart } from './session-settings.js';
import { MysqlConnection } from './connection.js';
import { load } from './load.js';
import { clientOptions } from './options.js';

interface Waiter {
  readonly grant: (connection: MysqlConnection) => void;
  readonly refuse: (error: ServerError) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The connections of a server. They are opened when they are needed and then kept, until they are lost or old. Requests wait
 * for them in a bounded queue.
 */
export class MysqlPool {
  readonly options: ConnectionOptions;
  readonly #size: number;
  /** Those that are open, in use or not, and when each is old, as `performance.now()`. */
  readonly #open = new Map<MysqlConnection, number>();
  /** Those that nobody uses; the one used last is used next. */
  readonly #idle: MysqlConnection[] = [];
  readonly #waiting = new Set<Waiter>();
  #opening = 0;
  #granted = 0;
  #isClosed = false;
  readonly #whenEmpty: (() => void)[] = [];

  constructor(
    url: string,
    private readonly settings: Settings,
  ) {
    this.#size = settings['app.datasource.pool-size'];
    this.options = clientOptions(url, settings);
  }

  /** @throws ServerError 503 when the database cannot be reached, or no connection is free in time */
  lease(): Promise<MysqlConnection> | MysqlConnection {
    if (this.#isClosed) return Promise.reject(closing());
    for (let free = this.#idle.pop(); free !== undefined; free = this.#idle.pop()) {
      if (this.#isGood(free)) {
        this.#granted = performance.now();
        return free;
      }
      this.#discard(free);
    }
    return this.#wait();
  }

  /** Whoever wrote has the answer already while the session is set as it began. */
  release(connection: MysqlConnection): void {
    if (connection.isTouched && connection.isUsable) {
      void connection.renew(this.settings).then(() => {
        this.#release(connection);
      });
    } else this.#release(connection);
  }

  #release(connection: MysqlConnection): void {
    if (this.#isClosed || !this.#isGood(connection)) {
      this.#discard(connection);
      return;
    }
    const waiter = this.#nextWaiter();
    if (waiter === undefined) this.#idle.push(connection);
    else {
      this.#granted = performance.now();
      waiter.grant(connection);
    }
  }

  /**
   * What a probe can be told at once: `busy` while requests have all connections and still get them in turn, `exhausted` when
   * none got one for as long as any waits, `free` when the probe can have one itself.
   */
  get state(): 'free' | 'busy' | 'exhausted' {
    if (this.#open.size + this.#opening < this.#size || this.#idle.length > 0) return 'free';
    return performance.now() - this.#granted < this.#patience ? 'busy' : 'exhausted';
  }

  /** Resolves when all connections are released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let waiter = this.#nextWaiter(); waiter !== undefined; waiter = this.#nextWaiter()) waiter.refuse(closing());
    for (const connection of [...this.#idle]) this.#discard(connection);
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  get #patience(): number {
    return this.settings['app.datasource.acquire-timeout-ms'];
  }

  #isGood(connection: MysqlConnection): boolean {
    return connection.isUsable && (this.#open.get(connection) ?? 0) > performance.now();
  }

  #wait(): Promise<MysqlConnection> {
    if (this.#waiting.size >= this.#size * waitingPerConnection) return Promise.reject(overloaded());
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

  #openMore(): void {
    while (this.#opening < this.#waiting.size && this.#open.size + this.#opening < this.#size) void this.#openOne();
  }

  /** Never rejects: the one that has waited longest is told. */
  async #openOne(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#connect();
      this.#opening -= 1;
      this.release(connection);
    } catch (error) {
      this.#opening -= 1;
      this.#granted = -Infinity;
      this.#nextWaiter()?.refuse(databaseUnavailable(error));
      this.#openMore();
    }
  }

  async #connect(): Promise<MysqlConnection> {
    const { createConnection } = await load();
    const client = await createConnection(this.options);
    const discardIdle = (): void => {
      if (this.#idle.includes(connection)) this.#discard(connection);
    };
    const timeout = this.settings['app.datasource.statement-timeout-ms'];
    const connection = new MysqlConnection(client, timeout, this.settings['app.limits.response-bytes'], discardIdle);
    try {
      for (const text of sessionStart(this.settings)) await connection.plain(text);
    } catch (error) {
      connection.end();
      throw error;
    }
    const lifetime = this.settings['app.datasource.max-lifetime-ms'];
    // A tenth more or less: connections that were opened together are not to be replaced together.
    const old = lifetime === 0 ? Infinity : performance.now() + lifetime * (0.9 + 0.2 * Math.random());
    this.#open.set(connection, old);
    return connection;
  }

  #discard(connection: MysqlConnection): void {
    this.#open.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    connection.end();
    if (!this.#isClosed) this.#openMore();
    else if (this.#open.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }
}

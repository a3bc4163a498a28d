import type { ConnectionOptions } from 'mysql2/promise';
import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import { ConnectionQueue } from '../../connection-queue.js';
import type { PoolStats } from '../../driver.js';
import { sessionStart } from './session-settings.js';
import { MysqlConnection } from './connection.js';
import { load } from './load.js';
import { clientOptions } from './options.js';

/**
 * The connections of a server. They are opened when they are needed and then kept, until they are
 * lost or old. Requests wait for them in a bounded queue.
 */
export class MysqlPool {
  readonly options: ConnectionOptions;
  /** Requests that wait for a connection. */
  readonly queue: ConnectionQueue<MysqlConnection>;
  /**
   * Open connections, in use or idle, and the end of each one's lifetime, as `performance.now()`.
   */
  readonly #open = new Map<MysqlConnection, number>();
  /** Idle connections; the one used last is used next. */
  readonly #idle: MysqlConnection[] = [];
  #isClosed = false;
  readonly #whenEmpty: (() => void)[] = [];

  constructor(
    url: string,
    private readonly settings: Settings,
    observe: Observer,
  ) {
    this.options = clientOptions(url, settings);
    this.queue = new ConnectionQueue({
      size: settings['app.datasource.pool-size'],
      patience: settings['app.datasource.acquire-timeout-ms'],
      openCount: () => this.#open.size,
      hasIdle: () => this.#idle.length > 0,
      open: () => this.#connect(),
      release: (connection) => {
        this.release(connection);
      },
      waited: (milliseconds) => {
        observe({ kind: 'waited', milliseconds });
      },
    });
  }

  /** mysql2 keeps statements prepared, and does not say how many. */
  get stats(): PoolStats {
    const [open, idle, waiting] = [this.#open.size, this.#idle.length, this.queue.length];
    return { size: this.settings['app.datasource.pool-size'], open, idle, waiting };
  }

  /**
   * @throws ServerError 503 when the database cannot be reached, or no connection is free in time
   */
  lease(): Promise<MysqlConnection> | MysqlConnection {
    for (let free = this.#idle.pop(); free !== undefined; free = this.#idle.pop()) {
      if (this.#isGood(free)) {
        this.queue.granted();
        return free;
      }
      this.#discard(free);
    }
    return this.queue.wait();
  }

  /** The client has its answer already while the session is reset. */
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
    if (!this.queue.grant(connection)) this.#idle.push(connection);
  }

  /** Resolves when all connections are released. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.queue.close();
    for (const connection of [...this.#idle]) this.#discard(connection);
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  #isGood(connection: MysqlConnection): boolean {
    return connection.isUsable && (this.#open.get(connection) ?? 0) > performance.now();
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
      await connection.plain(sessionStart(this.settings));
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
    if (!this.#isClosed) this.queue.openMore();
    else if (this.#open.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }
}

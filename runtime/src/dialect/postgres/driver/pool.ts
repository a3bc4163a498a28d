import pg from 'pg';
import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import { ConnectionQueue } from '../../connection-queue.js';
import type { PoolStats } from '../../driver.js';
import type { BoundStatement } from '../../statement.js';
import { PgConnection, type KeptSession } from './connection.js';
import { chooseConnection } from './choose-connection.js';
import { clientConfig, keptSession } from './pool-config.js';
import { PooledConnection, type Leased } from './pooled-connection.js';

export type { Leased } from './pooled-connection.js';

/**
 * The connections of a server. They are opened when they are needed and then kept, until they are
 * lost or old. Requests wait for them in a bounded queue.
 */
export class PgPool {
  /** Connections, at most. */
  readonly size: number;
  /** Requests that wait for one. */
  readonly queue: ConnectionQueue<PooledConnection>;
  /** Open connections, in use or idle. */
  readonly #open = new Set<PooledConnection>();
  /** Idle connections; the one used last is used next. */
  readonly #idle: PooledConnection[] = [];
  readonly #config: pg.ClientConfig;
  readonly #kept: KeptSession | undefined;
  #closed: PromiseWithResolvers | undefined;

  /** Called when an idle connection can be used. */
  onIdle: (() => void) | undefined;

  /** @param tables how many there are: with more of them, connections keep more statements */
  constructor(
    url: string,
    private readonly settings: Settings,
    tables: number,
    observe: Observer,
  ) {
    this.size = settings['app.datasource.pool-size'];
    this.#config = clientConfig(url, settings);
    this.#kept = keptSession(settings, tables);
    this.queue = new ConnectionQueue({
      size: this.size,
      patience: settings['app.datasource.acquire-timeout-ms'],
      openCount: () => this.#open.size,
      hasIdle: () => this.hasIdle,
      open: () => this.#connect(),
      release: (pooled) => {
        this.#release(pooled);
      },
      waited: (milliseconds) => {
        observe({ kind: 'waited', milliseconds });
      },
    });
  }

  /**
   * A connection that has the statements prepared, if it matters and there is one.
   * @throws ServerError 503 when the database cannot be reached, or no connection is free in time
   */
  lease(statements: readonly BoundStatement[]): Promise<Leased> | Leased {
    return this.#take(chooseConnection(this.#idle, statements)) ?? this.queue.wait();
  }

  /**
   * The same connection if it is idle and has nothing to parse: statements of several requests are
   * to share it.
   */
  leaseToShare(statements: readonly BoundStatement[]): Leased | undefined {
    const place = chooseConnection(this.#idle, statements);
    return this.#idle[place]?.connection.canShare(statements) === true ? this.#take(place) : undefined;
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0;
  }

  get stats(): PoolStats {
    let prepared = 0;
    for (const { connection } of this.#open) prepared += connection.preparedCount;
    const [open, idle, waiting] = [this.#open.size, this.#idle.length, this.queue.length];
    return { size: this.size, open, idle, waiting, prepared };
  }

  /** Resolves when all connections are released. */
  async close(): Promise<void> {
    this.#closed ??= withResolvers();
    this.queue.close();
    for (const pooled of [...this.#idle]) this.#discard(pooled);
    if (this.#open.size === 0) this.#closed.resolve();
    await this.#closed.promise;
  }

  #take(place: number): Leased | undefined {
    if (place === -1) return undefined;
    this.queue.granted();
    return place === this.#idle.length - 1 ? this.#idle.pop() : this.#idle.splice(place, 1)[0];
  }

  async #connect(): Promise<PooledConnection> {
    const client = new pg.Client(this.#config);
    // Without a listener a connection that is lost would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    return this.#pooled(client);
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
    if (this.queue.grant(pooled)) return;
    this.#idle.push(pooled);
    this.onIdle?.();
  }

  #discard(pooled: PooledConnection): void {
    this.#open.delete(pooled);
    const at = this.#idle.indexOf(pooled);
    if (at !== -1) this.#idle.splice(at, 1);
    pooled.end();
    if (this.#closed === undefined) this.queue.openMore();
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

import pg from 'pg';
import { codes, ServerError } from '../../../errors.js';
import { databaseUnavailable } from '../../../response/database-error.js';
import type { Settings } from '../../../settings.js';
import type { BoundStatement } from '../../statement.js';
import { claimVariables, sessionSettings } from '../session-settings.js';
import type { SharedAccess } from './access-mode.js';
import { PgConnection } from './connection.js';
import { nextFor, placeFor } from './place-for.js';
import { mostPrepared } from './prepared.js';

/** Requests that may wait for a connection, for each connection: more would time out before their turn. */
const waitingPerConnection = 100;

export interface Leased {
  readonly connection: PgConnection;
  readonly release: () => void;
  /** Gives it back to node-postgres's pool, which closes it when it is not usable any more. */
  readonly giveUp: () => void;
}

/**
 * node-postgres's pool with a bounded queue, and errors that say what to do. A connection that nobody waits for is kept at hand for the next
 * request: going through that pool's queue and its timer would cost as much as the rest of the session.
 */
export class PgPool {
  /** Connections, at most. */
  readonly size: number;
  readonly #pool: pg.Pool;
  /** Those that are not lost. */
  readonly #connections = new Map<pg.ClientBase, PgConnection>();
  /** Leased from `#pool` and to nobody; the one used last is used next. */
  readonly #atHand: Leased[] = [];
  readonly #mostWaiting: number;
  readonly #mostPrepared: number | undefined;
  readonly #patience: number;
  /** When a request last got a connection, as `performance.now()`. */
  #granted = 0;

  /** Called when a connection that nobody has asked for can be used. */
  onAtHand: (() => void) | undefined;

  /** For so many tables. */
  constructor(url: string, settings: Settings, tables: number) {
    this.size = settings['app.datasource.pool-size'];
    const direct = settings['app.datasource.pooler'] === 'none';
    this.#mostPrepared = direct ? mostPrepared(tables, this.size) : undefined;
    this.#patience = settings['app.datasource.acquire-timeout-ms'];
    this.#mostWaiting = this.size * waitingPerConnection;
    this.#pool = new pg.Pool(poolConfig(url, settings, direct));
    // An idle connection that is lost leaves the pool by itself.
    this.#pool.on('error', () => undefined);
  }

  /**
   * A connection that has the statements prepared and is set to what they do, if it matters and there is one.
   * @throws ServerError 503 when the database cannot be reached, or no connection is free in time
   */
  lease(access: SharedAccess, statements: readonly BoundStatement[]): Promise<Leased> | Leased {
    return this.#take(placeFor(this.#atHand, access, statements)) ?? this.#acquire();
  }

  /** The same connection if it is at hand and has nothing to parse: statements of several requests are to share it. */
  leaseToShare(access: SharedAccess, statements: readonly BoundStatement[]): Leased | undefined {
    const place = placeFor(this.#atHand, access, statements);
    return this.#atHand[place]?.connection.has(statements) === true ? this.#take(place) : undefined;
  }

  #take(place: number): Leased | undefined {
    if (place === -1) return undefined;
    this.#granted = performance.now();
    return place === this.#atHand.length - 1 ? this.#atHand.pop() : this.#atHand.splice(place, 1)[0];
  }

  get hasAtHand(): boolean {
    return this.#atHand.length > 0;
  }

  /** Whether the connection that is next, or will be, can prepare what it does not have at no loss. */
  hasRoom(access: SharedAccess): boolean {
    const next = this.#atHand[nextFor(this.#atHand, access)];
    if (next !== undefined) return next.connection.hasRoom;
    if (this.#pool.totalCount < this.size) return true;
    for (const connection of this.#connections.values()) if (connection.hasRoom) return true;
    return false;
  }

  /** Whether any connection, whatever it is doing, has the statements prepared. */
  has(statements: readonly BoundStatement[]): boolean {
    for (const connection of this.#connections.values()) if (connection.has(statements)) return true;
    return false;
  }

  #acquire(): Promise<Leased> {
    if (this.#pool.waitingCount >= this.#mostWaiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.#pool.connect((error, client, done) => {
        if (client === undefined) {
          // Connections that are still being made count as taken: that they are is no sign of life once one could not be made.
          if (!isTimeout(error)) this.#granted = -Infinity;
          reject(isTimeout(error) ? overloaded(error) : databaseUnavailable(error));
          return;
        }
        this.#granted = performance.now();
        const connection = this.#connectionOf(client);
        const leased: Leased = {
          connection,
          release: () => {
            this.#release(leased);
          },
          giveUp: () => {
            done(!connection.usable);
          },
        };
        resolve(leased);
      });
    });
  }

  #release(leased: Leased): void {
    const { waitingCount, ending } = this.#pool;
    if (waitingCount === 0 && !ending && leased.connection.usable) {
      this.#atHand.push(leased);
      this.onAtHand?.();
    } else leased.giveUp();
  }

  #forget(client: pg.ClientBase, connection: PgConnection): void {
    this.#connections.delete(client);
    const at = this.#atHand.findIndex((leased) => leased.connection === connection);
    if (at !== -1) for (const leased of this.#atHand.splice(at, 1)) leased.giveUp();
  }

  /**
   * What a probe can be told at once: `busy` while requests have all connections and still get them in turn, `exhausted` when none got one
   * for as long as any waits, `free` when the probe can have one itself. A lost database takes its connections out of the pool.
   */
  get state(): 'free' | 'busy' | 'exhausted' {
    const { totalCount, idleCount } = this.#pool;
    if (totalCount < this.size || idleCount + this.#atHand.length > 0) return 'free';
    return performance.now() - this.#granted < this.#patience ? 'busy' : 'exhausted';
  }

  close(): Promise<void> {
    const ended = this.#pool.end();
    for (const leased of this.#atHand.splice(0)) leased.giveUp();
    return ended;
  }

  #connectionOf(client: pg.PoolClient): PgConnection {
    const known = this.#connections.get(client);
    if (known !== undefined) return known;
    const connection = new PgConnection(client, this.#mostPrepared, () => {
      this.#forget(client, connection);
    });
    this.#connections.set(client, connection);
    return connection;
  }
}

/** The address wins over the settings beside it in node-postgres, but its parameters win over its own user part. */
function poolConfig(url: string, settings: Settings, direct: boolean): pg.PoolConfig {
  const address = new URL(url);
  const { searchParams } = address;
  const username = settings['app.datasource.username'];
  const password = settings['app.datasource.password'];
  if (username !== undefined) searchParams.set('user', username);
  if (password !== undefined && address.password === '') searchParams.set('password', password);
  if (direct) searchParams.set('options', startupOptions(settings, searchParams.get('options')));
  return {
    connectionString: address.href,
    max: settings['app.datasource.pool-size'],
    connectionTimeoutMillis: settings['app.datasource.acquire-timeout-ms'],
    // A connection that stays keeps its prepared statements.
    idleTimeoutMillis: 0,
    keepAlive: true,
    application_name: 'tablewright',
  };
}

/**
 * Settings that come with the connection itself, at no round trip. Reads are read only without saying so; a write
 * begins its own transaction. With tokens, the variables of a claim are empty from the start: PostgreSQL leaves a
 * variable that was once set in a transaction empty, not null, and a policy must not see a difference between a new
 * connection and a used one (decisions 7).
 */
function startupOptions(settings: Settings, given: string | null): string {
  const claims = settings['app.security.jwt-enabled'] ? claimVariables.map((name) => [name, ''] as const) : [];
  const options = [
    ...sessionSettings,
    ['default_transaction_read_only', 'on'] as const,
    ['statement_timeout', String(settings['app.datasource.statement-timeout-ms'])] as const,
    ...claims,
  ].map(([name, value]) => `-c ${name}=${value}`);
  return [...(given === null ? [] : [given]), ...options].join(' ');
}

const isTimeout = (error: Error | undefined): boolean => error?.message.startsWith('timeout exceeded') === true;

export const overloaded = (cause?: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The server is busy: no connection to the database is free.', {
    hint: 'Try again in a moment. More connections: app.datasource.pool-size.',
    headers: { 'retry-after': '1' },
    cause,
  });

import pg from 'pg';
import { codes, ServerError } from '../../../errors.js';
import { databaseUnavailable } from '../../../response/database-error.js';
import type { Settings } from '../../../settings.js';
import { claimVariables, sessionSettings } from '../session-settings.js';
import { PgConnection } from './connection.js';

/** Requests that may wait for a connection, for each connection: more would time out before their turn. */
const waitingPerConnection = 100;

export interface Leased {
  readonly connection: PgConnection;
  readonly release: () => void;
}

/** node-postgres's pool with a bounded queue, and errors that say what to do. */
export class PgPool {
  readonly config: pg.PoolConfig;
  readonly #pool: pg.Pool;
  readonly #connections = new WeakMap<pg.ClientBase, PgConnection>();
  readonly #mostWaiting: number;
  readonly #named: boolean;

  constructor(url: string, settings: Settings) {
    const size = settings['app.datasource.pool-size'];
    this.#named = settings['app.datasource.pooler'] === 'none';
    this.#mostWaiting = size * waitingPerConnection;
    this.config = poolConfig(url, settings, this.#named);
    this.#pool = new pg.Pool(this.config);
    // An idle connection that is lost leaves the pool by itself.
    this.#pool.on('error', () => undefined);
  }

  /** @throws ServerError 503 when the database cannot be reached, or no connection is free in time */
  lease(): Promise<Leased> {
    if (this.#pool.waitingCount >= this.#mostWaiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      this.#pool.connect((error, client, done) => {
        if (client === undefined) {
          reject(isTimeout(error) ? overloaded(error) : databaseUnavailable(error));
          return;
        }
        const connection = this.#connectionOf(client);
        resolve({
          connection,
          release: () => {
            done(!connection.usable);
          },
        });
      });
    });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #connectionOf(client: pg.PoolClient): PgConnection {
    const known = this.#connections.get(client);
    if (known !== undefined) return known;
    const connection = new PgConnection(client, this.#named);
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

const overloaded = (cause?: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The server is busy: no connection to the database is free.', {
    hint: 'Try again in a moment. More connections: app.datasource.pool-size.',
    headers: { 'retry-after': '1' },
    cause,
  });

import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startBound, type BoundProcess } from './bound-process.js';
import { postgresUser } from './postgres-programs.js';

/** How a PostgreSQL is started. */
export interface PostgresStart {
  /** The folder of its programs. */
  readonly bin: string;
  readonly data: string;
  /** The working folder, which the server's user may enter. */
  readonly folder: string;
  readonly port: number;
  /** Settings in the form of `-c`. */
  readonly settings: readonly string[];
  /** An address of it. */
  readonly url: string;
  /** A query whose answer has a row once the server is ready. */
  readonly ready?: string;
}

/** Durability is off: a test may lose its data with the machine. */
const ourSettings = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];

/**
 * Starts a PostgreSQL and waits until it answers.
 * @throws Error with the server's log when it does not start
 */
export async function startPostgres(options: PostgresStart): Promise<BoundProcess> {
  const { bin, data, folder, port, settings, url, ready = 'select' } = options;
  const args = ['-D', data, ...[...ourSettings, `port=${port}`, ...settings].flatMap((setting) => ['-c', setting])];
  const logFile = join(data, 'server.log');
  const log = await open(logFile, 'a');
  const server = startBound(
    [join(bin, 'postgres'), ...args],
    { ...(await postgresUser()), cwd: folder, stdio: ['ignore', log.fd, log.fd] },
    'QUIT',
    () => readFile(logFile, 'utf8'),
  );
  await log.close();
  await server.ready(() => answers(url, ready));
  return server;
}

async function answers(url: string, query: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(query)).rowCount === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { BoundProcess } from './bound-process.js';
import { freePort } from './free-port.js';
import { fillFolder } from './kept-folder.js';
import { describeNeed, found } from './machine/machine.js';
import { takePlace } from './places/place.js';
import { installedPostgres, postgresUser } from './postgres-programs.js';
import { startPostgres } from './postgres-server.js';
import { succeed } from './program.js';
import { until } from './until.js';

/** A cluster of this machine's installed PostgreSQL, in a temporary folder. */
export interface Cluster {
  /** Address of the database `postgres`, as the superuser `postgres`, without a password. */
  readonly url: string;
  /** The data folder. */
  readonly data: string;
  /** Stops the server at once and keeps its data. */
  stop(): Promise<void>;
  /** Stops the server like a crash: it completes nothing and notifies no client. */
  crash(): Promise<void>;
  /** Starts the server again, at the same address. */
  start(): Promise<void>;
  /** Starts a hot standby that follows this cluster. Needs pg_basebackup: the need `standbys`. */
  follow(): Promise<Cluster>;
  /** Ends recovery: a standby becomes the primary. */
  promote(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

/**
 * Makes a cluster and starts it. Durability is off: a test may lose its data with the machine.
 * @param settings additional settings in the form of `-c`, also for its standbys
 * @throws Error with the server's log when it does not start
 */
export const startCluster = (settings: readonly string[] = []): Promise<Cluster> =>
  createCluster(settings, async (data, run) =>
    fillFolder('cluster', [installedPostgres(), await postgresUser()], data, () =>
      run([
        'initdb',
        ...['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'],
      ]),
    ),
  );

/** Starts a standby. From then on the primary answers a write only after both servers have it. */
export async function followInSync(primary: Cluster): Promise<Cluster> {
  const standby = await primary.follow();
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
    const inSync = `select from pg_stat_replication where sync_state = 'sync'`;
    await until(async () => (await client.query(inSync)).rowCount === 1);
  } finally {
    await client.end();
  }
  return standby;
}

type Command = readonly [program: string, ...args: string[]];

/** @param make fills the data folder */
async function createCluster(
  settings: readonly string[],
  make: (data: string, run: (command: Command) => Promise<void>) => Promise<void>,
): Promise<Cluster> {
  const bin = installedPostgres();
  if (bin === undefined) throw new Error(`Not here: ${describeNeed('postgres')}`);
  await takePlace();
  const owner = await postgresUser();
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-cluster-'));
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? 0);
  const [data, port] = [join(folder, 'data'), await freePort()];
  const run = async ([program, ...args]: Command): Promise<void> => {
    await succeed(join(bin, program), args, { ...owner, cwd: folder });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: BoundProcess | undefined;
  const start = async (): Promise<void> => {
    server = await startPostgres({ bin, data, folder, port, settings, url });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => server?.end(signal);
  const remove = async (): Promise<void> => {
    // SIGQUIT does not wait for standbys, and the data is removed anyway.
    await end('SIGQUIT');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await make(data, run);
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    data,
    start,
    stop: () => end('SIGINT'),
    crash: () => end('SIGQUIT'),
    follow: async () => {
      if (found('standbys') === undefined) throw new Error(`Not here: ${describeNeed('standbys')}`);
      return createCluster(settings, (copy) =>
        run(['pg_basebackup', ...['-d', url, '-D', copy, '-R', '-c', 'fast', '--no-sync', '-X', 'stream']]),
      );
    },
    promote: () => run(['pg_ctl', 'promote', '-D', data]),
    remove,
  };
}

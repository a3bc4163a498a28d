import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';
import { fillFolder } from './kept-folder.js';
import { runProgram, succeed } from './program.js';
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
  /** Starts a hot standby that follows this cluster. Needs pg_basebackup: see `canFollow`. */
  follow(): Promise<Cluster>;
  /** Ends recovery: a standby becomes the primary. */
  promote(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

const debian = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL server among Debian's packages, if there is one. */
export const installedPostgres: string | undefined = existsSync(debian)
  ? readdirSync(debian)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(debian, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'postgres')))
  : undefined;

/** Whether a cluster can have a standby. The PostgreSQL from npm has no pg_basebackup. */
export const canFollow = installedPostgres !== undefined && existsSync(join(installedPostgres, 'pg_basebackup'));

/**
 * Makes a cluster and starts it. Durability is off: a test may lose its data with the machine.
 * @param settings additional settings in the form of `-c`, also for its standbys
 * @throws Error with the server's log when it does not start
 */
export const startCluster = (settings: readonly string[] = []): Promise<Cluster> =>
  createCluster(settings, (data, run) =>
    fillFolder('cluster', [installedPostgres], data, () =>
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
  if (installedPostgres === undefined) throw new Error('No PostgreSQL server is installed here.');
  const binaries = installedPostgres;
  const owner = await postgresUser();
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-cluster-'));
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? 0);
  const [data, logFile, port] = [join(folder, 'data'), join(folder, 'log'), await freePort()];
  const run = async ([program, ...args]: Command): Promise<void> => {
    const { code, stderr } = await runProgram(join(binaries, program), args, { ...owner, cwd: folder });
    if (code !== 0) throw new Error(`${program} ended with ${String(code)}\n${stderr}`);
  };
  await make(data, run);

  const args = ['-D', data, ...[...ourSettings, `port=${port}`, ...settings].flatMap((setting) => ['-c', setting])];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    const log = await open(logFile, 'a');
    // When a test run is killed, its server ends, too: PostgreSQL stops at once on SIGQUIT.
    const program = ['--pdeathsig', 'QUIT', join(binaries, 'postgres'), ...args];
    server = spawn('setpriv', program, { ...owner, cwd: folder, stdio: ['ignore', log.fd, log.fd] });
    await log.close();
    if (!(await answers(url, server))) throw new Error(`postgres did not start:\n${await readFile(logFile, 'utf8')}`);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    url,
    data,
    start,
    stop: () => end('SIGINT'),
    crash: () => end('SIGQUIT'),
    follow: () =>
      createCluster(settings, (copy) =>
        run(['pg_basebackup', ...['-d', url, '-D', copy, '-R', '-c', 'fast', '--no-sync', '-X', 'stream']]),
      ),
    promote: () => run(['pg_ctl', 'promote', '-D', data]),
    remove: async () => {
      // SIGQUIT does not wait for standbys, and the data is removed anyway.
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ourSettings = ['fsync=off', 'full_page_writes=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];

async function answers(url: string, server: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 600 && server.exitCode === null; attempt++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

/** PostgreSQL refuses to run as root. */
export async function postgresUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => succeed('id', [flag, 'postgres'])));
  return { uid: Number(uid), gid: Number(gid) };
}

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/served-as-role.js';

/** PostgreSQL on a port and in a folder of its own: what the server that all tests share must not be, such as a standby. */
export interface Cluster {
  /** Of the database `postgres`, as the superuser. */
  readonly url: string;
  /** A second one that follows this one, in hot standby. */
  follow(): Promise<Cluster>;
  /** Ends recovery. */
  promote(): Promise<void>;
  /** As a crash: nothing is finished, nobody is told. */
  crash(): Promise<void>;
  remove(): Promise<void>;
}

const debian = '/usr/lib/postgresql';

/** Where Debian's package has the programs of the newest PostgreSQL; the one of npm has no pg_basebackup. */
export function findPrograms(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(debian, version, 'bin'))
    .find((folder) => ['initdb', 'pg_basebackup', 'pg_ctl'].every((name) => existsSync(join(folder, name))));
}

/** PostgreSQL refuses to run as root: Debian's package comes with a user for it. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const number = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/** @param settings beyond ours, as `-c` takes them: also of those that follow it */
export const startCluster = (programs: string, settings: readonly string[] = []): Promise<Cluster> =>
  create(programs, settings, (folder) => [
    'initdb',
    ...['-D', folder, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
  ]);

async function create(
  programs: string,
  more: readonly string[],
  make: (folder: string) => readonly [string, ...string[]],
): Promise<Cluster> {
  const who = account();
  const parent = await mkdtemp(join(tmpdir(), 'cluster-'));
  if (who.uid !== undefined && who.gid !== undefined) await chown(parent, who.uid, who.gid);
  const folder = join(parent, 'data');
  const run = async ([name, ...args]: readonly [string, ...string[]]): Promise<void> => {
    const child = spawn(join(programs, name), args, { cwd: parent, stdio: ['ignore', 'ignore', 'pipe'], ...who });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
    if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${said}`);
  };
  await run(make(folder));
  const port = await freePort();
  const ours = ['fsync=off', `port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const settings = [...ours, ...more];
  const child = spawn(join(programs, 'postgres'), ['-D', folder, ...settings.flatMap((each) => ['-c', each])], {
    cwd: parent,
    stdio: 'ignore',
    ...who,
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const end = endOf(child);
  try {
    await until(() => answers(url, child));
  } catch (error) {
    await end('SIGQUIT');
    throw error;
  }
  return {
    url,
    follow: () =>
      create(programs, more, (copy) => [
        'pg_basebackup',
        '-d',
        url,
        '-D',
        copy,
        '-R',
        '-c',
        'fast',
        '--no-sync',
        '-X',
        'stream',
      ]),
    promote: () => run(['pg_ctl', 'promote', '-D', folder]),
    crash: () => end('SIGQUIT'),
    remove: async () => {
      await end('SIGQUIT');
      await rm(parent, { recursive: true });
    },
  };
}

/** A standby of a primary that answers no write before both have it. */
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

/** Ends the process, once. A run that is interrupted leaves none behind. */
function endOf(child: ChildProcess): (signal: NodeJS.Signals) => Promise<void> {
  const ended = once(child, 'exit');
  const kill = (): boolean => child.kill('SIGQUIT');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return async (signal) => {
    child.kill(signal);
    await ended;
  };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode} when it was started.`);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

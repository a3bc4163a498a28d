import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port.js';
import { fillFolder } from './kept-folder.js';
import { succeed } from './program.js';

/** A separate MariaDB server that a test can stop and start again. */
export interface OwnMariadb {
  /** Address as `root`, without a database. */
  readonly url: string;
  start(): Promise<void>;
  /** The process id of the server. */
  pid(): number;
  /** `SIGKILL` ends the server like a crash. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  remove(): Promise<void>;
}

const version = spawnSync('mariadbd', ['--version'], { encoding: 'utf8' });

/** Whether MariaDB's programs are installed. */
export const hasMariadb = version.status === 0 && spawnSync('mariadb-install-db', ['--help']).error === undefined;

/** @param options of `mariadbd`, such as `--log-bin` */
export async function createOwnMariadb(options: readonly string[] = []): Promise<OwnMariadb> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-mariadb-'));
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  // A starting server deletes every temporary table in its `tmpdir`. If it shares that folder with
  // a running server, it deletes the tables of that server's statements, which makes that server
  // crash with signal 11.
  const data = join(folder, 'data');
  const own = [`--datadir=${data}`, `--tmpdir=${temporary}`, `--user=${userInfo().username}`];
  const install = ['--no-defaults', ...own, '--auth-root-authentication-method=normal', '--skip-test-db'];
  await fillFolder('mariadb', [version.stdout], data, () => succeed('mariadb-install-db', install));
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${String(port)}/`;
  let child: ChildProcess | undefined;
  const stop = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    url,
    start: async () => {
      child = spawn(
        'mariadbd',
        [
          '--no-defaults',
          ...own,
          `--port=${String(port)}`,
          `--socket=${join(folder, 'socket')}`,
          '--bind-address=127.0.0.1',
          ...options,
        ],
        { stdio: 'ignore' },
      );
      await answering(url);
    },
    pid: () => child?.pid ?? 0,
    stop,
    remove: async () => {
      await stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    const connection = await createConnection(url).catch(() => undefined);
    if (connection !== undefined) return connection.end();
    await sleep(250);
  }
  throw new Error('MariaDB did not start in a minute');
}

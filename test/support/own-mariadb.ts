import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { startBound, type BoundProcess } from './bound-process.js';
import { freePort } from './free-port.js';
import { fillFolder } from './kept-folder.js';
import { found } from './machine/machine.js';
import { takePlace } from './places/place.js';
import { succeed } from './program.js';

/** A separate MariaDB server that a test can stop and start again. */
export interface OwnMariadb {
  /** Address as `root`, without a database. */
  readonly url: string;
  /** @param more options of this start alone */
  start(more?: readonly string[]): Promise<void>;
  /** The process id of the server. */
  pid(): number;
  /** `SIGKILL` ends the server like a crash. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  remove(): Promise<void>;
}

/** Whether MariaDB's programs are installed. */
export const hasMariadb = found('mariadbd') !== undefined;

/**
 * @param options of `mariadbd`, such as `--log-bin`
 * @param user that it runs as
 * @param environment of its process, besides that of the tests
 */
export async function createOwnMariadb(
  options: readonly string[] = [],
  user = userInfo().username,
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnMariadb> {
  await takePlace();
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-mariadb-'));
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  // A starting server deletes every temporary table in its `tmpdir`. If it shares that folder with
  // a running server, it deletes the tables of that server's statements, which makes that server
  // crash with signal 11.
  const data = join(folder, 'data');
  const folders = [`--datadir=${data}`, `--tmpdir=${temporary}`];
  const own = [...folders, `--user=${user}`];
  const install = [...folders, `--user=${userInfo().username}`, '--auth-root-authentication-method=normal'];
  await fillFolder('mariadb', [await version()], data, () =>
    succeed('mariadb-install-db', ['--no-defaults', ...install, '--skip-test-db']),
  );
  if (user !== userInfo().username) await succeed('chown', ['-R', user, folder]);
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${String(port)}/`;
  const log = join(folder, 'log');
  let server: BoundProcess | undefined;
  const stop = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => server?.end(signal);
  return {
    url,
    start: async (more = []) => {
      const file = await open(log, 'a');
      const address = [`--port=${String(port)}`, `--socket=${join(folder, 'socket')}`, '--bind-address=127.0.0.1'];
      server = startBound(
        ['mariadbd', '--no-defaults', ...own, ...address, ...options, ...more],
        { stdio: ['ignore', file.fd, file.fd], env: { ...process.env, ...environment } },
        'KILL',
        () => readFile(log, 'utf8'),
      );
      await file.close();
      await server.ready(() => answers(url));
    },
    pid: () => server?.pid ?? 0,
    stop,
    remove: async () => {
      await stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asked once per process: it costs the start of a process. */
let known: Promise<string> | undefined;
const version = (): Promise<string> => (known ??= succeed('mariadbd', ['--version']));

const answers = async (url: string): Promise<boolean> => {
  const connection = await createConnection(url).catch(() => undefined);
  await connection?.end();
  return connection !== undefined;
};

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';
import { loadSql } from './postgres.js';
import { succeed } from './program.js';

const binaries = '/usr/lib/postgresql/15/bin';

/** Debian's PostgreSQL: the one from npm waits for a message that a standby does not write. */
export const standbyIsPossible = existsSync(join(binaries, 'postgres'));

export interface Standby {
  readonly url: string;
  stop(): Promise<void>;
}

/** A hot standby whose data is what the SQL makes: a server that is stopped, and started again to follow a primary that is not there. */
export async function startStandby(sql: string): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-standby-'));
  const port = await freePort();
  const owner = await postgresUser();
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? 0);
  const data = join(folder, 'data');
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const child = spawn(join(binaries, program), args, { ...owner, stdio: 'ignore', cwd: folder });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = async (): Promise<ChildProcess> => {
    const settings = [`port=${port}`, 'fsync=off', `unix_socket_directories=`, 'listen_addresses=127.0.0.1'];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(binaries, 'postgres'), args, { ...owner, stdio: 'ignore', cwd: folder });
    await answers(url);
    return child;
  };
  const stop = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  };
  await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8');
  const primary = await start();
  await loadSql(url, sql);
  await stop(primary);
  await writeFile(join(data, 'standby.signal'), '');
  const standby = await start();
  return {
    url,
    stop: async () => {
      await stop(standby);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch {
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error('the standby does not answer');
}

/** PostgreSQL refuses to run as root. */
async function postgresUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => succeed('id', [flag, 'postgres'])));
  return { uid: Number(uid), gid: Number(gid) };
}

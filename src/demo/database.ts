import { readdir, readFile, rm } from 'node:fs/promises';
import { TablewrightError } from '../errors.js';
import type { Reporter } from '../reporter.js';
import { demoFile } from './files.js';
import { systemCode } from '../system-error.js';

/** Values of the demo database that the printed commands use. */
export interface DemoDatabase {
  /** False when the rows of an earlier start are still there. */
  readonly fresh: boolean;
  /** The embedding of `text`, as the database computes it, for the vector search. */
  readonly near: readonly number[];
}

/** The part of PGlite that is used here: the package belongs to the user and may be absent. */
interface Database {
  query(text: string, parameters?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  exec(text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The demo's SQL, in the order in which it is loaded. */
const scriptNames = ['schema.sql', 'vector.sql', 'seed.sql', 'changes.sql'];

/**
 * Opens the PGlite database in `folder`, loads the demo when it is not there yet, and closes it
 * again: one process at a time can have it open. Everything is loaded in one transaction, so an
 * interrupted first start leaves an empty database.
 *
 * Throws DATABASE_UNREACHABLE when PGlite is not installed or the folder holds something else.
 */
export async function prepareDatabase(folder: string, text: string, { stage }: Reporter): Promise<DemoDatabase> {
  await refuseForeignFolder(folder);
  const database = await stage('Open the database: PostgreSQL, inside this process', () => open(folder));
  try {
    const [found] = (await database.query("SELECT to_regclass('shop.product_sales') IS NULL AS fresh")).rows;
    const fresh = found?.['fresh'] === true;
    if (fresh) await stage('Load the demo: a kanban board and a shop', () => load(database));
    const [row] = (await database.query('SELECT kanban.embed($1)::text AS near', [text])).rows;
    return { fresh, near: JSON.parse(String(row?.['near'])) as readonly number[] };
  } finally {
    await database.close();
  }
}

/** Removes the database of an earlier start, and nothing that is not a database. */
export async function removeDatabase(folder: string): Promise<void> {
  await refuseForeignFolder(folder);
  await rm(folder, { recursive: true, force: true });
}

async function load(database: Database): Promise<void> {
  const scripts = await Promise.all(scriptNames.map((name) => readFile(demoFile(name), 'utf8')));
  await database.exec(['BEGIN;', ...scripts, 'COMMIT;'].join('\n'));
}

async function refuseForeignFolder(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [] as string[];
    throw error;
  });
  if (entries.length === 0 || entries.includes('PG_VERSION')) return;
  throw new TablewrightError(
    'OUTPUT_FOREIGN',
    `${folder} is not empty and is not a database.`,
    'Choose another place for the demo with --folder.',
  );
}

async function open(folder: string): Promise<Database> {
  const { PGlite, vector } = await loadPGlite();
  try {
    return await PGlite.create(folder, { extensions: { vector } });
  } catch (error) {
    throw new TablewrightError(
      'DATABASE_UNREACHABLE',
      `The demo database in ${folder} could not be opened.`,
      'Run the demo with --reset to start with a new one.',
      { cause: error },
    );
  }
}

async function loadPGlite(): Promise<{
  readonly PGlite: { create(folder: string, options: { readonly extensions: object }): Promise<Database> };
  readonly vector: unknown;
}> {
  try {
    const [{ PGlite }, { vector }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite-pgvector'),
    ]);
    return { PGlite, vector };
  } catch (error) {
    throw new TablewrightError(
      'DATABASE_UNREACHABLE',
      'The demo needs PGlite, a PostgreSQL that runs inside Node.js. It is not installed.',
      'npm install --save-dev @electric-sql/pglite@0.5.14 @electric-sql/pglite-pgvector@0.0.15',
      { cause: error },
    );
  }
}

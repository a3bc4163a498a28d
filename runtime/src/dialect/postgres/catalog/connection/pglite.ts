import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TablewrightError } from '../../../../tablewright-error.js';
import type { CatalogConnection } from '../../../catalog-connection.js';
import { queryFailure } from './failure.js';

const packages = { pglite: '@electric-sql/pglite', pgvector: '@electric-sql/pglite-pgvector' } as const;
const install = `npm install ${packages.pglite}@0.5.14 ${packages.pgvector}@0.0.15`;

/**
 * The part of `@electric-sql/pglite` used here. Its own types are not imported: an ejected runtime
 * compiles without that package.
 */
interface PgliteDatabase {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: Record<string, unknown>[] }>;
  close(): Promise<void>;
}

interface PgliteModule {
  readonly PGlite: {
    create(folder: string, options: { extensions: Readonly<Record<string, unknown>> }): Promise<PgliteDatabase>;
  };
}

interface PgvectorModule {
  readonly vector: unknown;
}

/**
 * Opens the PGlite database in a folder, in this process. The user installs the packages; the
 * generator does not depend on them.
 * @throws TablewrightError DATABASE_UNREACHABLE if a package is missing or the database does not
 * open, DATABASE_UNKNOWN if the folder has no database: PGlite would create one
 */
export async function connectPglite(folder: string, display: string): Promise<CatalogConnection> {
  const path = resolve(folder);
  if (!existsSync(join(path, 'PG_VERSION'))) {
    throw new TablewrightError(
      'DATABASE_UNKNOWN',
      `The folder ${folder} holds no PGlite database.`,
      'Check the folder of the address; it is relative to the current one. PGlite makes it when the database is first written.',
    );
  }
  const pglite = await load<PgliteModule>(packages.pglite);
  if (pglite === undefined) throw missing('PGlite', 'pglite: addresses need it');
  const pgvector = await load<PgvectorModule>(packages.pgvector);
  try {
    const database = await pglite.PGlite.create(path, {
      extensions: pgvector === undefined ? {} : { vector: pgvector.vector },
    });
    return await pgliteConnection(database, display, pgvector !== undefined);
  } catch (error) {
    if (error instanceof TablewrightError) throw error;
    throw new TablewrightError(
      'DATABASE_UNREACHABLE',
      `The PGlite database in ${folder} does not open: ${error instanceof Error ? error.message : String(error)}.`,
      `End other programs that have it open; if it was made by another version of PGlite, install that one. This one: ${install}.`,
      { cause: error },
    );
  }
}

/**
 * A connection to a PGlite that is already open in this process, such as the demo's. Closing the
 * connection closes PGlite.
 * @param hasVector whether PGlite was opened with the vector extension; without it, vector columns
 * cannot be read
 */
export async function pgliteConnection(
  database: PgliteDatabase,
  display: string,
  hasVector = true,
): Promise<CatalogConnection> {
  const { rows } = await database.query(
    `select current_setting('server_version_num') as number,
       exists (select from pg_extension where extname = 'vector') as vector`,
  );
  if (rows[0]?.['vector'] === true && !hasVector) {
    await database.close();
    throw missing('The vector extension of PGlite', 'the database uses it');
  }
  return {
    display,
    dialect: 'postgres',
    serverVersion: Number(rows[0]?.['number']),
    query: async (text, values) => {
      try {
        return (await database.query(text, values === undefined ? [] : [...values])).rows;
      } catch (error) {
        throw queryFailure(error, display);
      }
    },
    close: () => database.close(),
  };
}

/**
 * Loads a package from the place where this package is installed, else from the current project
 * (`npx` keeps this package elsewhere).
 */
async function load<Module>(name: string): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    const file = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return (await import(pathToFileURL(file).href)) as Module;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}

function isNotFound(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

function missing(what: string, why: string): TablewrightError {
  return new TablewrightError(
    'DATABASE_UNREACHABLE',
    `${what} is not installed; ${why}.`,
    `Install it in this project: ${install}`,
  );
}

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { connect, pgliteConnection, readCatalog, serializeCatalog } from '../../runtime/src/generator.js';
import type { Catalog } from '../../runtime/src/catalog/catalog.js';
import type { Settings } from '../../runtime/src/settings/settings.js';
import { emitProject } from '../../src/emit/index.js';
import { buildModel, type Model, type ModelOptions, type Names } from '../../runtime/src/generator.js';
import { createMysqlDatabase, hasMysql, loadMysql } from './mysql.js';
import { createTestDatabase, loadSql } from './postgres.js';
import { createPglite } from './pglite-data.js';

/**
 * A directory below test/cases: schema.sql, config.json (options of the model), expected/ (the
 * expected files). A case with schema.mysql.sql beside schema.sql is for both databases
 * (test/e2e/mysql/cases); a case with schema.mysql.sql alone is for MariaDB.
 */
export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly catalog: Catalog;
  readonly model: Model;
  /** Every generated file. */
  readonly files: ReadonlyMap<string, string>;
  /** The folder that `writeOut` writes to. */
  readonly out: string;
}

const root = join(import.meta.dirname, '../cases');

/** Names of the cases with expected files. */
export async function caseNames(): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.name === 'expected')
    .map((entry) => entry.parentPath.slice(root.length + 1));
  return names.filter((name) => !name.includes('/') && (hasMysql || !isMysql(join(root, name)))).sort();
}

/** Every directory with a schema, including those without expected files. */
export async function schemaNames(): Promise<readonly string[]> {
  const entries = await readdir(root);
  return entries.filter((name) => hasMysql || !isMysql(join(root, name))).sort();
}

/** Loads the schema into a new database, reads the catalogue, and generates. */
export async function runCase(name: string): Promise<Case> {
  const folder = join(root, name);
  const catalog = isMysql(folder) ? await readMysql(folder) : await readOther(name, folder);
  return caseOf(name, folder, catalog, await optionsOf(folder), 'out');
}

/** The same case with other naming rules and with global identifiers. */
export function renamedCase({ name, folder, catalog, model }: Case, names: Names): Case {
  return caseOf(name, folder, catalog, { ...model.options, names, relay: {} }, join('renamed', 'out'));
}

function caseOf(name: string, folder: string, catalog: Catalog, options: ModelOptions, below: string): Case {
  const model = buildModel(catalog, options);
  return { name, folder, catalog, model, files: emit(catalog, model), out: join(folder, below, 'src', 'generated') };
}

/** The files of the project for a catalogue. */
export const emit = (
  catalog: Catalog,
  model: Model,
  settings: Partial<Settings> = {
    'app.max-rows': 100,
    'app.security.jwt-enabled': true,
    'app.schemas': ['a', 'b'],
  },
): ReadonlyMap<string, string> => emitProject(model, { catalog: serializeCatalog(catalog), settings });

/** Writes the files below the case, where compilers find the packages. Git ignores the folder. */
export async function writeOut({ out, files }: Pick<Case, 'out' | 'files'>): Promise<void> {
  await rm(out, { recursive: true, force: true });
  for (const [path, text] of files) await write(join(out, path), text);
}

export async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Every file of a folder, by path. */
export async function readTree(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.sort().map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
    ),
  );
}

async function optionsOf(folder: string): Promise<ModelOptions> {
  const [text] = (await readdir(folder)).includes('config.json')
    ? [await readFile(join(folder, 'config.json'), 'utf8')]
    : ['{}'];
  return JSON.parse(text) as ModelOptions;
}

const mysqlFile = 'schema.mysql.sql';

const isMysql = (folder: string): boolean => !existsSync(join(folder, 'schema.sql'));

/**
 * A schema of MariaDB is a database, which has a random name here. In the catalogue the name is
 * `shop`.
 */
async function readMysql(folder: string): Promise<Catalog> {
  const database = await createMysqlDatabase('case');
  try {
    await loadMysql(database.url, await readFile(join(folder, mysqlFile), 'utf8'));
    const connection = await connect(database.url);
    try {
      const catalog = await readCatalog(connection);
      return JSON.parse(JSON.stringify(catalog).replaceAll(database.name, 'shop')) as Catalog;
    } finally {
      await connection.close();
    }
  } finally {
    await database.drop();
  }
}

async function readOther(name: string, folder: string): Promise<Catalog> {
  const sql = await readFile(join(folder, 'schema.sql'), 'utf8');
  return sql.includes('CREATE EXTENSION vector') ? readPglite(sql) : readPostgres(name, sql);
}

async function readPostgres(name: string, sql: string): Promise<Catalog> {
  const database = await createTestDatabase(`case_${name.replace(/\W/g, '_')}`);
  try {
    await loadSql(database.url, sql);
    const connection = await connect(database.url);
    try {
      return await readCatalog(connection);
    } finally {
      await connection.close();
    }
  } finally {
    await database.drop();
  }
}

async function readPglite(sql: string): Promise<Catalog> {
  const connection = await pgliteConnection(await loadedPglite(sql), 'pglite');
  try {
    return await readCatalog(connection);
  } finally {
    await connection.close();
  }
}

async function loadedPglite(sql: string): Promise<PGlite> {
  const database = await createPglite();
  await database.exec(sql);
  return database;
}

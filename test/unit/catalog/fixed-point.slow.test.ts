import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  connect,
  pgliteConnection,
  readCatalog,
  type Catalog,
  type CatalogConnection,
} from '../../../runtime/src/generator.js';
import { expectFixedPoint } from '../../support/fixed-point.js';
import { createMysqlDatabase, describeMariadb, loadMysql } from '../../support/mysql.js';
import { schemaNames, schemasOf } from '../../e2e/mysql/cases/twins.js';
import { createPglite } from '../../support/pglite-data.js';
import { createFilledDatabase } from '../../support/postgres.js';

/* Every schema in the tree. Those of others, which are not in it: test/e2e/real-schemas. */

const root = join(import.meta.dirname, '../../..');

/** Rows, or statements that change another schema. */
const noSchema = /(?:^|\/)(?:rows|seed|vector|changes)\.sql$/;

async function schemasIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll(sep, '/'),
    )
    .filter((path) => !path.includes('node_modules/') && !noSchema.test(path))
    .sort();
}

const paths = [...(await schemasIn('test')), ...(await schemasIn('demo'))];
const isMysql = (path: string): boolean => /\/mysql\/|\.mysql\.sql$/.test(path);

async function readAndClose(connection: CatalogConnection, schemas?: readonly string[]): Promise<Catalog> {
  try {
    return await readCatalog(connection, { schemas });
  } finally {
    await connection.close();
  }
}

async function readPostgres(sql: string): Promise<Catalog> {
  if (/create extension vector/i.test(sql)) {
    const database = await createPglite();
    await database.exec(sql);
    return readAndClose(await pgliteConnection(database, 'pglite'));
  }
  const database = await createFilledDatabase('fixed_point', sql);
  try {
    return await readAndClose(await connect(database.url));
  } finally {
    await database.drop();
  }
}

/** A schema of MariaDB is a database of the whole server. */
async function readMysql(sql: string): Promise<Catalog> {
  const names = schemaNames(schemasOf(sql));
  const schemas = [...names.all.values()];
  const database = await createMysqlDatabase('fixed_point');
  try {
    await loadMysql(database.url, names.inSql(sql, '`'));
    return await readAndClose(await connect(database.url), schemas.length === 0 ? undefined : schemas);
  } finally {
    for (const schema of schemas.reverse()) await loadMysql(database.url, `drop database if exists \`${schema}\``);
    await database.drop();
  }
}

test.each(paths.filter((path) => !isMysql(path)))('the catalogue of %s is a fixed point', async (path) => {
  const sql = await readFile(join(root, path), 'utf8');
  expectFixedPoint(await readPostgres(sql));
});

describeMariadb('on MariaDB', () => {
  test.each(paths.filter(isMysql))('the catalogue of %s is a fixed point', async (path) => {
    expectFixedPoint(await readMysql(await readFile(join(root, path), 'utf8')));
  });
});

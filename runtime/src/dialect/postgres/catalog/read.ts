import { TablewrightError } from '../../../tablewright-error.js';
import type { Catalog } from '../../../catalog/catalog.js';
import type { CatalogConnection, ReadOptions } from '../../catalog-connection.js';
import { catalogQuery } from './query.js';
import { retryMomentary } from './retry.js';
import { parseRawCatalog } from './view-sources.js';
import { serverVersion } from './version.js';

/**
 * Session settings with which expressions of the catalogue print the same on every machine: no
 * search path, so that every name is qualified; one time zone and one style for constants in
 * defaults. Nested loops are disabled: the query joins whole sets, and a new database has no
 * statistics.
 */
export const catalogSettings = {
  search_path: '',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'iso_8601',
  bytea_output: 'hex',
  extra_float_digits: '1',
  lc_monetary: 'C',
  quote_all_identifiers: 'off',
  enable_nestloop: 'off',
  jit: 'off',
} as const;

/**
 * Reads the catalogue with one query in a read-only transaction with one snapshot. Repeats the
 * read, for half a second at most, if an object is dropped at that moment.
 * @throws TablewrightError SCHEMA_UNKNOWN if a requested schema does not exist;
 * DATABASE_UNSUPPORTED below PostgreSQL 13; DATABASE_QUERY when the database refuses the query
 */
export async function readCatalog(connection: CatalogConnection, options: ReadOptions = {}): Promise<Catalog> {
  const query = catalogQuery(serverVersion(connection.serverVersion));
  return retryMomentary(() => readOnce(connection, query, options));
}

async function readOnce(connection: CatalogConnection, query: string, options: ReadOptions): Promise<Catalog> {
  return inSnapshot(connection, async () => {
    const rows = await connection.query(query, [options.schemas ?? null]);
    const catalog = parseRawCatalog(String(rows[0]?.['catalog']));
    await checkSchemas(connection, options.schemas ?? [], catalog);
    return catalog;
  });
}

/** Runs catalogue queries in one read-only transaction with one snapshot and the settings above. */
export async function inSnapshot<T>(connection: CatalogConnection, work: () => Promise<T>): Promise<T> {
  // eslint-disable-next-line prose/messages -- SQL
  await connection.query('begin transaction isolation level repeatable read read only');
  try {
    const names = Object.keys(catalogSettings);
    const calls = names.map((_, at) => `set_config($${String(2 * at + 1)}, $${String(2 * at + 2)}, true)`);
    await connection.query(`select ${calls.join(', ')}`, Object.entries(catalogSettings).flat());
    return await work();
  } finally {
    // If the connection is lost, the rollback fails, too; the first error is reported.
    await connection.query('rollback').catch(() => undefined);
  }
}

async function checkSchemas(connection: CatalogConnection, asked: readonly string[], catalog: Catalog): Promise<void> {
  const found = new Set(catalog.schemas.map((schema) => schema.name));
  const missing = asked.filter((name) => !found.has(name));
  if (missing.length === 0) return;
  const rows = await connection.query(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
     order by nspname collate "C"`,
  );
  const there = rows.map((row) => String(row['name']));
  throw new TablewrightError(
    'SCHEMA_UNKNOWN',
    `The database has no schema ${missing.map((name) => `"${name}"`).join(', ')}.`,
    `Its schemas are: ${there.join(', ')}. Name one of them in --schemas, "app.schemas" or APP_SCHEMAS; names are case-sensitive.`,
  );
}

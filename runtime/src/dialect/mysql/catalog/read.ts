import type { Catalog } from '../../../catalog/catalog.js';
import { compareText } from '../../../compare-text.js';
import { TablewrightError } from '../../../tablewright-error.js';
import type { CatalogConnection, ReadOptions } from '../../catalog-connection.js';
import { isReplaced, pairsOf, schemaNamesOf, type SchemaNames } from '../../schema-names.js';
import { markBrokenViews } from './broken-views.js';
import { grantee, likePattern, rolesOf } from './grants.js';
import {
  catalogQueries,
  deleteGrantsQuery,
  granteeQuery,
  schemasQuery,
  schemaValues,
  selectText,
  versionQuery,
  type CatalogQueries,
  type CatalogQuery,
} from './queries.js';
import { enumsOf, routineOf } from './routines.js';
import { inSchema } from './in-schema.js';
import { commentOf, grouped, nullableText, tableKey, textOf, type Row } from './row.js';
import { tablesOf } from './tables.js';
import { serverVersion, type ServerVersion } from './version.js';

/**
 * Reads the catalogue. MySQL calls a schema a database, too. If no schema is configured, reads the
 * schema in the address; if the address names none, every schema except those of the server.
 * @throws TablewrightError SCHEMA_UNKNOWN if a configured schema does not exist;
 * DATABASE_UNSUPPORTED for an old server; DATABASE_QUERY if the database refuses a query
 */
export async function readCatalog(connection: CatalogConnection, options: ReadOptions = {}): Promise<Catalog> {
  const databases = schemaNamesOf(pairsOf(options.databases), [], undefined);
  const ask: AskCatalog = (query, values) => connection.query(selectText(query), values);
  return markBrokenViews(await readCatalogBy(ask, options.schemas, databases), connection, databases);
}

/** Sends a query of the catalogue to the database. */
export type AskCatalog = (query: CatalogQuery, values?: readonly string[]) => Promise<readonly Row[]>;

/** Reads the catalogue with one query of information_schema for each part. */
export async function readCatalogBy(
  askCatalog: AskCatalog,
  asked: readonly string[] | undefined,
  databases: SchemaNames,
): Promise<Catalog> {
  const version = await versionBy(askCatalog);
  const schemas = await chosenDatabases(askCatalog, asked, databases);
  if (schemas.length === 0) return catalogOf([], [], [], []);
  const queries = catalogQueries(version, schemas.length);
  const wanted = new Set(schemas);
  const ask = async (name: keyof CatalogQueries, member = 'schema'): Promise<readonly Row[]> => {
    const rows = await askCatalog(queries[name], schemaValues(queries[name], schemas));
    // information_schema ignores the case of names in comparisons.
    return rows.filter((row) => wanted.has(textOf(row, member))).map((row) => inSchema(row, member, databases));
  };
  const { tables, enums } = tablesOf(
    {
      tables: await ask('tables'),
      views: await ask('views'),
      columns: await ask('columns'),
      indexes: await ask('indexes'),
      foreignKeys: await ask('foreignKeys'),
      checks: await ask('checks'),
    },
    await deletionRights(askCatalog, databases),
  );
  const routines = await ask('routines');
  const parameters = grouped(await ask('parameters'), (row) =>
    tableKey(textOf(row, 'schema'), `${textOf(row, 'kind')} ${textOf(row, 'routine')}`),
  );
  const parametersOf = (row: Row): readonly Row[] =>
    parameters.get(tableKey(textOf(row, 'schema'), `${textOf(row, 'kind')} ${textOf(row, 'name')}`)) ?? [];
  return catalogOf(
    (await ask('schemas', 'name')).map((row) => ({ name: textOf(row, 'name'), comment: commentOf(row) })),
    tables,
    [...enums, ...routines.flatMap((row) => enumsOf(row, parametersOf(row)))],
    routines.map((row) => routineOf(row, parametersOf(row))),
  );
}

function catalogOf(
  schemas: Catalog['schemas'],
  tables: Catalog['tables'],
  enums: Catalog['enums'],
  routines: Catalog['routines'],
): Catalog {
  return {
    dialect: 'mysql',
    schemas: [...schemas].sort((a, b) => compareText(a.name, b.name)),
    tables: sorted(tables),
    enums: sorted(enums),
    domains: [],
    composites: [],
    ranges: [],
    routines: sorted(routines),
    extensions: [],
  };
}

const sorted = <T extends { readonly schema: string; readonly name: string }>(all: readonly T[]): readonly T[] =>
  [...all].sort((a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name));

/** @throws TablewrightError DATABASE_UNSUPPORTED */
export async function versionBy(askCatalog: AskCatalog): Promise<ServerVersion> {
  const [about] = await askCatalog(versionQuery);
  return serverVersion(textOf(about ?? {}, 'version'));
}

/** @throws TablewrightError SCHEMA_UNKNOWN */
export async function chosenDatabases(
  askCatalog: AskCatalog,
  asked: readonly string[] | undefined,
  databases: SchemaNames,
): Promise<readonly string[]> {
  const rows = await askCatalog(schemasQuery);
  const there = rows.map((row) => textOf(row, 'name')).sort(compareText);
  if (asked === undefined) {
    const chosen = rows.find((row) => textOf(row, 'chosen') === '1');
    if (chosen !== undefined) return [textOf(chosen, 'name')];
  }
  const current = nullableText(rows[0] ?? {}, 'current');
  const all = there.filter((name) => !isReplaced(name, databases));
  const wanted = asked?.map(databases.of) ?? (current === null ? all : [current]);
  const missing = wanted.filter((name) => !there.includes(name));
  if (missing.length === 0 && wanted.length > 0) return wanted;
  const hint =
    there.length === 0
      ? 'Create one, or grant the user a privilege on it.'
      : `Its databases are: ${there.join(', ')}. Name one of them in --schemas, "app.schemas" or APP_SCHEMAS; names are case-sensitive.`;
  throw new TablewrightError(
    'SCHEMA_UNKNOWN',
    `The server has no database${missing.length === 0 ? '' : ' '}${missing.map((name) => `"${name}"`).join(', ')}.`,
    hint,
  );
}

/**
 * Whether the user may delete rows: the column privileges of information_schema cover only reads
 * and writes of columns.
 */
async function deletionRights(
  askCatalog: AskCatalog,
  databases: SchemaNames,
): Promise<(schema: string, table: string) => boolean> {
  const grants: Row[] = [];
  for (const each of await granteesBy(askCatalog))
    grants.push(...(await askCatalog(deleteGrantsQuery, [each, each, each])));
  return (schema, table) => {
    const database = databases.of(schema);
    return grants.some((grant) => {
      const [grantSchema, grantTable] = [grant['schema'], grant['table']];
      if (grantSchema === null || grantSchema === undefined) return true;
      if (grantTable !== null && grantTable !== undefined) {
        return textOf(grant, 'schema') === database && textOf(grant, 'table') === table;
      }
      return likePattern(textOf(grant, 'schema')).test(database);
    });
  };
}

/** The user and the role, as information_schema writes them. */
export async function granteesBy(askCatalog: AskCatalog): Promise<readonly string[]> {
  const [who = {}] = await askCatalog(granteeQuery);
  return [textOf(who, 'user'), ...rolesOf(textOf(who, 'role'))].map(grantee);
}

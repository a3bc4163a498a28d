import type { Catalog } from '../../../catalog/catalog.js';
import { compareText } from '../../../model/names.js';
import { TablewrightError } from '../../../tablewright-error.js';
import type { CatalogConnection, ReadOptions } from '../../catalog-connection.js';
import { grantee, likePattern } from './grants.js';
import { catalogQueries, defaultSchemas, deleteGrants, type CatalogQueries } from './queries.js';
import { enumsOf, routineOf } from './routines.js';
import { commentOf, grouped, tableKey, textOf, type Row } from './row.js';
import { tablesOf } from './tables.js';
import { serverVersion } from './version.js';

/**
 * Reads the catalogue: a query of information_schema for each set. A schema is what MySQL calls a database, too; when none is
 * asked for, the one of the address is read, and when the address names none, every one that is not the server's own.
 * @throws TablewrightError SCHEMA_UNKNOWN when a schema asked for is not there; DATABASE_UNSUPPORTED for an old server;
 *   DATABASE_QUERY when the database refuses a query
 */
export async function readCatalog(connection: CatalogConnection, options: ReadOptions = {}): Promise<Catalog> {
  const [about] = await connection.query('select version() as version');
  const version = serverVersion(textOf(about ?? {}, 'version'));
  const schemas = await chosenSchemas(connection, options.schemas);
  if (schemas.length === 0) return catalogOf([], [], [], []);
  const queries = catalogQueries(version, schemas.length);
  const wanted = new Set(schemas);
  const ask = async (name: keyof CatalogQueries, member = 'schema'): Promise<readonly Row[]> => {
    const rows = await connection.query(queries[name], schemas);
    // information_schema compares names whatever their case.
    return rows.filter((row) => wanted.has(textOf(row, member)));
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
    await deletionRights(connection),
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

async function chosenSchemas(
  connection: CatalogConnection,
  asked: readonly string[] | undefined,
): Promise<readonly string[]> {
  const rows = await connection.query(defaultSchemas);
  const there = rows.map((row) => textOf(row, 'name')).sort(compareText);
  if (asked === undefined) {
    const chosen = rows.find((row) => textOf(row, 'chosen') === '1');
    return chosen === undefined ? there : [textOf(chosen, 'name')];
  }
  const missing = asked.filter((name) => !there.includes(name));
  if (missing.length === 0) return asked;
  throw new TablewrightError(
    'SCHEMA_UNKNOWN',
    `The server has no database ${missing.map((name) => `"${name}"`).join(', ')}.`,
    `Its databases are: ${there.join(', ')}. Name one of them in --schemas, "app.schemas" or APP_SCHEMAS; names are case-sensitive.`,
  );
}

/** Whether the user may delete rows: information_schema says of columns only what they are read and written with. */
async function deletionRights(connection: CatalogConnection): Promise<(schema: string, table: string) => boolean> {
  const [who] = await connection.query('select current_user() as user, current_role() as role');
  const grantees = [textOf(who ?? {}, 'user'), textOf(who ?? {}, 'role')].filter((each) => each !== '').map(grantee);
  const grants: Row[] = [];
  for (const each of grantees) grants.push(...(await connection.query(deleteGrants, [each, each, each])));
  return (schema, table) =>
    grants.some((grant) => {
      const [grantSchema, grantTable] = [grant['schema'], grant['table']];
      if (grantSchema === null || grantSchema === undefined) return true;
      if (grantTable !== null && grantTable !== undefined) {
        return textOf(grant, 'schema') === schema && textOf(grant, 'table') === table;
      }
      return likePattern(textOf(grant, 'schema')).test(schema);
    });
}

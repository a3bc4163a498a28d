import type { Registry } from '../../../descriptor/registry.js';
import type { Settings } from '../../../settings/settings.js';
import type { Driver } from '../../driver.js';
import type { SchemaNames } from '../../schema-names.js';
import { wrongDatabase, servedTables } from '../../wrong-database.js';

/**
 * Whether the database has any of the served tables. Some may be gone: a server follows its
 * database.
 * @throws ServerError `misconfigured`
 */
export async function checkTables(
  driver: Driver,
  registry: Registry,
  settings: Settings,
  { of }: SchemaNames,
): Promise<void> {
  const served = [...servedTables(registry, settings)].flatMap(([schema, tables]) =>
    tables.map((name) => ({ schema: of(schema), name })),
  );
  if (served.length === 0) return;
  const [row] = await driver.run([
    {
      text: `select current_database(), exists (
        select from json_to_recordset($1) as served (schema text, name text)
        join pg_namespace n on n.nspname = served.schema
        join pg_class c on c.relnamespace = n.oid and c.relname = served.name)`,
      values: [JSON.stringify(served)],
    },
  ]);
  if (row?.[1] !== 'f') return;
  throw wrongDatabase(
    `The database ${row[0] ?? ''}`,
    served.map(({ schema, name }) => `${schema}.${name}`),
    'Check the name in DATABASE_URL. If the tables have other names now, run `tablewright generate`.',
  );
}

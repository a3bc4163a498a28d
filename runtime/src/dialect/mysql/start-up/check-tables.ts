import type { Registry } from '../../../descriptor/registry.js';
import type { Settings } from '../../../settings/settings.js';
import type { Driver } from '../../driver.js';
import { wrongDatabase, servedTables } from '../../wrong-database.js';
import type { SchemaNames } from '../../schema-names.js';

/**
 * Whether each database has any of the tables that it is to have. Some may be gone: a server
 * follows its database.
 * @throws ServerError `misconfigured`
 */
export async function checkTables(
  driver: Driver,
  registry: Registry,
  settings: Settings,
  databases: SchemaNames,
): Promise<void> {
  const served = servedTables(registry, settings);
  if (served.size === 0) return;
  const places = [...served.keys()].map(databases.of);
  const rows = await driver.run([
    {
      text: `select table_schema, table_name from information_schema.tables where table_schema in (${places.map(() => '?').join(', ')})`,
      values: places,
    },
  ]);
  // Where file systems ignore the case of names, the database writes them in small letters.
  const there = new Set(rows.map(([database, name]) => `${database ?? ''}\0${name ?? ''}`.toLowerCase()));
  for (const [schema, tables] of served) {
    const database = databases.of(schema);
    if (tables.some((name) => there.has(`${database}\0${name}`.toLowerCase()))) continue;
    throw wrongDatabase(
      `The database ${database}`,
      tables.map((name) => `${schema}.${name}`),
      'Check the name in DATABASE_URL. If tables of several databases are served, or of another one than that of the address, app.datasource.databases names them: APP_DATASOURCE_DATABASES=schema=database. If the tables have other names now, run `tablewright generate`.',
    );
  }
}

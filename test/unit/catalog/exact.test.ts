import { readFile } from 'node:fs/promises';
import {
  connect,
  parseCatalog,
  portable,
  readCatalog,
  serializeCatalog,
  type Catalog,
} from '../../../runtime/src/generator.js';
import { expectFixedPoint } from '../../support/fixed-point.js';
import { createTestDatabase, loadSql, type TestDatabase, type TestServer } from '../../support/postgres.js';

const file = (name: string): Promise<string> => readFile(new URL(`exact/${name}`, import.meta.url), 'utf8');

/** PostgreSQL 13 has no multiranges and does not write IN before the arguments of a procedure. */
async function expected(url: string): Promise<string> {
  const connection = await connect(url);
  await connection.close();
  const text = await file('expected/catalog.json');
  if (connection.serverVersion >= 140_000) return text;
  return text
    .replace(/, "multirange": \{[^}]*\}/, '')
    .replace(/"signature": ".*\bIN .*"/, (line) => line.replace(/\bIN /g, ''));
}

async function read(url: string, schemas?: readonly string[]): Promise<Catalog> {
  const connection = await connect(url);
  try {
    return await readCatalog(connection, { schemas });
  } finally {
    await connection.close();
  }
}

// The shared server (PostgreSQL 15 on the build machines) and PostgreSQL 18 must give the same
// result.
describe.each(['any', 'embedded'] satisfies TestServer[])('readCatalog on one of each fact (server: %s)', (server) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('catalog_exact', server);
    await loadSql(database.url, await file('schema.sql'));
  });

  afterAll(() => database.drop());

  it('gives every fact', async () => {
    const catalog = await read(database.url, ['app']);
    expect(serializeCatalog(catalog)).toBe(await expected(database.url));
    expect(portable(catalog)).toEqual(parseCatalog(await expected(database.url)));
  });

  it('is read back from catalog.json as it was, to the byte', async () => {
    expectFixedPoint(await read(database.url, ['app']));
  });

  it('gives the facts of the connecting role, a superuser', async () => {
    const catalog = await read(database.url, ['app']);
    expect(new Set(catalog.tables.map((table) => JSON.stringify(table.privileges)))).toEqual(
      new Set(['{"select":true,"insert":true,"update":true,"delete":true}']),
    );
    expect(catalog.routines.every((routine) => routine.executable)).toBe(true);
    expect(catalog.extensions).toEqual([{ name: 'plpgsql', schema: 'pg_catalog', version: '1.0' }]);
  });

  it('gives the privileges of a role that has few', async () => {
    const role = new URL(database.url).pathname.slice(1);
    await loadSql(
      database.url,
      `create role ${role} login password 'few';
       grant usage on schema app to ${role};
       grant select (id) on app.person to ${role};
       grant insert, delete on app.node to ${role};
       grant all on other.node to ${role};
       revoke execute on function app.add(integer, integer) from public`,
    );
    try {
      const url = new URL(database.url);
      url.username = role;
      url.password = 'few';
      const catalog = await read(url.href);
      const privileges = Object.fromEntries(
        catalog.tables.map((table) => [`${table.schema}.${table.name}`, table.privileges]),
      );
      const none = { select: false, insert: false, update: false, delete: false };
      expect(privileges['app.person']).toEqual({ ...none, select: true });
      expect(privileges['app.node']).toEqual({ ...none, insert: true, delete: true });
      expect(privileges['app.open_people']).toEqual(none);
      // Privileges on a table have no effect without USAGE on its schema.
      expect(privileges['other.node']).toEqual(none);
      const refused = catalog.routines.filter((routine) => !routine.executable).map((routine) => routine.name);
      expect(refused).toEqual(['add']);
      expect(serializeCatalog(catalog)).toBe(serializeCatalog(await read(database.url)));
    } finally {
      await loadSql(database.url, `drop owned by ${role}; drop role ${role}`);
    }
  });

  it('reads every schema that is not the system’s by default', async () => {
    const catalog = await read(database.url);
    expect(catalog.schemas.map((schema) => schema.name)).toEqual(['app', 'other', 'public']);
    // A type of a served schema is listed even if no column uses it.
    expect(catalog.enums.map((type) => type.name)).toEqual(['status', 'size', 'unused']);
  });

  it('names the schemas there are when one is not', async () => {
    await expect(read(database.url, ['app', 'App', 'nope'])).rejects.toMatchObject({
      code: 'SCHEMA_UNKNOWN',
      message: 'The database has no schema "App", "nope".',
      hint: expect.stringContaining('app, other, public') as string,
    });
  });

  it('prints the same whatever the session’s settings are', async () => {
    const url = new URL(database.url);
    url.searchParams.set(
      'options',
      '-c TimeZone=Asia/Tokyo -c DateStyle=German -c IntervalStyle=sql_standard -c search_path=app,other -c quote_all_identifiers=on',
    );
    expect(serializeCatalog(await read(url.href, ['app']))).toBe(await expected(database.url));
  });

  it('leaves the session as it was, and the database unchanged', async () => {
    const connection = await connect(database.url);
    await connection.query("set search_path = 'app'");
    await readCatalog(connection);
    const rows = await connection.query(
      "select current_setting('search_path') as path, now() = statement_timestamp() as outside",
    );
    expect(rows).toEqual([{ path: 'app', outside: true }]);
    await connection.close();
  });
});

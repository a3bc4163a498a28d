import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isLeafType,
  isObjectType,
  type IntrospectionQuery,
} from 'graphql';
import pg from 'pg';
import { describeWhere } from '../support/describe-where.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { succeed } from '../support/program.js';
import { startGeneratedServer, type RunningServer } from '../support/running-server.js';

const checkout = join(import.meta.dirname, '../..');

/** Where Debian's packages are unpacked; installed ones are at the root. */
const debian = process.env['TABLEWRIGHT_DEBIAN_ROOT'] ?? '/';

const schemas = [
  {
    name: 'Zabbix 6.0',
    package: 'zabbix-server-pgsql',
    files: ['schema', 'images', 'data'].map((name) => `usr/share/zabbix-server-pgsql/${name}.sql.gz`),
  },
  { name: 'Icinga DB 1.1', package: 'icingadb', files: ['usr/share/icingadb/schema/pgsql/schema.sql'] },
];

for (const schema of schemas) {
  const available = schema.files.every((file) => existsSync(join(debian, file)));
  describeWhere(available, `the Debian package ${schema.package}`)(`${schema.name}, a schema of others`, () => {
    let database: TestDatabase;
    let folder: string;
    let server: RunningServer;
    let tables: readonly string[];

    beforeAll(async () => {
      database = await createTestDatabase('demo_real');
      for (const file of schema.files) await loadSql(database.url, await readSql(join(debian, file)));
      tables = await tablesOf(database.url);
      // Below the checkout, so that the server finds its packages in the checkout's node_modules.
      await mkdir(join(checkout, '.tmp'), { recursive: true });
      folder = await mkdtemp(join(checkout, '.tmp', 'real-'));
      await succeed('node', ['bin/tablewright.js', 'generate', '--url', database.url, '--out', folder], {
        cwd: checkout,
      });
      await succeed('npx', ['tsc', '-p', folder], { cwd: checkout });
      server = await startGeneratedServer(folder, { DATABASE_URL: database.url, APP_LOG_LEVEL: 'warn' });
    }, 300_000);

    afterAll(async () => {
      await server.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }, 60_000);

    test('has tables', () => {
      expect(tables.length).toBeGreaterThan(50);
    });

    test('every table answers over REST', async () => {
      const answers = await Promise.all(
        tables.map(async (table) => {
          const answer = await fetch(`${server.base}/api/v1/${encodeURIComponent(table)}?limit=2`);
          const body = (await answer.json()) as { data?: unknown };
          return answer.status === 200 && Array.isArray(body.data) ? [] : [{ table, status: answer.status, body }];
        }),
      );
      expect(answers.flat()).toEqual([]);
    });

    test('every table answers over GraphQL, with all its columns', async () => {
      const fields = await rootFields(server);
      expect(fields.length).toBeGreaterThanOrEqual(tables.length);
      const answers = await Promise.all(
        fields.map(async ({ name, columns }) => {
          const body = await query(server, `{ ${name}(limit: 2) { ${columns.join(' ')} } }`);
          return body.errors === undefined ? [] : [{ name, errors: body.errors }];
        }),
      );
      expect(answers.flat()).toEqual([]);
    });
  });
}

async function readSql(path: string): Promise<string> {
  const content = await readFile(path);
  return (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
}

async function tablesOf(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p') AND NOT c.relispartition
       ORDER BY 1`,
    );
    return rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}

interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

async function query(server: RunningServer, document: string): Promise<GraphqlAnswer> {
  const answer = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: document }),
  });
  return (await answer.json()) as GraphqlAnswer;
}

/** The list fields of the query type, each with its columns: the fields that have no selection of their own. */
async function rootFields(
  server: RunningServer,
): Promise<readonly { readonly name: string; readonly columns: readonly string[] }[]> {
  const { data } = await query(server, getIntrospectionQuery());
  const fields =
    buildClientSchema(data as IntrospectionQuery)
      .getQueryType()
      ?.getFields() ?? {};
  return Object.values(fields)
    .filter((field) => field.args.some((argument) => argument.name === 'limit'))
    .map((field) => {
      const row = getNamedType(field.type);
      const columns = isObjectType(row) ? Object.values(row.getFields()) : [];
      return {
        name: field.name,
        columns: columns.filter((column) => isLeafType(getNamedType(column.type))).map((column) => column.name),
      };
    });
}

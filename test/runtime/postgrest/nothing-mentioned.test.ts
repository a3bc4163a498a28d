import type { Driver, RunOptions } from '../../../runtime/src/dialect/driver.js';
import { createServer } from '../../../runtime/src/extensions/create-server.js';
import { createDriver } from '../../support/create-driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { settingsWith } from '../../support/intents.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { createClient } from '../rest/support/client.js';
import { generatedOf } from '../rest/support/generated.js';

/** Decision 028: where the database mentions no variable, a request adds nothing. */
const tables = 'create table items (id int primary key, name text);';
const mention = `create function own() returns text language sql stable as
  $$ select current_setting('request.headers', true) $$;`;

let database: TestDatabase;
afterEach(() => database.drop());

/** The options of what two requests run at the database. */
async function optionsOf(sql: string, environment: Readonly<Record<string, string>> = {}): Promise<RunOptions[]> {
  database = await createFilledDatabase('nothing_mentioned', sql);
  const inner = createDriver(settingsWith({ 'app.datasource.url': database.url, 'app.rest.postgrest': '/rest/v1' }));
  const seen: RunOptions[] = [];
  const driver: Driver = {
    ...inner,
    run: (statements, options = {}) => {
      seen.push(options);
      return inner.run(statements, options);
    },
  };
  const { descriptors } = await describeDatabase(database.url);
  const server = createServer({
    generated: generatedOf(descriptors),
    environment: { DATABASE_URL: database.url, APP_REST_POSTGREST: '/rest/v1', PORT: '0', ...environment },
    driver,
    observe: () => undefined,
  });
  await server.listen({ ownsProcess: false });
  try {
    const client = createClient(server.address ?? '');
    seen.length = 0;
    expect((await client.send('GET', '/rest/v1/items?id=eq.1')).status).toBe(200);
    const headers = { 'content-type': 'application/json', prefer: 'return=minimal' };
    expect((await client.send('POST', '/rest/v1/items', headers, '{"id":1}')).status).toBe(201);
    return seen;
  } finally {
    await server.close();
  }
}

test('nothing is mentioned', async () => {
  const options = await optionsOf(tables);
  expect(options.map(({ session }) => session)).toEqual([undefined, undefined]);
});

test('a header is mentioned: nothing is read back', async () => {
  const options = await optionsOf(tables + mention);
  expect(options.map(({ session }) => [session?.settings.map(([name]) => name), session?.after])).toEqual([
    [['request.headers'], undefined],
    [['request.headers'], undefined],
  ]);
});

test('app.rest.request-variables: never, always', async () => {
  const never = await optionsOf(tables + mention, { APP_REST_REQUEST_VARIABLES: 'never' });
  expect(never.map(({ session }) => session)).toEqual([undefined, undefined]);
  await database.drop();
  const always = await optionsOf(tables, { APP_REST_REQUEST_VARIABLES: 'always' });
  const names = ['request.method', 'request.path', 'request.headers', 'request.cookies'];
  expect(always.map(({ session }) => session?.settings.map(([name]) => name))).toEqual([names, names]);
  expect(always.every(({ session }) => session?.after !== undefined)).toBe(true);
});

test('intervals are served', async () => {
  const options = await optionsOf(`${tables} create table spans (span interval)`);
  expect(options.map(({ session }) => session?.settings)).toEqual([
    [['intervalstyle', 'postgres']],
    [['intervalstyle', 'postgres']],
  ]);
});

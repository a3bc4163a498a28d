import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

/** What the database mentions of requests changes under a running server. */
const sql = `
  create schema app;
  create table app.people (id int primary key, name text not null);
  insert into app.people values (1, 'Ada'), (2, 'Linus');
`;

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase('following_variables');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify({ functions: ['app.*'] }) });
  server = await startServerHere(program.folder, {
    DATABASE_URL: database.url,
    APP_LOG_LEVEL: 'info',
    APP_SCHEMAS: 'app',
    APP_REST_POSTGREST: '/rest/v1',
  });
});

afterAll(async () => {
  await server.stop();
  await program.remove();
  await database.drop();
});

const { until } = followingServer(() => server);
const migrate = (text: string): Promise<void> => loadSql(database.url, `${text}; notify tablewright`);
const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${server.base}/rest/v1${path}`, { headers });

it('a view that reads a header', async () => {
  await migrate(`create or replace view app.visitors as
    select id, current_setting('request.headers', true)::json ->> 'x-own' as own from app.people`);
  await until(async () => (await read('/visitors')).status === 200);
  expect(await (await read('/visitors?id=eq.1', { 'x-own': 'mine' })).json()).toEqual([{ id: 1, own: 'mine' }]);
});

it('a trigger that says what the answer is: nothing of the served API has changed', async () => {
  const post = async (id: number): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ id, name: 'x' });
    return (await fetch(`${server.base}/rest/v1/people`, { method: 'POST', headers, body })).status;
  };
  expect(await post(10)).toBe(201);
  await migrate(`create function app.accept() returns trigger language plpgsql as
      $$ begin perform set_config('response.status', '202', true); return new; end $$;
    create trigger accept after insert on app.people for each row execute function app.accept()`);
  let id = 10;
  await until(async () => (await post((id += 1))) === 202);
});

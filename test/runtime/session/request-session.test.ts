import type { Driver, RequestSession } from '../../../runtime/src/dialect/driver.js';
import { requestVariables } from '../../../runtime/src/dialect/postgres/request-variables.js';
import type { BoundStatement, RawRow } from '../../../runtime/src/plan/statement.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { createDriver } from '../../support/create-driver.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

/** What a request adds to its transactions, on every kind of connection. */
const sql = [
  'create table kept (id int)',
  `create function checked() returns void language sql as $$ select set_config('response.status', '201', true) $$`,
  `create function leave() returns int language plpgsql as $$ begin
     perform set_config('request.headers', 'left', false), set_config('response.headers', 'left', false);
     return 1; end $$`,
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('request_session');
  await loadSql(database.url, sql.join(';'));
});
afterAll(() => database.drop());

const bound = (text: string): BoundStatement => ({ text, values: [] });
const seen = bound(
  `select current_setting('request.headers', true), current_setting('response.status', true), current_setting('intervalstyle')`,
);
const settings: RequestSession['settings'] = [
  ['request.headers', '{"a":"b"}'],
  ['intervalstyle', 'postgres'],
];

describe.each<readonly [string, Partial<Settings>]>([
  ['direct', {}],
  ['behind a pooler', { 'app.datasource.pooler': 'transaction' }],
  ['PGlite', { 'app.datasource.url': 'pglite:' }],
])('%s', (name, given) => {
  let driver: Driver;
  let answered: (RawRow | undefined)[] = [];

  beforeAll(async () => {
    const place = { 'app.datasource.url': database.url, 'app.rest.postgrest': '/rest/v1' };
    driver = createDriver(settingsWith({ ...place, 'app.datasource.pool-size': 1, ...given }));
    if (name !== 'PGlite') return;
    await driver.transaction(async (run) => {
      for (const text of sql) await run([bound(text)]);
    });
  });
  afterAll(() => driver.close());
  beforeEach(() => (answered = []));

  const session = (): RequestSession => ({
    settings,
    before: requestVariables.call('public.checked'),
    after: { statement: requestVariables.readBack, answered: (row) => answered.push(row) },
  });

  test('a read', async () => {
    expect(await driver.run([seen], { session: session() })).toEqual([['{"a":"b"}', '201', 'postgres']]);
    expect(answered).toEqual([[null, '201']]);
    expect(await driver.run([seen])).toEqual([['', '', 'iso_8601']]);
  });

  test('a write', async () => {
    const insert = bound(`insert into kept values (1) returning current_setting('request.headers')`);
    expect(await driver.run([insert], { write: true, session: session() })).toEqual([['{"a":"b"}']]);
    expect(answered).toEqual([[null, '201']]);
    expect(await driver.run([bound('select distinct id from kept')])).toEqual([['1']]);
  });

  test('a transaction leaves the reading back to its caller', async () => {
    const rows = await driver.transaction((run) => run([seen]), { session: session() });
    expect([rows, answered]).toEqual([[['{"a":"b"}', '201', 'postgres']], []]);
  });

  test('the settings are set again after statements of custom code', async () => {
    const rows = await driver.transaction(
      async (run, custom) => {
        await custom.query({ text: `select set_config('request.headers', 'other', true)`, values: [] });
        return run([seen]);
      },
      { session: session() },
    );
    expect(rows).toEqual([['{"a":"b"}', '201', 'postgres']]);
  });

  test('an error answers nothing, and leaves nothing', async () => {
    const broken = [bound('select 1 / 0')];
    await expect(driver.run(broken, { session: session() })).rejects.toMatchObject({ code: '22012' });
    await expect(driver.run(broken, { write: true, session: session() })).rejects.toMatchObject({ code: '22012' });
    expect([answered, await driver.run([seen])]).toEqual([[], [['', '', 'iso_8601']]]);
  });

  test('nothing that a function has left in the session is read', async () => {
    await driver.run([bound('select leave()')]);
    const after = { statement: requestVariables.readBack, answered: (row: RawRow | undefined) => answered.push(row) };
    expect(await driver.run([seen], { session: { settings: [], after } })).toEqual([['', '', 'iso_8601']]);
    expect(answered).toEqual([[null, null]]);
  });
});

test('every place that mentions variables is found', async () => {
  const driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  try {
    const mentioned = async (text: string): Promise<readonly string[]> => {
      await loadSql(database.url, `create schema places; set search_path = places; ${text}`);
      try {
        return [...(await requestVariables.mentioned(driver))].sort();
      } finally {
        await loadSql(database.url, 'drop schema places cascade');
      }
    };
    await loadSql(database.url, 'drop function checked, leave');
    const read = (name: string): string => `current_setting('request.${name}', true)`;
    expect(await mentioned('')).toEqual([]);
    expect(await mentioned(`create function f() returns text language sql as $$ select ${read('Path')} $$`)).toEqual([
      'request.path',
    ]);
    expect(await mentioned(`create function f() returns text begin atomic select ${read('method')}; end`)).toEqual([
      'request.method',
    ]);
    expect(await mentioned(`create table t (a text default ${read('headers')})`)).toEqual(['request.headers']);
    expect(await mentioned(`create table t (a text check (a = ${read('cookies')}))`)).toEqual(['request.cookies']);
    expect(await mentioned(`create view v as select ${read('jwt.claims')} as a`)).toEqual(['request.jwt.claims']);
    expect(await mentioned(`create table t (a text); create policy p on t using (a = ${read('path')})`)).toEqual([
      'request.path',
    ]);
    expect(
      await mentioned(`create table t (a text); create policy p on t for insert with check (a = ${read('path')})`),
    ).toEqual(['request.path']);
    expect(
      await mentioned(
        `create table t (a text); create rule r as on delete to t where ${read('path')} = 'a' do nothing`,
      ),
    ).toEqual(['request.path']);
    expect(
      await mentioned(`create table t (a text);
        create function f() returns trigger language plpgsql as $$ begin return new; end $$;
        create trigger r before insert on t for each row when (${read('method')} = 'POST') execute function f()`),
    ).toEqual(['request.method']);
    expect(
      await mentioned(`create function f() returns text language sql as
        $$ select set_config('response.' || 'status', '201', true) $$`),
    ).toEqual(['response.headers', 'response.status']);
    expect(
      await mentioned(`create function f(name text) returns text language sql as
        $$ select current_setting('request.' || name) $$`),
    ).toEqual(['request.cookies', 'request.headers', 'request.jwt.claims', 'request.method', 'request.path']);
  } finally {
    await driver.close();
  }
});

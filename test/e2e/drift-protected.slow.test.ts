import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildGenerated } from '../support/generated-program.js';
import { followingServer } from '../support/following-server.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import type { RunningServer } from '../support/running-server.js';
import { startServerHere } from '../support/server-here.js';
import type { Transpiled } from '../support/transpile.js';

const sql = `
  create schema app;
  create table app.people (id int primary key, name text not null, salary int not null default 1000, owner text not null default 'ada');
  create table app.orders (id int primary key, total int not null default 1, token text);
  create table app.secrets (id int primary key, value text);
  create table app.notes (id int primary key, body text);
  create function app.listed() returns int language sql stable security definer as 'select 1';
  create function app.pay_out(amount int) returns int language sql volatile as 'select amount';
  insert into app.people values (1, 'Ada', 4000);`;

const config = {
  exclude: ['app.people.salary', 'app.*.token', 'app.secrets', 'app.pay_*'],
  functions: ['app.*'],
};

const custom = `
  const onRead = ({ identity: { userId } }) => ({ owner: { eq: userId ?? 'ada' } });
  export const custom = { hooks: { 'app.people': { onRead } } };`;

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;

const { ask, rest, ready, until, hasField, logged } = followingServer(() => server);
const start = async (): Promise<void> => {
  server = await startServerHere(program.folder, {
    DATABASE_URL: database.url,
    APP_LOG_LEVEL: 'info',
    APP_SCHEMAS: 'app',
  });
};
const run = (text: string): Promise<void> => loadSql(database.url, text);
const migrate = (text: string): Promise<void> => run(`${text}; notify tablewright`);
const isCurrent = async (): Promise<boolean> => !JSON.stringify(await ready()).includes('stale');

beforeAll(async () => {
  database = await createTestDatabase('protected');
  await run(sql);
  program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config) });
  await writeFile(join(program.folder, 'dist/custom/index.js'), custom);
  await start();
});
afterAll(async () => {
  await server.stop();
  await program.remove();
  await database.drop();
});

describe('what exclude names, under another name', () => {
  test.each<readonly [what: string, change: string, undo: string, gone: string, fresh: string]>([
    [
      'a column',
      'alter table app.people rename salary to pay',
      'alter table app.people rename pay to salary',
      'app.people.salary',
      'app.people.pay',
    ],
    [
      'a column that a pattern names',
      'alter table app.orders rename token to ticket',
      'alter table app.orders rename ticket to token',
      'app.orders.token',
      'app.orders.ticket',
    ],
    [
      'a column whose table has another name',
      'alter table app.orders rename to sales; alter table app.sales rename token to ticket',
      'alter table app.sales rename to orders; alter table app.orders rename ticket to token',
      'app.orders.token',
      'app.sales.id',
    ],
    [
      'a table',
      'alter table app.secrets rename to hints',
      'alter table app.hints rename to secrets',
      'app.secrets',
      'app.hints',
    ],
    [
      'a function',
      'alter function app.pay_out rename to spend',
      'alter function app.spend rename to pay_out',
      'app.pay_out',
      'app.spend',
    ],
  ])('%s: the old API stays, also after a new start', async (_what, change, undo, gone, fresh) => {
    const reason = `The excluded ${gone} is gone, and ${fresh} is new: it may be the excluded object under another name.`;
    const stale = { status: 'ready', schema: { state: 'stale', reason } };
    await migrate(change);
    await logged(reason);
    expect(await ready()).toEqual(stale);
    await server.stop();
    await start();
    await until(async () => !(await isCurrent()));
    expect(await ready()).toEqual(stale);
    expect((await rest('/people')).text).toContain('Ada');
    expect((await rest('/people')).text).not.toContain('4000');
    await migrate(undo);
    await until(isCurrent);
  });

  test('a column that is dropped, with nothing new: the server follows, and then takes new ones', async () => {
    await migrate('alter table app.orders drop token, drop total');
    await until(async () => !(await hasField('AppOrders', 'total')));
    await migrate('alter table app.orders add state text');
    await until(() => hasField('AppOrders', 'state'));
    expect(await isCurrent()).toBe(true);
    await migrate('alter table app.orders drop state, add total int not null default 1, add token text');
    await until(() => hasField('AppOrders', 'total'));
  });

  test('a new table is served, and waits if it has most columns of a protected one', async () => {
    await migrate(`create table app.plain (id int primary key, size int);
      create table app.secrets_copy (id int primary key, value text)`);
    await until(() => hasField('AppPlain', 'size'));
    await logged('app.secrets_copy is new, and may be something protected under another name');
    expect((await rest('/secrets_copy')).status).toBe(404);
    await migrate('drop table app.plain, app.secrets_copy');
    await until(async () => !(await hasField('AppPlain', 'size')));
    expect(await isCurrent()).toBe(true);
  });

  test('a column that becomes excluded meanwhile is known, too', async () => {
    await migrate('alter table app.notes add token text, add title text');
    await until(() => hasField('AppNotes', 'title'));
    expect(await hasField('AppNotes', 'token')).toBe(false);
    await migrate('alter table app.notes rename token to ticket');
    await logged('The excluded app.notes.token is gone, and app.notes.ticket is new');
    expect(await hasField('AppNotes', 'ticket')).toBe(false);
    await migrate('alter table app.notes rename ticket to token');
    await until(isCurrent);
  });
});

test('a new SECURITY DEFINER function waits for the next generate, and others do not', async () => {
  await migrate(`
    create function app.owned() returns int language sql stable security definer as 'select 2';
    create function app.owned_of(person app.people) returns int language sql stable security definer as 'select 2';
    create procedure app.owned_call() language sql security definer as 'select 2';
    create function app.listed(more int) returns int language sql stable security definer as 'select 3';
    create function app.plain() returns int language sql stable as 'select 4'`);
  await until(() => hasField('Query', 'appPlain'));
  await logged('The function app.owned is new and SECURITY DEFINER: it is not served until the next generate.');
  for (const name of ['app.owned_of', 'app.listed']) await logged(`The function ${name} is new and SECURITY DEFINER`);
  await logged('The procedure app.owned_call is new and SECURITY DEFINER');
  expect(await ask('{ appListed appPlain }')).toEqual({ data: { appListed: 1, appPlain: 4 } });
  expect(await hasField('Query', 'appOwned')).toBe(false);
  expect(await hasField('Mutation', 'callAppOwnedCall')).toBe(false);
  expect(JSON.stringify(await ask('{ appPeople { ownedOf } }'))).toContain('Cannot query field');
  expect((await rest('/rpc/owned')).status).toBe(404);
  expect((await rest('/rpc/plain')).status).toBe(200);
  await migrate('drop function app.owned, app.owned_of, app.listed(int), app.plain; drop procedure app.owned_call');
  await until(async () => !(await hasField('Query', 'appPlain')));
});

describe('a column that an onRead hook names', () => {
  test('is not dropped from the API: requests for other tables are answered, and ready has the reason', async () => {
    expect(await ask('{ appPeople { name } }')).toEqual({ data: { appPeople: [{ name: 'Ada' }] } });
    await migrate('alter table app.people drop owner');
    await until(async () => !(await isCurrent()));
    expect(await ready()).toEqual({
      status: 'ready',
      schema: {
        state: 'stale',
        reason: "hooks['app.people'].onRead answered a condition that cannot be used: AppPeople has no field owner.",
      },
    });
    expect((await rest('/notes')).status).toBe(200);
    expect(await ask('{ appNotes { id } }')).toEqual({ data: { appNotes: [] } });
    await migrate("alter table app.people add owner text not null default 'ada'");
    await until(isCurrent);
    expect(await ask('{ appPeople { name } }')).toEqual({ data: { appPeople: [{ name: 'Ada' }] } });
  });

  test('that nobody has read by: only its table fails after the change', async () => {
    await server.stop();
    await start();
    await migrate('alter table app.people drop owner');
    await until(async () => !(await hasField('AppPeople', 'owner')));
    expect((await rest('/people')).status).toBe(500);
    expect((await rest('/notes')).status).toBe(200);
    expect(await ask('{ appNotes { id } }')).toEqual({ data: { appNotes: [] } });
  });
});

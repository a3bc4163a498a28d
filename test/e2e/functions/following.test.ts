import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

/**
 * Functions are added, changed and dropped under a running server, which follows over both
 * protocols.
 */
const sql = `
  create schema app;
  create table app.people (id int primary key, name text not null, age int not null);
  insert into app.people values (1, 'Ada', 36), (2, 'Linus', 20);
`;

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase('following_functions');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url, {
    'tablewright.config.json': JSON.stringify({ functions: ['app.*'] }),
  });
  server = await startServerHere(program.folder, {
    DATABASE_URL: database.url,
    APP_LOG_LEVEL: 'info',
    APP_SCHEMAS: 'app',
  });
});

afterAll(async () => {
  await server.stop();
  await program.remove();
  await database.drop();
});

const { ask, rest, hasField, logged, until } = followingServer(() => server);
const migrate = (text: string): Promise<void> => loadSql(database.url, `${text}; notify tablewright`);
const status = async (path: string, init?: RequestInit): Promise<number> => (await rest(path, init)).status;

it('serves a new function of each form', async () => {
  expect(await status('/rpc/older')).toBe(404);
  await migrate(`
    create function app.older(than int) returns setof app.people language sql stable
      as $$ select * from app.people where age > than $$;
    create function app.ages(step int default 1) returns table (age int, people bigint) language sql stable
      as $$ select age / step * step, count(*) from app.people group by 1 order by 1 $$;
    create function app.people_label(person app.people) returns text language sql stable as $$ select person.name || '!' $$`);
  await until(() => hasField('Query', 'appOlder'));
  expect(
    await ask('{ appOlder(than: 30) { name label } appAges(step: 10, where: {age: {gt: 20}}) { age people } }'),
  ).toEqual({ data: { appOlder: [{ name: 'Ada', label: 'Ada!' }], appAges: [{ age: 30, people: '1' }] } });
  expect(JSON.parse((await rest('/rpc/ages?order=age.desc&limit=1')).text)).toEqual([{ age: 36, people: 1 }]);
  expect((await rest('/people?label=eq.Ada!&select=id')).text).toContain('[{"id":1}]');
  expect((await rest('')).text).toContain('/rpc/older');
});

it('follows changed arguments: those with a default may be left out, and types are the new ones', async () => {
  await migrate(`
    drop function app.older(int);
    create function app.older(than int, called text default '%') returns setof app.people language sql stable
      as $$ select * from app.people where age > than and name like called $$;
    drop function app.ages;
    create function app.ages(lowest text) returns setof int language sql stable
      as $$ select age from app.people where age >= lowest::int order by 1 $$;
    create or replace function app.people_label(person app.people) returns text language sql stable as $$ select person.name || '?' $$;
    create function app.people_marked(person app.people, mark text) returns text language sql stable
      as $$ select person.name || mark $$`);
  await until(() => hasField('AppPeople', 'marked'));
  expect(
    await ask(`{ all: appOlder(than: 1, orderBy: [{id: ASC}]) { id } some: appOlder(than: 1, called: "L%") { id }
      appAges(lowest: "20", orderBy: [{value: DESC}]) appPeople(where: {id: {eq: 1}}) { label marked(mark: "#") } }`),
  ).toEqual({
    data: {
      all: [{ id: 1 }, { id: 2 }],
      some: [{ id: 2 }],
      appAges: [36, 20],
      appPeople: [{ label: 'Ada?', marked: 'Ada#' }],
    },
  });
  expect((await rest('/rpc/older?than=1&called=L%25&select=id')).text).toContain('[{"id":2}]');
  expect((await rest('/rpc/ages?lowest=21')).text).toBe('[36]');
  expect((await rest('/people?select=marked&marked(mark)=x&id=eq.1')).text).toContain('Adax');
  await logged('appOlder may be given called, which has a default.');
});

it('follows a changed volatility: what may write is a mutation, and no field of its row', async () => {
  await migrate('alter function app.older volatile; alter function app.people_label(app.people) volatile');
  await until(() => hasField('Mutation', 'callAppOlder'));
  expect(await hasField('Query', 'appOlder')).toBe(false);
  expect(await hasField('AppPeople', 'label')).toBe(false);
  expect(await ask('mutation { callAppOlder(than: 30) { id } }')).toEqual({ data: { callAppOlder: [{ id: 1 }] } });
  expect(await status('/rpc/older?than=1')).toBe(405);
  expect(await status('/people?select=label')).toBe(400);
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"than":30}' };
  expect(await status('/rpc/older', json)).toBe(200);
});

it('serves a dropped function no more', async () => {
  await migrate('drop function app.older; drop function app.people_marked');
  await until(async () => !(await hasField('Mutation', 'callAppOlder')));
  expect(await status('/rpc/older?than=1')).toBe(404);
  expect(await hasField('AppPeople', 'marked')).toBe(false);
  expect(await status('/people?select=id&marked(mark)=x')).toBe(400);
  expect((await rest('/rpc/ages?lowest=21')).text).toBe('[36]');
});

import { setTimeout as delay } from 'node:timers/promises';
import { connect, readCatalog } from '../../../runtime/src/generator.js';
import type { CatalogConnection } from '../../../runtime/src/dialect/catalog-connection.js';
import { queryFailure } from '../../../runtime/src/dialect/postgres/catalog/connection/failure.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

/** Reads the catalogue while another session drops the objects that are being read. */
let database: TestDatabase;
let connection: CatalogConnection;

beforeAll(async () => {
  database = await createTestDatabase('catalog_dropped');
  await loadSql(database.url, 'create table kept (id int primary key)');
  connection = await connect(database.url);
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

const isTheQuery = (text: string): boolean => text.startsWith('with recursive');

/** The connection, with `fail` in its first `times` readings. */
function failing(
  times: number,
  fail: () => Promise<unknown>,
): { connection: CatalogConnection; attempts: () => number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    connection: {
      ...connection,
      query: async (text, values) => {
        if (isTheQuery(text)) {
          attempts += 1;
          if (attempts <= times) await fail();
        }
        return connection.query(text, values);
      },
    },
  };
}

const namesOf = async (reading: CatalogConnection) =>
  (await readCatalog(reading, { schemas: ['public'] })).tables.map(({ name }) => name);

test.each([
  ['a table that is gone (42P01)', "select 'public.gone'::regclass"],
  ['a type that is gone (42704)', "select 'public.gone'::regtype"],
  ['a function that is gone (42883)', 'select public.gone()'],
])('%s: the database is asked again, in a new transaction', async (_what, sql) => {
  const { connection: flaky, attempts } = failing(2, () => connection.query(sql));
  expect(await namesOf(flaky)).toEqual(['kept']);
  expect(attempts()).toBe(3);
});

const refusal = (code: string, message: string) => () =>
  Promise.reject(queryFailure(Object.assign(new Error(message), { code }), 'postgres://…'));

test.each([
  ['XX000', 'cache lookup failed for relation 16999'],
  ['XX000', 'could not open relation with OID 16999'],
  ['40001', 'could not serialize access due to concurrent update'],
])('%s, %s: asked again', async (code, message) => {
  const { connection: flaky, attempts } = failing(1, refusal(code, message));
  expect(await namesOf(flaky)).toEqual(['kept']);
  expect(attempts()).toBe(2);
});

test('what stays wrong is told after eight attempts', async () => {
  const { connection: broken, attempts } = failing(9, refusal('XX000', 'cache lookup failed for type 7'));
  await expect(namesOf(broken)).rejects.toMatchObject({
    code: 'DATABASE_QUERY',
    message: 'postgres://… could not answer: cache lookup failed for type 7 (XX000).',
  });
  expect(attempts()).toBe(8);
});

test.each([
  ['57014', 'canceling statement due to statement timeout'],
  ['42501', 'permission denied for schema pg_catalog'],
  ['XX000', 'unexpected end of input'],
])('%s, %s: told at once', async (code, message) => {
  const { connection: broken, attempts } = failing(9, refusal(code, message));
  await expect(namesOf(broken)).rejects.toMatchObject({ code: 'DATABASE_QUERY' });
  expect(attempts()).toBe(1);
});

test('reads well while tables, views, types and functions come and go', async () => {
  const sql = `create type gone_mood as enum ('a', 'b');
    create table gone (id int primary key, mood gone_mood default 'a', other int check (other > 0) references kept (id));
    create view gone_view as select id, mood from gone; create index gone_index on gone ((other + 1)) where other > 2;
    create function gone_size(gone) returns int language sql as 'select 1';`;
  const drop = 'drop function gone_size; drop view gone_view; drop table gone; drop type gone_mood;';
  // Each reading meets one drop at a different moment, and the objects exist again for the next
  // reading. A migration drops once; a session that never stops dropping would leave no moment in
  // which to read.
  let took = 100;
  for (let at = 0; at < 30; at += 1) {
    await loadSql(database.url, sql);
    const start = performance.now();
    const names = namesOf(connection).finally(() => {
      took = performance.now() - start;
    });
    const [read] = await Promise.all([names, delay((took * at) / 30).then(() => loadSql(database.url, drop))]);
    expect(read).toContain('kept');
  }
});

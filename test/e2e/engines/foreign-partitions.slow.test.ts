import pg from 'pg';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { generate, query, serveDatabase, type ServedDatabase } from '../../support/served-database.js';

/**
 * A table whose partitions are in three databases: one is a partition of its own, two are tables of
 * foreign servers.
 */
const remote = `create table orders_part (region text not null, id int not null, note text, customer int)`;

const server = (name: string, url: URL): string => `
  create server ${name} foreign data wrapper postgres_fdw
    options (host '${url.hostname}', port '${url.port}', dbname '${url.pathname.slice(1)}');
  create user mapping for current_user server ${name} options (user '${url.username}'${
    url.password === '' ? '' : `, password '${url.password}'`
  });`;

const schema = (west: URL, east: URL): string => `
  create extension postgres_fdw;
  ${server('west', west)}
  ${server('east', east)}
  create schema shop;
  create table shop.customers (id int primary key, name text not null);
  create table shop.orders (
    region text not null, id int not null, note text, customer int
  ) partition by list (lower(region));
  create table shop.orders_home partition of shop.orders for values in ('home');
  create foreign table shop.orders_west partition of shop.orders for values in ('west')
    server west options (schema_name 'public', table_name 'orders_part');
  create foreign table shop.orders_east partition of shop.orders for values in ('east')
    server east options (schema_name 'public', table_name 'orders_part');
  create view shop.notes as select id as number, region as place, note from shop.orders;
  create view shop.moved as select id, region from shop.orders;
  create function shop.move() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger move instead of update on shop.moved for each row execute function shop.move();
  create table shop.ranges (k int not null, sub int not null, text text) partition by range (k);
  create table shop.ranges_low partition of shop.ranges for values from (0) to (10) partition by list (sub);
  create foreign table shop.ranges_low_1 partition of shop.ranges_low for values in (1)
    server west options (schema_name 'public', table_name 'ranges_low_1');
  create table shop.plain (k int not null, text text) partition by range (k);
  create table shop.plain_1 partition of shop.plain for values from (0) to (10);
  insert into shop.customers values (1, 'Ada'), (2, 'Ben');
  insert into shop.orders values
    ('home', 1, 'one', 1), ('west', 2, 'two', 1), ('west', 3, 'three', 2), ('east', 4, 'four', 2);
  insert into shop.plain values (1, 'one');
  insert into shop.ranges values (1, 1, 'one')`;

const config = {
  keys: { 'shop.orders': ['id'] },
  relations: { 'shop.orders': [{ columns: ['customer'], table: 'shop.customers', references: ['id'] }] },
};

let others: readonly TestDatabase[];
let served: ServedDatabase;

beforeAll(async () => {
  others = await Promise.all([createTestDatabase('foreign_west'), createTestDatabase('foreign_east')]);
  const [west, east] = others.map(({ url }) => new URL(url));
  if (west === undefined || east === undefined) throw new Error('There are two other databases.');
  for (const { url } of others) {
    await loadSql(url, remote);
    await loadSql(url, 'create table ranges_low_1 (k int not null, sub int not null, text text)');
  }
  served = await serveDatabase('foreign', [schema(west, east)], config);
});
afterAll(async () => {
  await served.stop();
  await Promise.all(others.map((database) => database.drop()));
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const answer = await fetch(`${served.server.base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function rows(sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: served.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const kept = async (name: string): Promise<string> => readFile(join(served.folder, 'src/generated', name), 'utf8');

test('catalog.json names the columns of partition keys where a partition is a foreign table, and no others', async () => {
  const catalog = JSON.parse(await kept('catalog.json')) as {
    tables: readonly { name: string; routingColumns?: readonly string[] }[];
  };
  expect(Object.fromEntries(catalog.tables.map(({ name, routingColumns }) => [name, routingColumns]))).toEqual({
    customers: undefined,
    moved: undefined,
    notes: ['place'],
    orders: ['region'],
    plain: undefined,
    ranges: ['k', 'sub'],
  });
});

test('inputs of updates do not have these columns, and inputs of inserts do', async () => {
  const { data } = await query(
    served.server,
    `{ update: __type(name: "ShopOrdersUpdateInput") { inputFields { name } }
       create: __type(name: "ShopOrdersCreateInput") { inputFields { name } }
       view: __type(name: "ShopNotesUpdateInput") { inputFields { name } }
       inc: __type(name: "ShopRangesIncInput") { name } }`,
  );
  const names = (type: string): readonly string[] =>
    (data as Record<string, { inputFields: { name: string }[] }>)[type]?.inputFields.map(({ name }) => name) ?? [];
  expect(names('update')).toEqual(expect.arrayContaining(['id', 'note', 'customer']));
  expect(names('update')).not.toContain('region');
  expect(names('create')).toContain('region');
  expect(names('view')).toEqual(['number', 'note']);
  expect(data).toMatchObject({ inc: null });
});

test('openapi.json has these columns for inserts alone', async () => {
  const { components } = JSON.parse(await kept('openapi.json')) as {
    components: { schemas: Record<string, { properties?: object; allOf?: readonly { properties?: object }[] }> };
  };
  const { ['ShopOrders.Update']: update, ['ShopOrders.Insert']: insert } = components.schemas;
  expect(Object.keys(update?.properties ?? {})).toEqual(['id', 'note', 'customer']);
  expect(insert).toMatchObject({ allOf: [{}, { properties: { region: {} } }], required: ['region', 'id'] });
});

test('REST refuses an update of such a column, and nothing moves', async () => {
  const before = await rows('select tableoid::regclass, * from shop.orders order by id');
  const refused = {
    status: 400,
    body: {
      code: 'TW006',
      message: '"region" of "orders" can\'t be updated: it decides which server has the row.',
      hint: 'Leave it out. To move a row, delete it and insert it again.',
    },
  };
  expect(await send('PATCH', '/api/v1/orders?id=eq.2', { region: 'home' })).toMatchObject(refused);
  expect(await send('PATCH', '/api/v1/orders?id=eq.2', { note: 'x', region: 'west' })).toMatchObject(refused);
  expect((await send('PATCH', '/api/v1/notes?number=eq.2', { place: 'home' })).status).toBe(400);
  const spread = { message: expect.stringContaining('partitions of it are on other servers') as string };
  const whole = { id: 2, region: 'home', note: 'x', customer: 1 };
  const merging = { prefer: 'resolution=merge-duplicates' };
  expect(await send('POST', '/api/v1/orders?on_conflict=id', whole, merging)).toMatchObject({
    status: 400,
    body: spread,
  });
  // A table without a primary key has no PUT.
  expect((await send('PUT', '/api/v1/orders?id=eq.2', whole)).status).toBe(405);
  expect(await rows('select tableoid::regclass, * from shop.orders order by id')).toEqual(before);
});

test('other writes and reads work on every server', async () => {
  expect(
    (
      await send('POST', '/api/v1/orders', [
        { id: 5, region: 'home', note: 'n' },
        { id: 6, region: 'east', note: 'n' },
      ])
    ).status,
  ).toBe(201);
  const ignoring = { prefer: 'resolution=ignore-duplicates' };
  expect((await send('POST', '/api/v1/orders', { id: 9, region: 'east' }, ignoring)).status).toBe(201);
  expect((await send('DELETE', '/api/v1/orders?id=eq.9')).status).toBe(200);
  expect(await send('PATCH', '/api/v1/orders?id=in.(5,6)', { note: 'changed' })).toMatchObject({ status: 200 });
  const found = await query(
    served.server,
    `{ shopCustomers(orderBy: { id: asc }) { name shopOrders(orderBy: { id: asc }) { id note } } }`,
  );
  expect(found).toEqual({
    data: {
      shopCustomers: [
        {
          name: 'Ada',
          shopOrders: [
            { id: 1, note: 'one' },
            { id: 2, note: 'two' },
          ],
        },
        {
          name: 'Ben',
          shopOrders: [
            { id: 3, note: 'three' },
            { id: 4, note: 'four' },
          ],
        },
      ],
    },
  });
  expect(
    await rows('select tableoid::regclass::text as part, id, note from shop.orders where id > 4 order by id'),
  ).toEqual([
    { part: 'shop.orders_home', id: 5, note: 'changed' },
    { part: 'shop.orders_east', id: 6, note: 'changed' },
  ]);
});

test('a foreign server that is away is 503 for statements that touch it, and nothing else', async () => {
  await loadSql(served.url, `alter server west options (set port '${String(await freePort())}')`);
  const away = { code: '08001', message: 'A server that has rows of this table is not available.' };
  for (let time = 0; time < 3; time += 1) {
    expect(await send('GET', '/api/v1/orders?id=eq.2')).toMatchObject({ status: 503, body: away });
    expect(await send('PATCH', '/api/v1/orders?id=eq.2', { note: 'x' })).toMatchObject({ status: 503, body: away });
    expect(
      await send('POST', '/api/v1/orders', [
        { id: 7, region: 'home' },
        { id: 8, region: 'west' },
      ]),
    ).toMatchObject({ status: 503, body: away });
    expect(await query(served.server, '{ shopOrders { id } }')).toMatchObject({
      errors: [{ message: away.message }],
    });
    expect((await send('GET', '/health/ready')).status).toBe(200);
    expect(await send('GET', '/api/v1/customers?id=eq.1')).toMatchObject({ status: 200 });
    expect(await send('GET', '/api/v1/orders?region=eq.east')).toMatchObject({ status: 503 });
    expect((await send('POST', '/api/v1/customers', { id: 10 + time, name: 'new' })).status).toBe(201);
  }
  expect(served.server.log()).not.toContain('the database is not available');
  // The catalogue is read without the server.
  await generate(served.url, served.folder);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startService, type Service } from './support/service.js';

/** Errors of the database, with a message and a hint that fit the request. */
const sql = `
create schema shop;
create table shop.customers (customer_id int primary key, name text, born date, points int, tags jsonb, doc tsvector, note varchar(5));
create table shop.orders (
  id int primary key,
  customer int constraint orders_customer references shop.customers,
  parent int constraint orders_parent references shop.orders
);
insert into shop.customers (customer_id, name, points, tags) values (1, 'Ada', 1, '{}'), (2, 'Bob', 2, '{}');
insert into shop.orders values (1, 1, null), (2, 1, 1);
create view shop.pairs as select customer_id, (select id from shop.orders) as one from shop.customers;
create materialized view shop.totals as select count(*) as orders from shop.orders with no data;
create procedure shop.lost_table() language plpgsql as $$ begin perform * from shop.nowhere; end $$;
create procedure shop.lost_type() language plpgsql as $$ begin execute 'select 1::no_such_type'; end $$;
create procedure shop.lost_configuration() language plpgsql as $$ begin perform to_tsvector('klingon', 'x'); end $$;
create procedure shop.bad_syntax() language plpgsql as $$ begin execute 'selekt 1'; end $$;
create procedure shop.add_points(amount int) language plpgsql as $$ begin update shop.customers set points = points + amount; end $$;
`;

let service: Service;

beforeAll(async () => {
  service = await startService(sql, { schema: 'shop' });
});
afterAll(() => service.stop());

describe('values', () => {
  test.each([
    ['customers?customer_id=eq.abc', 500, '22P02', 'About column "customer_id".'],
    ['customers?name=eq.x&born=gt.soon', 500, '22007', 'About column "born".'],
    ['customers?points=in.(1,s3cret)', 500, '22P02', 'About column "points".'],
    ['customers?or=(name.eq.x,points.lt.99999999999)', 500, '22003', 'About column "points".'],
    ['customers?tags=cs.nojson', 400, 'TW004', 'About column "tags".'],
    ['orders?select=id,customers(name)&customers.born=eq.s3cret', 500, '22007', 'About column "born".'],
  ])('%s: the column is named, the value is not', async (path, status, code, details) => {
    const error = await service.restError('GET', path);
    expect(error).toMatchObject({ status, code, details });
    expect(JSON.stringify(error)).not.toMatch(/s3cret|abc|soon|99999999999/);
  });

  test.each([
    ['POST', 'customers', { customer_id: 9, points: 's3cret' }],
    [
      'POST',
      'customers',
      [
        { customer_id: 9, points: 1 },
        { customer_id: 10, points: 's3cret' },
      ],
    ],
    ['PATCH', 'customers?customer_id=eq.1', { name: 'x', points: 's3cret' }],
  ])('%s %s %j: so it is in a body', async (method, path, body) => {
    expect(await service.restError(method, path, body)).toMatchObject({
      ...{ status: 500, code: '22P02', details: 'About column "points".' },
    });
  });

  test('an argument of a call', async () => {
    const error = await service.graphqlError('mutation ($n: Int!) { callShopAddPoints(amount: $n) }', {
      n: 2147483647,
    });
    expect(error).toMatchObject({ extensions: { code: '22003' } });
  });

  test.each([
    ['customers?tags=jsonpath.', 'TW004', 'The JSON path is empty.'],
    ['customers?tags=jsonpath.%24.%5B', '42601', 'The JSON path is malformed.'],
    ['customers?doc=fts.a%20%26', '42601', 'The full-text query is malformed.'],
    ['customers?doc=fts(klingon).a', '42704', 'No such full-text search configuration.'],
  ])('%s', async (path, code, message) => {
    const error = await service.restError('GET', path);
    expect(error).toMatchObject({ status: 400, code, message });
    if (message.includes('JSON')) expect(error.hint).not.toMatch(/plfts/);
  });
});

describe('foreign keys, in both directions', () => {
  const nothing = 'The row refers to a row that does not exist.';
  const referred = 'Other rows still refer to the row.';
  test.each([
    ['POST', 'orders', { id: 9, customer: 77 }, nothing],
    ['PATCH', 'orders?id=eq.1', { customer: 77 }, nothing],
    ['PATCH', 'customers?customer_id=eq.1', { customer_id: 5 }, referred],
    ['DELETE', 'customers?customer_id=eq.1', undefined, referred],
    ['DELETE', 'orders?id=eq.1', undefined, referred],
  ])('%s %s', async (method, path, body, message) => {
    expect(await service.restError(method, path, body)).toMatchObject({ status: 409, code: '23503', message });
  });
});

describe('the state and the schema of the database', () => {
  test('a view that finds several rows is told of no rows that are merged', async () => {
    const error = await service.restError('GET', 'pairs');
    expect(error).toMatchObject({ status: 500, code: '21000' });
    expect(`${error.message} ${error.hint ?? ''}`).not.toMatch(/merged|The request has/);
  });

  test('rows that are merged twice are', async () => {
    const reply = await service.rest.send(
      'POST',
      '/api/v1/customers',
      { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
      '[{"customer_id":9,"name":"a"},{"customer_id":9,"name":"b"}]',
    );
    expect({ status: reply.status, text: reply.text }).toMatchObject({
      status: 400,
      text: expect.stringContaining('different keys') as unknown,
    });
  });

  test('a materialised view that was never filled', async () => {
    const error = await service.restError('GET', 'totals');
    expect(error).toMatchObject({ status: 500, code: '55000' });
    expect(error.hint).toMatch(/REFRESH MATERIALIZED VIEW/);
  });

  test.each([
    ['callShopLostTable', '42P01'],
    ['callShopLostType', '42704'],
    ['callShopLostConfiguration', '42704'],
    ['callShopBadSyntax', '42601'],
  ])('%s: a broken procedure is no reason to generate again, and has no full-text query', async (field, code) => {
    const error = await service.graphqlError(`mutation { ${field} }`);
    expect(error.extensions.code).toBe(code);
    expect(JSON.stringify(error)).not.toMatch(/[Gg]enerate|full-text|configuration/);
  });

  test('a lock that is not free: 409 with Retry-After', async () => {
    const holder = new pg.Client({ connectionString: service.db.url });
    await holder.connect();
    await holder.query(`begin; lock table shop.orders in access exclusive mode`);
    await service.db.query(
      `create function shop.quick_orders() returns trigger language plpgsql as $$ begin perform 1 from shop.orders; return new; end $$;
       alter function shop.quick_orders() set lock_timeout = '20ms';
       create trigger quick before update on shop.customers for each row execute function shop.quick_orders();`,
    );
    try {
      const error = await service.restError('PATCH', 'customers?customer_id=eq.2', { name: 'x' });
      expect(error).toMatchObject({ status: 409, code: '55P03', retryAfter: '1' });
    } finally {
      await holder.end();
      await service.db.query('drop function shop.quick_orders() cascade');
    }
  });
});

describe('names that are not there', () => {
  test.each([
    ['customers?first=3', 'TW002', '"customers" has no column "first".'],
    ['customers?id=3', 'TW002', '"customers" has no column "id".'],
    ['customers?id=eq.3', 'TW002', '"customers" has no column "id".'],
    ['customers?name=3', 'TW003', 'Filter "name": there is no operator "3".'],
  ])('%s', async (path, code, message) => {
    expect(await service.restError('GET', path)).toMatchObject({ status: 400, code, message });
  });

  test('the hint finds a column by a word of its name, and the parameter that is meant', async () => {
    expect((await service.restError('GET', 'customers?id=eq.3')).hint).toBe('Did you mean "customer_id"?');
    expect((await service.restError('GET', 'customers?first=3')).hint).toMatch(/limit/);
  });

  test('a direction that is none is not told of double quotes', async () => {
    const { hint } = await service.restError('GET', 'orders?order=id.up');
    expect(hint).toMatch(/id\.desc/);
    expect(hint).not.toMatch(/quotes/);
  });

  test('an operator that does not fit: the hint lists those that do, and names no file', async () => {
    const { hint } = await service.restError('GET', 'orders?id=fts.x');
    expect(hint).toMatch(/eq, .*gt/);
    expect(hint).not.toMatch(/\.md/);
  });

  test('PUT without the key names no parameter that nobody sent', async () => {
    const error = await service.restError('PUT', 'orders', { id: 1 });
    expect(error.message).not.toContain('"filter"');
    expect(error.hint).toContain('?id=eq.');
  });
});

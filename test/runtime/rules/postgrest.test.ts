import { onPostgres, type Ruled, type Who } from './support/ruled.js';

/** PostgREST's form has more ways to ask than the server's own. */
const sql = `
  create table teams (id int primary key, name varchar(40) not null);
  create table orders (id {id}, owner varchar(40) not null, team_id int references teams (id), cost int not null default 7, code int unique);
  insert into teams values (1, 'one');
  insert into orders (id, owner, team_id, cost, code) values (1, 'ada', 1, 10, 1), (2, 'bob', 1, 20, 2);
  create function every_order() returns setof orders language sql stable as 'select * from shop.orders'`;

const own = { owner: { eq: { claim: 'userId' } } };
const ada: Who = { sub: 'ada' };

let served: Ruled;
beforeAll(async () => {
  served = await onPostgres({
    name: 'rules_postgrest',
    sql,
    rules: (schema) => ({ [`${schema}.orders`]: { read: own, hide: ['cost'] } }),
    environment: { APP_REST_POSTGREST: '/rest/v1' },
  });
});
afterAll(() => served.stop());

const get = (path: string, prefer?: string) => served.rest(ada, 'GET', path, undefined, prefer, '/rest/v1');

test.each<readonly [string, unknown]>([
  ['orders', [{ id: 1, owner: 'ada', team_id: 1, code: 1 }]],
  ['orders?select=count()', [{ count: 1 }]],
  ['orders?select=owner,id.max()', [{ owner: 'ada', max: 1 }]],
  ['teams?select=name,...orders(*)', [{ name: 'one', id: [1], owner: ['ada'], team_id: [1], code: [1] }]],
  ['teams?select=id,orders(count)', [{ id: 1, orders: [{ count: 1 }] }]],
  ['orders?select=id,...teams(name)', [{ id: 1, name: 'one' }]],
  ['rpc/every_order', [{ id: 1, owner: 'ada', team_id: 1, code: 1 }]],
  ['rpc/every_order?select=id&order=id', [{ id: 1 }]],
])('reads by the rule: %s', async (path, body) => {
  expect(await get(path)).toEqual({ status: 200, body });
});

test.each([
  'orders?select=cost',
  'orders?select=cost.sum()',
  'orders?select=cost::text',
  'orders?select=owner,cost.max()&order=owner',
  'teams?select=...orders(cost)',
  'teams?select=orders(cost.sum())',
  'teams?select=id,orders(id)&orders.cost=gt.1',
  'teams?select=id,orders(id)&orders.order=cost',
  'orders?cost=not.is.null',
  'orders?order=cost.desc',
  'rpc/every_order?select=cost',
  'rpc/every_order?cost=gt.1',
  'rpc/every_order?order=cost',
])('refuses a hidden column: %s', async (path) => {
  expect((await get(path)).status).toBe(403);
});

test('writes by the rule', async () => {
  const write = (method: string, path: string, body: unknown, prefer?: string) =>
    served.rest(ada, method, path, body, prefer, '/rest/v1');
  const before = await served.rows('select * from shop.orders order by id');
  expect((await write('POST', 'orders', { owner: 'bob' })).status).toBe(403);
  expect((await write('POST', 'orders', { owner: 'ada', cost: 1 })).status).toBe(403);
  expect((await write('POST', 'orders?columns=owner,cost', { owner: 'ada' })).status).toBe(403);
  expect((await write('PATCH', 'orders?id=gt.0', { owner: 'bob' })).status).toBe(403);
  expect((await write('PATCH', 'orders?columns=cost&id=gt.0', { cost: 1 })).status).toBe(403);
  expect((await write('PUT', 'orders?id=eq.2', { id: 2, owner: 'ada' })).status).toBeGreaterThanOrEqual(403);
  const merge = 'resolution=merge-duplicates';
  expect((await write('POST', 'orders', { id: 2, owner: 'ada' }, merge)).status).toBe(403);
  expect((await write('POST', 'orders?on_conflict=code', { code: 2, owner: 'ada' }, merge)).status).toBe(403);
  expect((await write('DELETE', 'orders?id=eq.2', undefined)).status).toBeLessThan(300);
  expect((await write('DELETE', 'orders?cost=gt.0', undefined)).status).toBe(403);
  expect(await served.rows('select * from shop.orders order by id')).toEqual(before);
  const all = 'return=representation';
  expect(await write('POST', 'orders', { owner: 'ada', code: 9 }, all)).toMatchObject({ status: 201 });
  expect(JSON.stringify(await write('PATCH', 'orders?code=eq.9', { code: 10 }, all))).not.toContain('cost');
});

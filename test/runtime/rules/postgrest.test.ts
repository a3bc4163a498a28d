import { onPostgres, type Ruled, type Who } from './support/ruled.js';

/** PostgREST's form has more ways to ask than the server's own. */
const sql = `
  create table teams (id int primary key, name varchar(40) not null);
  create table orders (id {id}, owner varchar(40) not null, team_id int references teams (id), cost int not null default 7, code int unique);
  insert into teams values (1, 'one');
  insert into orders (id, owner, team_id, cost, code) values (1, 'ada', 1, 10, 1), (2, 'bob', 1, 20, 2);
  create table vault (id {id}, owner varchar(40) not null);
  insert into vault (owner) select case when n < 4 then 'ada' else 'bob' end from generate_series(1, 200) n;
  alter table vault enable row level security;
  create policy own on vault using (owner = nullif(current_setting('request.jwt.claims', true), '')::json->>'sub');
  create view seen with (security_invoker) as select * from vault;
  analyze vault;
  create domain "text/x-lines" as text;
  create domain "text/html" as text;
  create function add_any(state text, item anyelement) returns text language sql immutable as 'select state || to_jsonb(item)::text || chr(10)';
  create function as_lines(state text) returns "text/x-lines" language sql immutable as 'select state';
  create aggregate lines_of(anyelement) (sfunc = add_any, stype = text, initcond = '', finalfunc = as_lines);
  create function add_order(state text, item orders) returns text language sql immutable as 'select state || item.cost';
  create function as_page(state text) returns "text/html" language sql immutable as 'select state';
  create aggregate page_of(orders) (sfunc = add_order, stype = text, initcond = '', finalfunc = as_page);
  create function every_order() returns setof orders language sql stable as 'select * from shop.orders';
  create function touched() returns setof orders language sql as 'update shop.orders set cost = cost returning *';
  create function dearest(team_id int) returns orders language sql stable as 'select * from shop.orders order by cost desc limit 1';
  create function colleagues(o orders) returns setof orders rows 10 language sql stable as 'select * from shop.orders where team_id = o.team_id'`;

const own = { owner: { eq: { claim: 'userId' } } };
const ada: Who = { sub: 'ada' };

let served: Ruled;
beforeAll(async () => {
  served = await onPostgres({
    name: 'rules_postgrest',
    sql,
    rules: (schema) => ({ [`${schema}.orders`]: { read: own, hide: ['cost'] } }),
    config: { functions: ['shop.*'] },
    environment: { APP_REST_POSTGREST: '/rest/v1' },
  });
});
afterAll(() => served.stop());

const get = (path: string, prefer?: string) => served.rest(ada, 'GET', path, undefined, prefer, '/rest/v1');

test.each(['planned', 'estimated'])('count=%s tells of no row that a policy hides', async (count) => {
  const total = async (who: Who, path: string): Promise<unknown> => {
    const { headers } = await served.send(who, 'GET', `/rest/v1/${path}`, { prefer: `count=${count}` });
    return headers['content-range'];
  };
  for (const name of ['vault', 'seen']) {
    expect(await total(null, `${name}?limit=1`)).toBe('*/0');
    expect(await total(ada, `${name}?limit=1`)).toBe('0-0/3');
  }
  expect(await total(ada, 'rpc/every_order?limit=1')).toBe('0-0/1');
});

test('aggregates of media types get the rows and columns that rules show', async () => {
  const lines = (path: string, accept = 'text/x-lines') => served.send(ada, 'GET', `/rest/v1/${path}`, { accept });
  const own = '{"id": 1, "code": 1, "owner": "ada", "team_id": 1}\n';
  for (const path of ['orders', 'orders?select=*', 'rpc/every_order'])
    expect([path, (await lines(path)).text]).toEqual([path, own]);
  expect((await lines('orders?select=id,cost')).status).toBe(403);
  expect((await lines('teams?select=orders(*)')).text).toBe(`{"orders": [${own.trim()}]}\n`);
  // That of the table would get whole rows.
  expect((await lines('orders', 'text/html')).status).toBe(403);
});

test('the description at the root has no column that a rule hides', async () => {
  const { status, text } = await served.send(ada, 'GET', '/rest/v1/', {});
  expect([status, text]).toEqual([200, expect.stringContaining('rowFilter.orders.owner')]);
  expect(text).not.toContain('cost');
});

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

test('rows that functions of the database answer are those of the rule, in every form', async () => {
  const data = async (document: string) => {
    const answer = await served.ask(ada, document);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };
  expect(await data('{ everyOrder { id } counted: everyOrder(where: { id: { gt: 0 } }) { owner } }')).toEqual({
    everyOrder: [{ id: 1 }],
    counted: [{ owner: 'ada' }],
  });
  expect(await data('{ dearest(team_id: 1) { id } }')).toEqual({ dearest: null });
  expect(await data('mutation { callTouched { id } }')).toEqual({ callTouched: [{ id: 1 }] });
  for (const form of [
    '{ everyOrder { cost } }',
    '{ dearest(team_id: 1) { cost } }',
    'mutation { callTouched { cost } }',
  ])
    expect(await served.ask(ada, form)).toMatchObject({ errors: [{ extensions: { code: 'TW016' } }] });
  const post = (name: string) => served.rest(ada, 'POST', `rpc/${name}`, {}, undefined, '/rest/v1');
  expect(await post('touched')).toEqual({ status: 200, body: [{ id: 1, owner: 'ada', team_id: 1, code: 1 }] });
  expect(await get('orders?select=id,colleagues(id,owner)')).toEqual({
    status: 200,
    body: [{ id: 1, colleagues: [{ id: 1, owner: 'ada' }] }],
  });
  expect(await get('orders?select=id,colleagues!inner(id)&colleagues.owner=eq.bob')).toEqual({ status: 200, body: [] });
  expect(
    await data(
      '{ orders { colleagues { id } colleaguesAggregate { count } } bobs: orders(where: { colleagues: { some: { owner: { eq: "bob" } } } }) { id } }',
    ),
  ).toEqual({ orders: [{ colleagues: [{ id: 1 }], colleaguesAggregate: { count: 1 } }], bobs: [] });
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

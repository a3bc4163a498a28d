import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

const sql = `
create table items (id int primary key, name text);
insert into items values (1, 'one'), (2, 'two');
create type shape as (label text, size int);
create domain "text/html" as text;
create function total(a int, variadic more int[]) returns bigint language sql immutable as $$ select a + sum(x) from unnest(more) x $$;
create function shapes() returns setof shape language sql volatile as $$ values ('a', 1), ('b', 2) $$;
create function named(given shape, fallback text default 'x') returns text language sql immutable as $$ select coalesce(given.label, fallback) $$;
create function some_items() returns setof items language sql stable as $$ select * from items $$;
create function page() returns "text/html" language sql stable as $$ select '<p>'::"text/html" $$;
create function owned() returns int language sql stable security definer as $$ select 1 $$;
create function add_item(state text, item items) returns text language sql immutable as $$ select state || item.id $$;
create function as_html(state text) returns "text/html" language sql immutable as $$ select ('<b>' || state)::"text/html" $$;
create aggregate html_of(items) (sfunc = add_item, stype = text, initcond = '', finalfunc = as_html);
create domain color as int;
create function json(color) returns json language sql immutable as $$ select to_json('#' || lpad(to_hex($1), 6, '0')) $$;
create function color(text) returns color language sql immutable as $$ select ('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::int $$;
create function color(json) returns color language sql immutable as $$ select color($1 #>> '{}') $$;
create cast (color as json) with function json(color) as implicit;
create cast (text as color) with function color(text) as implicit;
create cast (json as color) with function color(json) as implicit;
create schema hidden;
create table hidden.walls (id int primary key, tint color, item_id int references items);
create view walls as select * from hidden.walls;
insert into hidden.walls values (1, 255, 2);
create procedure proceeds() language sql as $$ select 1 $$;
`;

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({
    name: 'pgcallable',
    schema: 'public',
    sql,
    config: { 'app.rest.postgrest': '/rest/v1' },
  });
  server = await served.start();
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

test.each([
  ['/rpc/total?a=1&more=2&more=3', '6'],
  ['/rpc/shapes?size=gt.1&select=label', '[{"label":"b"}]'],
  ['/rpc/some_items?id=eq.2&select=name', '[{"name":"two"}]'],
  ['/rpc/named?given=(l,1)', '"l"'],
])('generated code calls %s without configuration', async (path, text) => {
  const reply = await server.get(`/rest/v1${path}`);
  expect([reply.status, reply.text]).toEqual([200, text]);
});

test('a function of a media type answers it, and the other form serves only the procedure', async () => {
  const page = await server.get('/rest/v1/rpc/page', { accept: 'text/html' });
  expect([page.status, page.headers['content-type'], page.text]).toEqual([200, 'text/html', '<p>']);
  expect((await server.get('/api/v1/rpc/page')).status).toBe(404);
  const { paths } = JSON.parse((await server.get('/api/v1')).text) as { readonly paths: object };
  expect(Object.keys(paths).filter((path) => path.startsWith('/rpc/'))).toEqual(['/rpc/proceeds']);
});

test('an aggregate over a table writes its rows in its media type', async () => {
  for (const path of ['/items?order=id', '/rpc/some_items?order=id']) {
    const page = await server.get(`/rest/v1${path}`, { accept: 'text/html' });
    expect([page.status, page.headers['content-type'], page.text]).toEqual([200, 'text/html', '<b>12']);
  }
});

test('a domain has the form of its casts, and a view the keys of a table that is not served', async () => {
  const read = await server.get('/rest/v1/walls?select=tint,items(name)&tint=eq.%230000ff');
  expect([read.status, read.text]).toEqual([200, '[{"tint":"#0000ff","items":{"name":"two"}}]']);
  const items = await server.get('/rest/v1/items?select=walls(tint)&id=eq.2');
  expect([items.status, items.text]).toEqual([200, '[{"walls":[{"tint":"#0000ff"}]}]']);
  expect((await server.get('/api/v1/walls?select=tint', { 'accept-profile': 'public' })).text).toContain(
    '{"tint":255}',
  );
});

test('the log at start names functions that run as their owner', () => {
  expect(server.log()).toContain("PostgREST's form calls functions that are SECURITY DEFINER: public.owned().");
});

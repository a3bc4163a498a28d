import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { logged } from '../../support/until.js';

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
create domain "text/x-lines" as text;
create function add_any(state text, item anyelement) returns text language sql immutable as $$ select state || to_json(item) $$;
create function as_lines(state text) returns "text/x-lines" language sql immutable as $$ select state::"text/x-lines" $$;
create aggregate lines_of(anyelement) (sfunc = add_any, stype = text, initcond = '', finalfunc = as_lines);
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

/** One reader of the catalogue describes functions for this form, listed or not. */
const listedSql = `
create schema api;
create table api.items (id int primary key, name text);
insert into api.items values (1, 'one');
create domain api."text/html" as text;
create function api.page() returns api."text/html" language sql stable as $$ select '<p>'::api."text/html" $$;
create function api."image/png"() returns bytea language sql stable as $$ select '\\x00'::bytea $$;
create function api.row() returns record language sql stable as $$ select 1 as n, 'x'::text as t $$;
create function api.rows() returns setof record language sql stable as $$ select 1 as n, 'x'::text as t $$;
create function api."dotted.name"("an.argument" int) returns int language sql stable as $$ select $1 $$;
create function api.echo(json) returns json language sql stable as $$ select $1 $$;
create function api.items_of(n int) returns setof api.items language sql stable as $$ select * from api.items where id = n $$;
create function api.od(must_param text) returns text language sql stable as $$ select 'must ' || must_param $$;
create function api.od(a text, opt_param text default 'none') returns text language sql stable as $$ select a || ' ' || opt_param $$;
create function api.ov(variadic items int[]) returns bigint language sql stable as $$ select sum(x) from unnest(items) x $$;
create function api.ow(a int) returns text language sql volatile as $$ select 'a' $$;
create function api.ow(b int, c int default 1) returns text language sql volatile as $$ select 'b' $$;
create function api.unlisted() returns int language sql stable as $$ select 1 $$;
create function api.pair(int, named int) returns int language sql stable as $$ select $1 - $2 $$;
`;

describe.each([
  ['without a list', undefined],
  ['listed', ['api.*']],
  [
    'listed by name',
    [
      'api.page',
      'api.image/png',
      'api.row',
      'api.rows',
      'api.dotted.name',
      'api.echo',
      'api.items_of',
      'api.od',
      'api.ov',
      'api.ow',
      'api.pair',
    ],
  ],
])('functions of PostgREST’s form %s', (what, functions) => {
  let own: Served;
  let running: ServedServer;
  beforeAll(async () => {
    own = await openServed({
      name: 'pglisted',
      schema: 'api',
      sql: listedSql,
      config: { 'app.rest.postgrest': '/rest/v1', ...(functions && { functions }) },
    });
    running = await own.start();
  });
  afterAll(async () => {
    await running.stop();
    await own.drop();
  });

  const post = (path: string, body: unknown) =>
    running.send('POST', path, { 'content-type': 'application/json' }, JSON.stringify(body));

  test.each([
    ['/rpc/row', '{"n":1,"t":"x"}'],
    ['/rpc/rows', '[{"n":1,"t":"x"}]'],
    ['/rpc/items_of?n=1&select=name', '[{"name":"one"}]'],
    ['/rpc/od?must_param=x', '"must x"'],
    ['/rpc/od?a=x', '"x none"'],
    ['/rpc/od?a=x&opt_param=y', '"x y"'],
    ['/rpc/ov?items=1&items=2', '3'],
  ])('%s', async (path, text) => {
    const reply = await running.get(`/rest/v1${path}`);
    expect([reply.status, reply.text.replace(/ ?([:,]) ?/g, '$1')]).toEqual([200, text]);
  });

  test('media types, and names with dots', async () => {
    const page = await running.get('/rest/v1/rpc/page', { accept: 'text/html' });
    expect([page.status, page.text]).toEqual([200, '<p>']);
    const dotted = await post('/rest/v1/rpc/dotted.name', { 'an.argument': 4 });
    expect([dotted.status, dotted.text]).toEqual([200, '4']);
    const echo = await post('/rest/v1/rpc/echo', { a: 1 });
    expect([echo.status, echo.text.replaceAll(' ', '')]).toEqual([200, '{"a":1}']);
  });

  test('overloads by the names of their arguments', async () => {
    expect((await post('/rest/v1/rpc/ow', { a: 1 })).text).toBe('"a"');
    expect((await post('/rest/v1/rpc/ow', { b: 1 })).text).toBe('"b"');
    if (functions === undefined) return;
    expect((await running.get('/api/v1/rpc/od?must_param=x')).text).toContain('must x');
    expect((await running.get('/api/v1/rpc/od?a=x')).text).toContain('x none');
    expect((await post('/api/v1/rpc/ow', { a: 1 })).text).toContain('a');
    expect((await running.get('/api/v1/rpc/pair?arg1=5&named=2')).text).toContain('3');
  });

  test('what is not listed', async () => {
    const isListed = what !== 'listed by name';
    expect((await running.get('/rest/v1/rpc/unlisted')).status).toBe(isListed ? 200 : 404);
  });
});

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

test('a function of a media type answers it, and the other form serves neither it nor the procedure', async () => {
  const page = await server.get('/rest/v1/rpc/page', { accept: 'text/html' });
  expect([page.status, page.headers['content-type'], page.text]).toEqual([200, 'text/html', '<p>']);
  expect((await server.get('/api/v1/rpc/page')).status).toBe(404);
  const { paths } = JSON.parse((await server.get('/api/v1')).text) as { readonly paths: object };
  expect(Object.keys(paths).filter((path) => path.startsWith('/rpc/'))).toEqual([]);
});

test('an aggregate over a table writes its rows in its media type', async () => {
  for (const path of ['/items?order=id', '/rpc/some_items?order=id']) {
    const page = await server.get(`/rest/v1${path}`, { accept: 'text/html' });
    expect([page.status, page.headers['content-type'], page.text]).toEqual([200, 'text/html', '<b>12']);
  }
});

test('an aggregate over any rows writes rows of what is selected, and values', async () => {
  for (const [path, text] of [
    ['/items?select=id&order=id', '{"id":1}{"id":2}'],
    ['/rpc/shapes?select=size&size=eq.1', '{"size":1}'],
    ['/rpc/named?given=(l,1)', '"l"'],
  ] as const) {
    const reply = await server.get(`/rest/v1${path}`, { accept: 'text/x-lines' });
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([200, 'text/x-lines', text]);
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

test('the log at start names functions that run as their owner', async () => {
  await logged(server, "PostgREST's form calls functions that are SECURITY DEFINER: public.owned().");
});

import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Aggregates over `anyelement` write any rows: PostgREST, "Media Type Handlers". */
const sql = `
create domain "text/x-lines" as text;
create domain "application/octet-stream" as bytea;
create domain "application/json" as json;
create domain "*/*" as bytea;
create domain "text/html" as text;
create type pair as (a int, b text);

create table items (id int primary key, name text, tags text[], size numeric(6, 2), at timestamptz);
create table parts (id int primary key, item_id int references items);
insert into items values (1, 'one', '{a,b}', 1.50, '2026-01-01 12:00+00'), (2, 'two', null, null, null);
insert into parts values (1, 1), (2, 1);

create function add_any(state text, item anyelement) returns text language sql immutable as $$ select state || to_jsonb(item)::text || E'\\n' $$;
create function as_lines(state text) returns "text/x-lines" language sql immutable as $$ select state::"text/x-lines" $$;
create function as_bytes(state text) returns "application/octet-stream" language sql immutable as
  $$ select (convert_to(state, 'UTF8') || '\\xff'::bytea)::"application/octet-stream" $$;
create aggregate lines_of(anyelement) (sfunc = add_any, stype = text, initcond = '', finalfunc = as_lines);
create aggregate bytes_of(anyelement) (sfunc = add_any, stype = text, initcond = '', finalfunc = as_bytes);

create function add_item(state text, item items) returns text language sql immutable as $$ select state || item.name $$;
create function as_page(state text) returns "text/html" language sql immutable as $$ select ('<b>' || state)::"text/html" $$;
create aggregate page_of(items) (sfunc = add_item, stype = text, initcond = '', finalfunc = as_page);
create function as_any_page(state text) returns "text/html" language sql immutable as $$ select ('<i>' || state)::"text/html" $$;
create aggregate any_page_of(anyelement) (sfunc = add_any, stype = text, initcond = '', finalfunc = as_any_page);

create function found() returns setof items language sql stable as $$ select * from items order by id $$;
create function made() returns setof items language sql volatile as $$ select * from items order by id $$;
create function number() returns int language sql stable as $$ select 7 $$;
create function numbers() returns setof int language sql stable as $$ select generate_series(1, 2) $$;
create function pairs() returns setof pair language sql stable as $$ values (1, 'x') $$;
create function nothing() returns void language sql volatile as $$ select null::void $$;
create function page() returns "text/html" language sql stable as $$ select '<p>'::"text/html" $$;
`;

const accept = (type: string): Pick<Case, 'headers'> => ({ headers: { accept: type } });
const type = (name: string): Pick<Case, 'has'> => ({ has: { 'content-type': name } });
const lines = accept('text/x-lines');
const typed = type('text/x-lines');

const reads: readonly Case[] = [
  {
    ask: '/items?select=id,name&order=id',
    ...lines,
    text: '{"id": 1, "name": "one"}\n{"id": 2, "name": "two"}\n',
    ...typed,
  },
  { ask: '/items?select=n:name&id=eq.2', ...lines, text: '{"n": "two"}\n', ...typed },
  {
    ask: '/items?id=eq.1&select=tags,size',
    ...lines,
    text: '{"size": 1.50, "tags": ["a", "b"]}\n',
  },
  {
    ask: '/items?id=eq.1&select=id,parts(id)',
    ...lines,
    text: '{"id": 1, "parts": [{"id": 1}, {"id": 2}]}\n',
    ...typed,
  },
  { ask: '/parts?select=count()', ...lines, text: '{"count": 2}\n', ...typed },
  { ask: '/items?id=eq.9', ...lines, text: '', has: { 'content-type': 'text/x-lines', 'content-range': '*/*' } },
  {
    ask: '/items?select=id&order=id&limit=1',
    headers: { accept: 'text/x-lines', prefer: 'count=exact' },
    status: 206,
    text: '{"id": 1}\n',
    has: { 'content-range': '0-0/2' },
  },
  {
    ask: '/items?select=id&id=eq.1',
    ...accept('application/octet-stream'),
    text: '{"id": 1}\n\ufffd',
    has: { 'content-type': 'application/octet-stream', 'content-length': '11' },
  },
  // That of a table comes first, for whole rows.
  { ask: '/items?id=eq.1', ...accept('text/html'), text: '<b>one', ...type('text/html') },
  { ask: '/items?id=eq.1&select=id', ...accept('text/html'), text: '<i>{"id": 1}\n', ...type('text/html') },
  { ask: '/parts?id=eq.1', ...accept('text/html'), text: '<i>{"id": 1, "item_id": 1}\n', ...type('text/html') },
  { ask: '/parts?id=eq.1', json: [{ id: 1, item_id: 1 }], ...type('application/json; charset=utf-8') },
  { ask: '/parts?id=eq.1', ...accept('text/xml'), status: 406 },
  { ask: '/api/v1/parts?id=eq.1', ...lines, status: 406 },
];

const functions: readonly Case[] = [
  { ask: '/rpc/found?select=id', ...lines, text: '{"id": 1}\n{"id": 2}\n', ...typed },
  { ask: 'POST /rpc/made?select=id&limit=1', body: {}, ...lines, text: '{"id": 1}\n', ...typed },
  { ask: '/rpc/number', ...lines, text: '7\n', ...typed },
  { ask: '/rpc/numbers', ...lines, text: '1\n2\n', ...typed },
  { ask: '/rpc/pairs', ...lines, text: '{"a": 1, "b": "x"}\n', ...typed },
  { ask: '/rpc/page', ...accept('text/html'), text: '<p>', ...type('text/html') },
  { ask: 'POST /rpc/nothing', body: {}, ...lines, status: 204, text: '' },
];

const rows = { headers: { ...lines.headers, prefer: 'return=representation, tx=rollback' } };

const writes: readonly Case[] = [
  {
    ask: 'POST /parts',
    body: [{ id: 5 }, { id: 6 }],
    ...rows,
    status: 201,
    text: '{"id": 5, "item_id": null}\n{"id": 6, "item_id": null}\n',
    ...typed,
  },
  { ask: 'PATCH /parts?id=eq.1&select=item_id', body: { item_id: 2 }, ...rows, text: '{"item_id": 2}\n', ...typed },
  {
    ask: 'DELETE /parts?id=eq.1&select=id,items(name)',
    ...rows,
    text: '{"id": 1, "items": {"name": "one"}}\n',
    ...typed,
  },
  {
    ask: 'POST /parts',
    body: { id: 9 },
    headers: { accept: 'text/x-lines', prefer: 'tx=rollback' },
    status: 201,
    text: '',
  },
];

let mount: Mount;
beforeAll(async () => {
  mount = await startMount('any_handlers', sql);
});
afterAll(() => mount.stop());

describe.each(Object.entries({ reads, functions, writes }))('%s', (_, cases) => {
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

test('an aggregate that is excluded, or of a schema that is not served, writes nothing', async () => {
  const other = await startMount('any_handlers_excluded', sql, {}, { exclude: ['public.lines_of'] });
  try {
    await play(other, { ask: '/parts', ...lines, status: 406 });
  } finally {
    await other.stop();
  }
});

test('the aggregate for every type answers what asks for every type, and no other', async () => {
  const every = `
    create function as_every(state text) returns "*/*" language sql immutable as $$ select convert_to('any', 'UTF8')::"*/*" $$;
    create aggregate every_of(anyelement) (sfunc = add_any, stype = text, initcond = '', finalfunc = as_every);`;
  const other = await startMount('any_handlers_every', sql + every);
  try {
    await play(other, { ask: '/parts', text: 'any', ...type('application/octet-stream') });
    await play(other, { ask: '/parts', ...accept('text/css, */*;q=0.1'), text: 'any' });
    await play(other, { ask: '/parts?id=eq.1', ...accept('application/json'), json: [{ id: 1, item_id: 1 }] });
    await play(other, { ask: '/parts', ...accept('text/css'), status: 406 });
  } finally {
    await other.stop();
  }
});

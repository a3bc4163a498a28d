import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Aggregates over a table that write its rows: PostgREST, "Media Type Handlers". */
const sql = `
create domain "text/csv" as text;
create domain "text/plain" as text;
create domain lines as bytea;
create domain "application/vnd.lines" as lines;
create domain "application/vnd.pgrst.object" as text;
create domain "*/*" as bytea;

create table items (id int primary key, name text, "row" text);
insert into items values (1, 'one', null), (2, 'two', 'n'), (3, 'three', null);

create function add_name(state text, item items) returns text language sql immutable as
  $$ select state || item.name || E'\\n' $$;
create function as_csv(state text) returns "text/csv" language sql immutable as $$ select (E'names\\n' || state)::"text/csv" $$;
create function as_plain(state text) returns "text/plain" language sql immutable as $$ select nullif(state, '')::"text/plain" $$;
create function as_lines(state text) returns "application/vnd.lines" language sql immutable as
  $$ select (convert_to(state, 'UTF8') || '\\xff'::bytea)::"application/vnd.lines" $$;
create function as_object(state text) returns "application/vnd.pgrst.object" language sql immutable as
  $$ select state::"application/vnd.pgrst.object" $$;
create aggregate csv_of(items) (sfunc = add_name, stype = text, initcond = '', finalfunc = as_csv);
create aggregate plain_of(items) (sfunc = add_name, stype = text, initcond = '', finalfunc = as_plain);
create aggregate lines_of(items) (sfunc = add_name, stype = text, initcond = '', finalfunc = as_lines);
create aggregate object_of(items) (sfunc = add_name, stype = text, initcond = '', finalfunc = as_object);

create view views as select id, name from items;
create function add_view(state text, item views) returns text language sql immutable as $$ select state || item.id $$;
create function as_any(state text) returns "*/*" language sql immutable as $$ select convert_to(state, 'UTF8')::"*/*" $$;
create aggregate any_of(views) (sfunc = add_view, stype = text, initcond = '', finalfunc = as_any);

create table others (id int primary key);
create function found(first int) returns setof items language sql stable as $$ select * from items where id >= first $$;
create function made(first int) returns setof items language sql volatile as $$ select * from items where id >= first $$;
create function item() returns items language sql stable as $$ select * from items where id = 2 $$;
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('media_handlers', sql);
});
afterAll(() => mount.stop());

const accept = (type: string): Pick<Case, 'headers'> => ({ headers: { accept: type } });
const type = (name: string): Pick<Case, 'has'> => ({ has: { 'content-type': name } });
const csv = type('text/csv; charset=utf-8');
const plain = type('text/plain; charset=utf-8');
const json = type('application/json; charset=utf-8');
const refused = { status: 406, json: expect.objectContaining({ code: 'PGRST107' }) as unknown };

const tables: readonly Case[] = [
  { ask: '/items?order=id', ...accept('text/plain'), text: 'one\ntwo\nthree\n', ...plain },
  { ask: '/items?order=id.desc&select=*', ...accept('text/plain'), text: 'three\ntwo\none\n', ...plain },
  {
    ask: '/items?order=id&limit=1&offset=1',
    headers: { accept: 'text/plain', prefer: 'count=exact' },
    status: 206,
    text: 'two\n',
    has: { 'content-type': 'text/plain; charset=utf-8', 'content-range': '1-1/3' },
  },
  { ask: '/items?id=eq.1', ...accept('text/plain'), text: 'one\n', ...plain },
  { ask: '/items?row=eq.n', ...accept('TEXT/PLAIN;charset=utf-8'), text: 'two\n', ...plain },
  { ask: 'HEAD /items', ...accept('text/plain'), text: '', ...plain },
  {
    ask: '/items?id=eq.9',
    ...accept('text/plain'),
    text: '',
    has: { 'content-type': 'text/plain; charset=utf-8', 'content-range': '*/*' },
  },
  { ask: '/items?order=id', ...accept('text/plain;q=0.5, text/html'), text: 'one\ntwo\nthree\n', ...plain },
  // A byte that no text has stays one byte.
  {
    ask: '/items?id=eq.1',
    ...accept('application/vnd.lines'),
    text: 'one\n\ufffd',
    has: { 'content-type': 'application/vnd.lines', 'content-length': '5' },
  },
  // A handler replaces a form that PostgREST has.
  { ask: '/items?order=id&limit=1', ...accept('text/csv'), text: 'names\none\n', ...csv },
  { ask: '/others', ...accept('text/csv'), text: '\n', ...csv },
  { ask: '/items?id=eq.1', text: '[{"id":1,"name":"one","row":null}]', ...json },
  { ask: '/items?id=eq.1', ...accept('*/*'), text: '[{"id":1,"name":"one","row":null}]', ...json },
  {
    ask: '/items?id=eq.1',
    ...accept('application/vnd.pgrst.object'),
    text: '{"id":1,"name":"one","row":null}',
  },
  // It gets whole rows: with another selection PostgREST's own forms answer.
  { ask: '/items?select=id,name&id=eq.1', ...accept('text/plain'), ...refused },
  { ask: '/items?select=id,name&id=eq.1', ...accept('text/csv'), text: 'id,name\n1,one', ...csv },
  { ask: '/others', ...accept('text/plain'), ...refused },
  { ask: '/items?nope=eq.1', ...accept('text/plain'), status: 400 },
  { ask: '/api/v1/items?id=eq.1', ...accept('text/plain'), status: 406 },
  { ask: '/api/v1/items?id=eq.1', ...accept('text/csv'), text: 'id,name,row\n1,one,', ...csv },
];

const any: readonly Case[] = [
  { ask: '/views?order=id', text: '123', ...type('application/octet-stream') },
  { ask: '/views?order=id', ...accept('image/png'), text: '123', ...type('application/octet-stream') },
  { ask: '/views?order=id', ...accept('application/json'), text: '123', ...type('application/octet-stream') },
  { ask: '/views?select=id&id=eq.1', text: '[{"id":1}]', ...json },
  {
    ask: '/views?id=eq.1',
    ...accept('application/vnd.pgrst.object+json'),
    text: '{"id":1,"name":"one"}',
    ...type('application/vnd.pgrst.object+json; charset=utf-8'),
  },
];

const functions: readonly Case[] = [
  { ask: '/rpc/found?first=2&order=id', ...accept('text/plain'), text: 'two\nthree\n', ...plain },
  {
    ask: 'POST /rpc/found?order=id.desc',
    body: { first: 2 },
    ...accept('text/csv'),
    text: 'names\nthree\ntwo\n',
    ...csv,
  },
  { ask: 'POST /rpc/made?order=id&limit=1', body: { first: 2 }, ...accept('text/plain'), text: 'two\n', ...plain },
  { ask: '/rpc/item', ...accept('text/plain'), text: 'two\n', ...plain },
  { ask: '/rpc/item', text: '{"id":2,"name":"two","row":"n"}', ...json },
  { ask: '/rpc/found?first=2&select=id', ...accept('text/plain'), ...refused },
];

const rows = (type: string): Pick<Case, 'headers'> => ({
  headers: { accept: type, prefer: 'return=representation, tx=rollback' },
});

/** The rows that a write answers are those of a read. */
const writes: readonly Case[] = [
  { ask: 'POST /items', body: { id: 9, name: 'nine' }, ...rows('text/plain'), status: 201, text: 'nine\n', ...plain },
  {
    ask: 'POST /items?columns=id,name&order=name.desc',
    body: [
      { id: 8, name: 'a' },
      { id: 9, name: 'b' },
    ],
    ...rows('text/plain'),
    status: 201,
    text: 'b\na\n',
  },
  { ask: 'PATCH /items?id=eq.1', body: { name: 'uno' }, ...rows('text/csv'), text: 'names\nuno\n', ...csv },
  { ask: 'PUT /items?id=eq.1', body: { id: 1, name: 'x' }, ...rows('text/plain'), text: 'x\n', ...plain },
  {
    ask: 'DELETE /items?id=eq.1',
    ...rows('application/vnd.lines'),
    text: 'one\n\ufffd',
    has: { 'content-type': 'application/vnd.lines', 'content-length': '5' },
  },
  { ask: 'DELETE /items?id=eq.1&select=id', ...rows('text/plain'), ...refused },
  {
    ask: 'POST /items',
    body: { id: 9 },
    headers: { accept: 'text/plain', prefer: 'tx=rollback' },
    status: 201,
    text: '',
  },
  { ask: 'POST /items', body: { id: 9 }, headers: { accept: 'text/html' }, ...refused },
];

describe.each(Object.entries({ tables, any, functions, writes }))('%s', (_, cases) => {
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

describe('excluded', () => {
  const options = { exclude: ['public.items.row', 'public.any_of'] };
  let other: Mount;

  beforeAll(async () => {
    other = await startMount('media_handlers_excluded', sql, {}, options);
  });
  afterAll(() => other.stop());

  const cases: readonly Case[] = [
    // An aggregate would get the column that nobody may see.
    { ask: '/items?id=eq.1', ...accept('text/plain'), ...refused },
    { ask: '/items?id=eq.1', ...accept('text/csv'), text: 'id,name\n1,one', ...csv },
    { ask: '/views?id=eq.1', text: '[{"id":1,"name":"one"}]', ...json },
  ];
  test.each(cases)('$ask $headers', (each) => play(other, each));
});

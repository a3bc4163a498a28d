import { play, startMount, type Case, type Mount } from './support/mount.js';

const sql = `
create table items (id int primary key, name text);
create table log (entry text);
insert into items values (1, 'one'), (2, 'two'), (3, 'three');
create schema api;
create domain positive as int check (value > 0);
create type mood as enum ('sad', 'ok');
create type point2 as (x int, y int);
create type shape as (name text, at point2, sides int[]);
create domain point_domain as point2;
create function plain() returns text language sql stable as $$ select 'plain' $$;
create function nothing_there() returns text language sql stable as $$ select null::text $$;
create function adds(a int, b int default 10) returns int language sql immutable as $$ select a + b $$;
create function numbers() returns setof int language sql stable as $$ select generate_series(1, 5) $$;
create function writing_numbers() returns setof int language sql volatile as
  $$ insert into log values ('n'); select generate_series(1, 5) $$;
create function log_size() returns bigint language sql stable as $$ select count(*) from log $$;
create function a_mood() returns mood language sql stable as $$ select 'ok'::mood $$;
create function a_positive() returns positive language sql stable as $$ select 7::positive $$;
create function an_array() returns int[] language sql stable as $$ select array[1, 2] $$;
create function a_json() returns json language sql stable as $$ select '{"a": 1}'::json $$;
create function a_record() returns record language sql stable as $$ select 1 as f1, 'x'::text as f2 $$;
create function records() returns setof record language sql stable as $$ select * from (values (1, 'x'::text), (2, 'y')) as v(f1, f2) $$;
create function a_point() returns point2 language sql stable as $$ select (1, 2)::point2 $$;
create function a_point_domain() returns point_domain language sql stable as $$ select (3, 4)::point_domain $$;
create function points() returns setof point2 language sql stable as $$ values (1, 2), (3, 4), (5, 6) $$;
create function writing_points() returns setof point2 language sql volatile as
  $$ insert into log values ('p'); values (1, 2), (3, 4), (5, 6) $$;
create function a_shape(given shape) returns text language sql immutable as $$ select given.name || (given.at).y || given.sides[2] $$;
create function shapes(given shape[]) returns int language sql immutable as $$ select array_length(given, 1) $$;
create function an_item(given items) returns text language sql immutable as $$ select given.name $$;
create function out_two(a int, out doubled int, out tripled int) language sql immutable as $$ select a * 2, a * 3 $$;
create function out_volatile(out made int) language plpgsql volatile as $$ begin insert into log values ('o'); made := 1; end $$;
create function pairs() returns table (x int, y text) language sql stable as $$ values (1, 'p'), (2, 'q'), (3, null) $$;
create function one_column() returns table (x int) language sql volatile as $$ values (1), (2) $$;
create function one_item(item int) returns items language sql stable as $$ select * from items where id = item $$;
create function all_items() returns setof items language sql volatile as $$ select * from items order by id $$;
create function nothing() returns void language sql volatile as $$ insert into log values ('v') $$;
create function quiet() returns void language plpgsql stable as $$ begin end $$;
create function unnamed(int, int) returns int language sql immutable as $$ select $1 + $2 $$;
create function anything(a anyelement) returns text language sql immutable as $$ select 'any' $$;
create function fires() returns trigger language plpgsql as $$ begin return new; end $$;
create procedure proceeds() language sql as $$ insert into log values ('x') $$;
create aggregate total(int) (sfunc = int4pl, stype = int, initcond = '0');
create function api.hello(name text) returns text language sql immutable as $$ select 'hello ' || name $$;
create function secret() returns text language sql stable security definer as $$ select 's' $$;
create function refused() returns text language sql stable as $$ select 'r' $$;
revoke execute on function refused() from public;
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('callable', sql, { APP_SCHEMAS: 'public,api' });
});
afterAll(() => mount.stop());

const json = { 'content-type': 'application/json; charset=utf-8', 'content-profile': 'public' };
const csv = { accept: 'text/csv' };
const object = { accept: 'application/vnd.pgrst.object+json' };
const counted = { prefer: 'count=exact' };
const unknown = (name: string): Pick<Case, 'status' | 'json'> => ({
  status: 404,
  json: expect.objectContaining({
    code: 'PGRST202',
    message: `Could not find the function public.${name} without parameters in the schema cache`,
  }),
});

const found: readonly Case[] = [
  { ask: '/rpc/plain', text: '"plain"', has: json },
  { ask: 'POST /rpc/plain', text: '"plain"', has: json },
  { ask: 'HEAD /rpc/plain', text: '', has: { ...json, 'content-range': '0-0/*' } },
  { ask: '/rpc/adds?a=1&b=2', text: '3', has: { 'content-range': '0-0/*' } },
  { ask: 'POST /rpc/adds', body: { a: 5 }, text: '15' },
  {
    ask: '/rpc/hello?name=you',
    headers: { 'accept-profile': 'api' },
    text: '"hello you"',
    has: { 'content-profile': 'api' },
  },
  { ask: 'POST /rpc/hello', body: { name: 'you' }, headers: { 'content-profile': 'api' }, text: '"hello you"' },
  { ask: '/rpc/hello?name=you', status: 404, json: expect.objectContaining({ code: 'PGRST202' }) },
  { ask: '/rpc/secret', text: '"s"' },
  // No functions that are called otherwise, or by nobody.
  { ask: '/rpc/fires', ...unknown('fires') },
  { ask: '/rpc/proceeds', ...unknown('proceeds') },
  { ask: '/rpc/total', ...unknown('total') },
  { ask: '/rpc/unnamed', ...unknown('unnamed') },
  { ask: '/rpc/anything', ...unknown('anything') },
  // Its own form has the functions of the configuration.
  { ask: '/api/v1/rpc/plain', status: 404, headers: { 'accept-profile': 'public' } },
];

const values: readonly Case[] = [
  { ask: '/rpc/nothing_there', text: 'null', has: { 'content-range': '0-0/*' } },
  { ask: '/rpc/a_mood', text: '"ok"' },
  { ask: '/rpc/a_positive', text: '7' },
  { ask: '/rpc/an_array', json: [1, 2] },
  { ask: '/rpc/a_json', json: { a: 1 } },
  { ask: '/rpc/numbers', json: [1, 2, 3, 4, 5], has: { 'content-range': '0-4/*' } },
  { ask: '/rpc/numbers?limit=2&offset=1', json: [2, 3], has: { 'content-range': '1-2/*' } },
  {
    ask: '/rpc/numbers?limit=2',
    headers: counted,
    status: 206,
    json: [1, 2],
    has: { 'content-range': '0-1/5', 'preference-applied': 'count=exact' },
  },
  { ask: '/rpc/numbers', headers: counted, json: [1, 2, 3, 4, 5], has: { 'content-range': '0-4/5' } },
  { ask: '/rpc/numbers', headers: { range: '1-2' }, json: [2, 3], has: { 'content-range': '1-2/*' } },
  { ask: '/rpc/numbers?offset=9', headers: counted, status: 416, json: expect.objectContaining({ code: 'PGRST103' }) },
  { ask: 'POST /rpc/writing_numbers?limit=2&offset=1', json: [2, 3], has: { 'content-range': '1-2/*' } },
  {
    ask: 'POST /rpc/writing_numbers?limit=2',
    headers: counted,
    status: 206,
    json: [1, 2],
    has: { 'content-range': '0-1/5' },
  },
  { ask: 'POST /rpc/writing_numbers', headers: { range: '0-0' }, json: [1, 2, 3, 4, 5] },
  { ask: '/rpc/log_size', text: '3' },
  { ask: '/rpc/writing_numbers', status: 405, json: expect.objectContaining({ code: '25006' }) },
  { ask: '/rpc/plain', headers: counted, text: '"plain"', has: { 'content-range': '0-0/1' } },
  {
    ask: '/rpc/plain',
    headers: object,
    text: '"plain"',
    has: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
  },
  {
    ask: '/rpc/numbers',
    headers: object,
    status: 406,
    json: expect.objectContaining({ code: 'PGRST116', details: 'The result contains 5 rows' }),
  },
  { ask: '/rpc/numbers?limit=1', headers: object, text: '1' },
  {
    ask: 'POST /rpc/writing_numbers',
    headers: object,
    status: 406,
    json: expect.objectContaining({ code: 'PGRST116' }),
  },
  // The write of the refused answer was undone.
  { ask: '/rpc/log_size', text: '3' },
  { ask: '/rpc/plain', headers: csv, text: 'pgrst_scalar\nplain', has: { 'content-type': 'text/csv; charset=utf-8' } },
  { ask: '/rpc/numbers?limit=2', headers: csv, text: 'pgrst_scalar\n1\n2' },
  {
    ask: '/rpc/plain',
    headers: { accept: 'text/plain' },
    status: 406,
    json: expect.objectContaining({ code: 'PGRST107' }),
  },
  {
    ask: 'POST /rpc/adds',
    body: { a: 1 },
    headers: { accept: 'text/html' },
    status: 406,
    json: expect.objectContaining({ code: 'PGRST107' }),
  },
  { ask: '/rpc/plain', headers: { accept: 'text/html, application/json;q=0.5' }, text: '"plain"', has: json },
  { ask: '/rpc/a_record', json: { f1: 1, f2: 'x' } },
  {
    ask: '/rpc/records',
    json: [
      { f1: 1, f2: 'x' },
      { f1: 2, f2: 'y' },
    ],
    has: { 'content-range': '0-1/*' },
  },
  { ask: 'POST /rpc/nothing', status: 204, text: '', has: { 'content-type': null, 'content-range': '0-0/*' } },
  { ask: '/rpc/quiet', status: 204, text: '', has: { 'content-type': null } },
  { ask: '/rpc/nothing', status: 405, json: expect.objectContaining({ code: '25006' }) },
  {
    ask: '/rpc/plain',
    headers: { prefer: 'handling=strict, max-affected=1' },
    status: 400,
    json: expect.objectContaining({ code: 'PGRST128' }),
  },
  {
    ask: 'POST /rpc/writing_numbers',
    headers: { prefer: 'handling=strict, max-affected=2' },
    status: 400,
    json: expect.objectContaining({ code: 'PGRST124', details: 'The query affects 5 rows' }),
  },
];

const composites: readonly Case[] = [
  { ask: '/rpc/a_point', json: { x: 1, y: 2 }, has: { 'content-range': '0-0/*' } },
  { ask: '/rpc/a_point?select=y', json: { y: 2 } },
  { ask: '/rpc/a_point_domain?select=x', json: { x: 3 } },
  {
    ask: '/rpc/points',
    json: [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
      { x: 5, y: 6 },
    ],
    has: { 'content-range': '0-2/*' },
  },
  { ask: '/rpc/points?x=gt.1&select=y&order=y.desc', json: [{ y: 6 }, { y: 4 }] },
  { ask: '/rpc/points?y=lt.5&select=x', json: [{ x: 1 }, { x: 3 }] },
  { ask: '/rpc/points?select=a:x,text:y::text&limit=1', json: [{ a: 1, text: '2' }] },
  { ask: '/rpc/points?or=(x.eq.1,y.eq.6)&select=x', json: [{ x: 1 }, { x: 5 }] },
  { ask: '/rpc/points?select=x.sum()', json: [{ sum: 9 }] },
  { ask: '/rpc/points?limit=1', headers: csv, text: 'x,y\n1,2' },
  { ask: '/rpc/points?z=eq.1', status: 400, json: expect.objectContaining({ code: '42703' }) },
  { ask: '/rpc/points?select=items(*)', status: 400, json: expect.objectContaining({ code: 'PGRST200' }) },
  {
    ask: 'POST /rpc/writing_points?x=gt.1&select=x&order=x.desc',
    headers: counted,
    json: [{ x: 5 }, { x: 3 }],
    has: { 'content-range': '0-1/2' },
  },
  { ask: 'POST /rpc/writing_points?limit=1', headers: object, json: { x: 1, y: 2 } },
  { ask: '/rpc/out_two?a=2', json: { doubled: 4, tripled: 6 }, has: { 'content-range': '0-0/*' } },
  { ask: 'POST /rpc/out_two?select=tripled', body: { a: 2 }, json: { tripled: 6 } },
  { ask: 'POST /rpc/out_volatile', json: { made: 1 } },
  { ask: '/rpc/pairs?y=is.null', json: [{ x: 3, y: null }] },
  {
    ask: '/rpc/pairs',
    headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    json: [{ x: 1, y: 'p' }, { x: 2, y: 'q' }, { x: 3 }],
  },
  { ask: '/rpc/one_column', json: [{ x: 1 }, { x: 2 }] },
  { ask: 'POST /rpc/one_column?x=eq.2', json: [{ x: 2 }] },
  { ask: '/rpc/one_item?item=2&select=name', json: { name: 'two' } },
  { ask: '/rpc/one_item?item=2', headers: csv, text: 'id,name\n2,two' },
  { ask: '/rpc/all_items?name=like.t*&select=id', json: [{ id: 2 }, { id: 3 }] },
];

const given: readonly Case[] = [
  { ask: 'POST /rpc/a_shape', body: { given: { name: 'n', at: { x: 1, y: 2 }, sides: [3, 4] } }, text: '"n24"' },
  { ask: '/rpc/a_shape?given=(n,"(1,2)","{3,4}")', text: '"n24"' },
  { ask: 'POST /rpc/shapes', body: { given: [{ name: 'a' }, { name: 'b' }] }, text: '2' },
  { ask: 'POST /rpc/an_item', body: { given: { id: 1, name: 'mine' } }, text: '"mine"' },
  { ask: 'POST /rpc/an_item', body: { given: null }, text: 'null' },
];

describe.each(Object.entries({ found, values, composites, given }))('%s', (_, cases) => {
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

test('the configuration names fewer functions, or none', async () => {
  const none = await startMount('callable_none', sql, {}, { functions: [] });
  const some = await startMount('callable_some', sql, {}, { functions: ['public.pl*'] });
  try {
    await play(none, { ask: '/rpc/plain', headers: { 'accept-profile': 'public' }, ...unknown('plain') });
    await play(some, { ask: '/rpc/plain', headers: { 'accept-profile': 'public' }, text: '"plain"' });
    await play(some, { ask: '/rpc/numbers', headers: { 'accept-profile': 'public' }, ...unknown('numbers') });
  } finally {
    await none.stop();
    await some.stop();
  }
});

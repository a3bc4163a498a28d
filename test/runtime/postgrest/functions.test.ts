import { play, startMount, type Case, type Mount } from './support/mount.js';

const sql = `
create table items (id int primary key, name text);
create table log (entry text);
insert into items values (1, 'one'), (2, 'two'), (3, 'three');
create function add(a int, b int default 10) returns int language sql immutable as $$ select a + b $$;
create function plain() returns text language sql stable as $$ select 'plain' $$;
create function over(a int) returns text language sql immutable as $$ select 'a' $$;
create function over(a int, b int) returns text language sql immutable as $$ select 'ab' $$;
create function over(c text) returns text language sql immutable as $$ select 'c' $$;
create function twice(a int) returns text language sql immutable as $$ select 'int' $$;
create function twice(a text) returns text language sql immutable as $$ select 'text' $$;
create function total(variadic v int[]) returns bigint language sql immutable as $$ select sum(x) from unnest(v) x $$;
create function listed(ids int[]) returns setof items language sql stable as
  $$ select * from items where id = any (ids) order by id $$;
create function whole(json) returns text language sql immutable as $$ select json_typeof($1) $$;
create function word(text) returns int language sql immutable as $$ select length($1) $$;
create function bytes(bytea) returns int language sql immutable as $$ select octet_length($1) $$;
create function mark(word text) returns void language sql volatile as $$ insert into log values (word) $$;
create function risky() returns int language plpgsql volatile as $$ begin insert into log values ('x'); return 1; end $$;
create function calm() returns int language sql volatile as $$ select 7 $$;
create function all_items() returns setof items language sql volatile as $$ select * from items order by id $$;
create function one_item(id int) returns items language sql stable as $$ select * from items where items.id = $1 $$;
create function numbers() returns setof int language sql stable as $$ select generate_series(1, 3) $$;
create function out_one(a int, out doubled int) language sql immutable as $$ select a * 2 $$;
create function pairs() returns table (x int, y text) language sql stable as $$ values (1, 'p'), (2, 'q') $$;
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('functions', sql, {}, { functions: ['public.*'] });
});
afterAll(() => mount.stop());

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const csv = { 'content-type': 'text/csv' };

const byGet: readonly Case[] = [
  {
    ask: '/rpc/add?a=1&b=2',
    text: '3',
    has: { 'content-range': '0-0/*', 'content-type': 'application/json; charset=utf-8' },
  },
  { ask: '/rpc/add?a=1', text: '11' },
  { ask: '/rpc/add?a=1&a=5&b=1', text: '6' },
  { ask: '/rpc/plain', text: '"plain"' },
  { ask: '/rpc/total?v=1&v=2&v=3', text: '6' },
  {
    ask: '/rpc/listed?ids={1,3}&select=name',
    json: [{ name: 'one' }, { name: 'three' }],
    has: { 'content-range': '0-1/*' },
  },
  { ask: '/rpc/listed?ids={1,3}&id=eq.3', json: [{ id: 3, name: 'three' }] },
  { ask: '/rpc/one_item?id=2', json: { id: 2, name: 'two' }, has: { 'content-range': '0-0/*' } },
  { ask: '/rpc/numbers', json: [1, 2, 3], has: { 'content-range': '0-2/*' } },
  { ask: '/rpc/out_one?a=4', json: { doubled: 8 } },
  { ask: '/rpc/pairs?y=eq.q', json: [{ x: 2, y: 'q' }] },
  // A function that may write, in a transaction that only reads.
  { ask: '/rpc/calm', text: '7' },
  { ask: 'HEAD /rpc/calm', text: '' },
  { ask: '/rpc/all_items?select=id&limit=2', json: [{ id: 1 }, { id: 2 }], has: { 'content-range': '0-1/*' } },
  { ask: '/rpc/risky', status: 405, json: expect.objectContaining({ code: '25006' }) },
];

const byPost: readonly Case[] = [
  { ask: 'POST /rpc/add', body: { a: 1, b: 2 }, text: '3' },
  {
    ask: 'POST /rpc/add',
    body: [
      { a: 1, b: 2 },
      { a: 5, b: 5 },
    ],
    text: '3',
  },
  { ask: 'POST /rpc/add?columns=a', body: { a: 1, b: 2, c: 3 }, text: '11' },
  { ask: 'POST /rpc/add', body: 'a=1&b=2', headers: form, text: '3' },
  { ask: 'POST /rpc/total', body: 'v=1&v=2', headers: form, text: '3' },
  { ask: 'POST /rpc/total', body: { v: [4, 5] }, text: '9' },
  { ask: 'POST /rpc/add', body: 'a,b\n1,2', headers: csv, text: '3' },
  { ask: 'POST /rpc/plain', text: '"plain"' },
  { ask: 'POST /rpc/whole', body: { a: 1 }, text: '"object"' },
  { ask: 'POST /rpc/whole', body: [1, 2], text: '"array"' },
  { ask: 'POST /rpc/word', body: 'hello', headers: { 'content-type': 'text/plain' }, text: '5' },
  { ask: 'POST /rpc/bytes', body: 'abc', headers: { 'content-type': 'application/octet-stream' }, text: '3' },
  {
    ask: 'POST /rpc/mark',
    body: { word: 'w' },
    status: 204,
    text: '',
    has: { 'content-type': null, 'content-range': '0-0/*' },
  },
  { ask: 'POST /rpc/all_items?id=gt.1&select=id', json: [{ id: 2 }, { id: 3 }], has: { 'content-range': '0-1/*' } },
  {
    ask: 'POST /rpc/all_items?limit=1&select=id',
    headers: { prefer: 'count=exact' },
    status: 206,
    json: [{ id: 1 }],
    has: { 'content-range': '0-0/3', 'preference-applied': 'count=exact' },
  },
  { ask: 'POST /rpc/all_items?select=id', headers: { range: '0-0' }, json: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  {
    ask: 'POST /rpc/add',
    body: 'x',
    headers: { 'content-type': 'text/html' },
    status: 400,
    json: expect.objectContaining({ code: 'PGRST102', message: 'Content-Type not acceptable: text/html' }),
  },
];

const overloads: readonly Case[] = [
  { ask: '/rpc/over?a=1', text: '"a"' },
  { ask: '/rpc/over?a=1&b=2', text: '"ab"' },
  { ask: 'POST /rpc/over', body: { c: 'x' }, text: '"c"' },
  {
    ask: '/rpc/twice?a=1',
    status: 300,
    json: {
      code: 'PGRST203',
      details: null,
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      message:
        'Could not choose the best candidate function between: public.twice(a => integer), public.twice(a => text)',
    },
  },
  {
    ask: '/rpc/over?d=1&a=1',
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.over with parameters a, d, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.over(a, b)',
      message: 'Could not find the function public.over(a, d) in the schema cache',
    },
  },
  {
    ask: 'POST /rpc/plains',
    body: {},
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.plains without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.plain',
      message: 'Could not find the function public.plains without parameters in the schema cache',
    },
  },
  {
    ask: 'POST /rpc/add',
    body: 'text',
    headers: { 'content-type': 'text/plain' },
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.add with a single unnamed text parameter, but no matches were found in the schema cache.',
      hint: null,
      message: 'Could not find the function public.add in the schema cache',
    },
  },
  {
    ask: 'PATCH /rpc/add',
    status: 405,
    json: { code: 'PGRST101', details: null, hint: null, message: 'Cannot use the PATCH method on RPC' },
  },
];

describe.each(Object.entries({ byGet, byPost, overloads }))('%s', (_, cases) => {
  test.each(cases)('$ask', (each) => play(mount, each));
});

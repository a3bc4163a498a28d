import { play, startMount, type Case, type Mount } from './support/mount.js';

const sql = `
create type spot as (x int, y text);
create table items (
  id int primary key, name text, "a.b" text, "order" int, size int, tags text[], data jsonb, at spot);
create table parts (id int primary key, item_id int references items, name text);
insert into items values
  (1, 'one', 'dot', 5, 10, '{a,b}', '{"k": {"n": [1, 2]}, "t": "x"}', '(1,p)'),
  (2, 'two', 'dash', 6, null, '{}', '{"t": "y"}', null),
  (3, 'a,b', null, 7, 30, null, null, '(3,q)'),
  (4, 'say "hi"', null, null, 40, '{c}', 'null', null),
  (5, null, null, null, 50, null, null, null);
insert into parts values (1, 1, 'p1'), (2, 1, 'p2'), (3, 2, 'p3');
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('grammar', sql);
});
afterAll(() => mount.stop());

const ids = (...all: number[]): unknown => all.map((id) => ({ id }));
const rows = (query: string, ...all: number[]): Case => ({
  ask: `/items?select=id&order=id&${query}`,
  json: ids(...all),
});
const refused = (ask: string, code: string, status = 400): Case => ({
  ask,
  status,
  json: expect.objectContaining({ code }) as unknown,
});

const filters: readonly Case[] = [
  rows('id=eq.1', 1),
  rows('id=eq.1&id=eq.2'),
  rows('id=gt.1&id=lt.3', 2),
  rows('id=not.eq.1', 2, 3, 4, 5),
  rows('id=in.(1,3)', 1, 3),
  rows('id=in.()'),
  rows('id=not.in.()', 1, 2, 3, 4, 5),
  rows('id=in.("")'),
  rows('id=in. (1,2)', 1, 2),
  rows('id=in.(1,2) and more', 1, 2),
  rows('name=in.("a,b",two)', 2, 3),
  rows('name=in.(one,say "hi")', 1, 4),
  rows('name=in.("say \\"hi\\"")', 4),
  rows('name=eq.say "hi"', 4),
  rows('name=eq.a,b', 3),
  rows('size=is.null', 2),
  rows('size=is.NULL', 2),
  rows('size=is.nullable', 2),
  rows('size=is.not_null', 1, 3, 4, 5),
  rows('size=not.is.null', 1, 3, 4, 5),
  rows('name=like.*o*', 1, 2),
  rows('name=ilike(any).{O*,T*}', 1, 2),
  rows('name=like(all).{*o*,*n*}', 1),
  rows('name=match.^t', 2),
  rows('name=imatch.^T', 2),
  rows('size=isdistinct.10', 2, 3, 4, 5),
  rows('size=eq(any).{10,30}', 1, 3),
  rows('tags=cs.{a}', 1),
  rows('tags=ov.{a,c}', 1, 4),
  rows('"a.b"=eq.dot', 1),
  rows('"order"=eq.6', 2),
  rows(' id =eq.1', 1),
  rows('id::text=eq.1', 1),
  rows('data->>t=eq.y', 2),
  rows('data->k->n->>1=eq.2', 1),
  rows('tags->>0=eq.a', 1),
  rows('tags->0=eq."a"', 1),
  rows('at->>y=eq.q', 3),
  rows('ignored', 1, 2, 3, 4, 5),
];

const logic: readonly Case[] = [
  rows('or=(id.eq.1,id.eq.2)', 1, 2),
  rows('or=( id.eq.1 , id.eq.2 )', 1, 2),
  rows('and=(id.gt.1,or(id.eq.2, name.eq.one))', 2),
  rows('or=(and (id.gt.1,id.lt.3) , id.eq.5)', 2, 5),
  rows('not.or=(id.eq.1,id.eq.2)', 3, 4, 5),
  rows('or=(not.and(id.gt.1,id.lt.5),id.eq.3)', 1, 3, 5),
  rows('or=(id.not.eq.1,id.eq.1)', 1, 2, 3, 4, 5),
  rows('or=(name.eq."a,b",name.eq."say \\"hi\\"")', 3, 4),
  rows('or=(id.in.(1,2),tags.cs.{c})', 1, 2, 4),
  rows('or=(id.eq.1,id.eq.2)dropped', 1, 2),
  rows('and=(data->>t.eq.x)', 1),
  refused('/items?or=()', 'PGRST100'),
  refused('/items?or=', 'PGRST100'),
  refused('/items?or=(id.eq.1', 'PGRST100'),
  refused('/items?or=(nope.1)', 'PGRST100'),
];

const select: readonly Case[] = [
  { ask: '/items?select=id,name&id=eq.1', json: [{ id: 1, name: 'one' }] },
  { ask: '/items?select= id , name &id=eq.1', json: [{ id: 1, name: 'one' }] },
  { ask: '/items?select=id,"a.b"&id=eq.1', json: [{ id: 1, 'a.b': 'dot' }] },
  { ask: '/items?select=n: name &id=eq.1', json: [{ n: 'one' }] },
  { ask: '/items?select=id&select=name&id=eq.1', json: [{ id: 1 }] },
  { ask: '/items?select=id)name&id=eq.1', json: [{ id: 1 }] },
  { ask: '/items?select=id::text&id=eq.1', json: [{ id: '1' }] },
  { ask: '/items?select=id,parts (name)&id=eq.2', json: [{ id: 2, parts: [{ name: 'p3' }] }] },
  { ask: '/items?select=id,parts( name )&id=eq.2', json: [{ id: 2, parts: [{ name: 'p3' }] }] },
  { ask: '/items?select=id,parts()&id=eq.2', json: [{ id: 2 }] },
  { ask: '/items?select=id,parts!parts_item_id_fkey!inner(id)&id=eq.2', json: [{ id: 2, parts: [{ id: 3 }] }] },
  { ask: '/items?select=id,parts!inner!parts_item_id_fkey(id)&id=eq.2', json: [{ id: 2, parts: [{ id: 3 }] }] },
  { ask: '/items?select=data->k->n->0&id=eq.1', json: [{ n: 1 }] },
  { ask: '/items?select=tags->0,last:tags->>-1&id=eq.1', json: [{ tags: 'a', last: 'b' }] },
  { ask: '/items?select=at->x,y:at->>y&id=eq.1', json: [{ x: 1, y: 'p' }] },
  { ask: '/items?select=&id=eq.5&limit=1', json: [expect.objectContaining({ id: 5, size: 50 })] },
  refused('/items?select=id,parts( )', 'PGRST100'),
  refused('/items?select=id,parts(name) x', 'PGRST100'),
  refused('/items?select=id,,name', 'PGRST100'),
];

const order: readonly Case[] = [
  { ask: '/items?select=id&order= size.desc.nullslast , id &limit=2', json: ids(5, 4) },
  { ask: '/items?select=id&order=size.nullsfirst&limit=1', json: ids(2) },
  { ask: '/items?select=id&order=at->>y.desc.nullslast&limit=1', json: ids(3) },
  refused('/items?order=id.ac', 'PGRST100'),
  refused('/items?order=', 'PGRST100'),
  refused('/items?order=id.asc x', 'PGRST100'),
];

const pages: readonly Case[] = [
  { ask: '/items?select=id&order=id&limit=2&offset=1', json: ids(2, 3), has: { 'content-range': '1-2/*' } },
  { ask: '/items?select=id&order=id&limit=x&offset=y', json: ids(1, 2, 3, 4, 5), has: { 'content-range': '0-4/*' } },
  { ask: '/items?select=id&limit=0', json: [], has: { 'content-range': '*/*' } },
  { ask: '/items?select=id&order=id&offset=-1&limit=3', json: ids(1, 2) },
  { ask: '/items?select=id&order=id&offset=-1', json: ids(1, 2, 3, 4, 5) },
  {
    ask: '/items?limit=-1',
    status: 416,
    json: {
      code: 'PGRST103',
      details: 'Limit should be greater than or equal to zero.',
      hint: null,
      message: 'Requested range not satisfiable',
    },
  },
  { ask: '/items?select=id&order=id', headers: { range: '1-2' }, json: ids(2, 3), has: { 'content-range': '1-2/*' } },
  { ask: '/items?select=id&order=id', headers: { range: 'x' }, json: ids(1, 2, 3, 4, 5) },
  { ask: 'HEAD /items?select=id', headers: { range: '1-2' }, text: '', has: { 'content-range': '0-4/*' } },
  {
    ask: '/items',
    headers: { range: '3-1' },
    status: 416,
    json: {
      code: 'PGRST103',
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      hint: null,
      message: 'Requested range not satisfiable',
    },
  },
  { ask: '/items?limit=2', headers: { range: '5-9' }, status: 416 },
  {
    ask: '/items?select=parts(id)&parts.limit=-1',
    status: 400,
    json: { code: '2201W', details: null, hint: null, message: 'LIMIT must not be negative' },
  },
  {
    ask: '/items?select=parts(id)&parts.offset=-1',
    status: 400,
    json: { code: '2201X', details: null, hint: null, message: 'OFFSET must not be negative' },
  },
];

describe.each(Object.entries({ filters, logic, select, order, pages }))('%s', (_, cases) => {
  test.each(cases)('$ask', (each) => play(mount, each));
});

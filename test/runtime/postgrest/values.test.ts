import { play, startMount, type Case, type Mount } from './support/mount.js';

const sql = `
create extension ltree;
create extension isn;
create type spot as (x int, y int);
create type shape as (label text, at spot, sides int[]);
create table places (id int primary key, path ltree, code isbn13, shape shape, numbers int[], spots spot[], data jsonb);
insert into places values
  (1, 'top.science', '978-0-306-40615-7', ('s', (1, 2), '{3,4}'), '{10,20,30}', array[(1, 2), (3, 4)]::spot[], '{"a": [1, {"b": "c"}]}'),
  (2, 'top.science.physics', null, ('t', (5, 6), '{}'), '{7}', null, '{"a": []}'),
  (3, 'top.art', null, null, null, null, null);
create table kinds (id int primary key, name text);
create table things (id int primary key, kind_id int references kinds, size int, name text);
insert into kinds values (1, 'b'), (2, 'a');
insert into things values (1, 1, 5, 'p'), (2, 1, 6, 'q'), (3, 2, 7, 'r'), (4, null, 8, 's');
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('values', sql);
});
afterAll(() => mount.stop());

const ids = (...all: number[]): { readonly json: unknown } => ({ json: all.map((id) => ({ id })) });

const operators: readonly Case[] = [
  { ask: '/places?path=cd.top.science&select=id&order=id', ...ids(1, 2) },
  { ask: '/places?path=cs.top.science.physics&select=id&order=id', ...ids(1, 2) },
  { ask: '/places?path=eq.top.art&select=id', ...ids(3) },
  { ask: '/places?path=gt.top.art&select=id&order=id', ...ids(1, 2) },
  { ask: '/places?path=in.(top.art,top.science)&select=id&order=id', ...ids(1, 3) },
  { ask: '/places?path=not.cd.top.science&select=id', ...ids(3) },
  { ask: '/places?select=path&id=eq.1', json: [{ path: 'top.science' }] },
  { ask: '/places?code=eq.978-0-306-40615-7&select=id', ...ids(1) },
  { ask: '/places?code=eq.9780306406157&select=id,code', json: [{ id: 1, code: '978-0-306-40615-7' }] },
  { ask: '/places?code=in.(9780306406157)&select=id', ...ids(1) },
  { ask: '/places?id=in.()&select=id', json: [] },
  { ask: '/places?id=not.in.()&select=id&order=id', ...ids(1, 2, 3) },
  { ask: '/places?or=(id.in.(),id.eq.1)&select=id', ...ids(1) },
];

const paths: readonly Case[] = [
  { ask: '/places?select=n:numbers->0&id=eq.1', json: [{ n: 10 }] },
  { ask: '/places?select=numbers->-1&id=eq.1', json: [{ numbers: 30 }] },
  { ask: '/places?select=n:numbers->>1&id=eq.1', json: [{ n: '20' }] },
  { ask: '/places?select=n:numbers->9&id=eq.1', json: [{ n: null }] },
  { ask: '/places?select=shape->label&id=eq.1', json: [{ label: 's' }] },
  { ask: '/places?select=shape->>label&id=eq.1', json: [{ label: 's' }] },
  { ask: '/places?select=shape->at->x&id=eq.1', json: [{ x: 1 }] },
  { ask: '/places?select=x:shape->at->>x&id=eq.1', json: [{ x: '1' }] },
  { ask: '/places?select=s:shape->sides->1&id=eq.1', json: [{ s: 4 }] },
  { ask: '/places?select=s:spots->1->y&id=eq.1', json: [{ s: 4 }] },
  { ask: '/places?shape->>label=eq.t&select=id', ...ids(2) },
  { ask: '/places?shape->at->x=eq.5&select=id', ...ids(2) },
  { ask: '/places?numbers->0=eq.10&select=id', ...ids(1) },
  { ask: '/places?numbers->>0=eq.7&select=id', ...ids(2) },
  { ask: '/places?select=id&order=shape->at->x.desc.nullslast', ...ids(2, 1, 3) },
  { ask: '/places?select=id&order=numbers->0.asc', ...ids(2, 1, 3) },
  { ask: '/places?select=b:data->a->1->>b&id=eq.1', json: [{ b: 'c' }] },
  { ask: '/places?data->a->0=eq.1&select=id', ...ids(1) },
  { ask: '/places?id->x=eq.1&select=id', status: 400 },
];

const groups: readonly Case[] = [
  {
    ask: '/things?select=size.sum(),...kinds(name)&order=kinds(name)',
    json: [
      { sum: 7, name: 'a' },
      { sum: 11, name: 'b' },
      { sum: 8, name: null },
    ],
  },
  {
    ask: '/things?select=size.sum(),...kinds(kind:name)&order=kinds(name).desc.nullslast',
    json: [
      { sum: 11, kind: 'b' },
      { sum: 7, kind: 'a' },
      { sum: 8, kind: null },
    ],
  },
  {
    ask: '/things?select=kind_id,count()&order=kind_id.desc.nullslast',
    json: [
      { kind_id: 2, count: 1 },
      { kind_id: 1, count: 2 },
      { kind_id: null, count: 1 },
    ],
  },
];

const rows = { prefer: 'return=representation, tx=rollback' };
const writes: readonly Case[] = [
  {
    ask: 'PATCH /things?kind_id=eq.1&order=id.desc&select=id',
    body: { size: 1 },
    headers: rows,
    json: [{ id: 2 }, { id: 1 }],
  },
  {
    ask: 'PATCH /things?id=gt.0&order=size.desc.nullslast,id&select=id',
    body: { name: 'x' },
    headers: rows,
    ...ids(4, 3, 2, 1),
  },
  { ask: 'DELETE /things?id=gt.1&order=name.desc&select=id', headers: rows, ...ids(4, 3, 2) },
  { ask: 'DELETE /things?id=gt.1&order=id&limit=1&select=id', headers: rows, ...ids(2, 3, 4) },
  {
    ask: 'PATCH /things?id=gt.1&limit=1&offset=1',
    body: { name: 'x' },
    headers: { prefer: 'tx=rollback' },
    status: 204,
    has: { 'content-range': '0-2/*' },
  },
  {
    ask: 'POST /things?order=id.desc&select=id',
    body: [{ id: 10 }, { id: 11 }],
    headers: rows,
    status: 201,
    ...ids(11, 10),
  },
  {
    ask: 'PATCH /things?id=gt.2&order=kinds(name)&select=id,kinds(name)',
    body: { size: 0 },
    headers: rows,
    json: [
      { id: 3, kinds: { name: 'a' } },
      { id: 4, kinds: null },
    ],
  },
  {
    ask: 'PATCH /things?id=gt.2&order=nope',
    body: { size: 0 },
    headers: rows,
    status: 400,
    json: expect.objectContaining({ code: '42703' }),
  },
];

describe.each(Object.entries({ operators, paths, groups, writes }))('%s', (_, cases) => {
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

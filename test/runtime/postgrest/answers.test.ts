import { play, startMount, type Case, type Mount } from './support/mount.js';

const sql = `
create table items (id int primary key, name text, note text);
create table keyless (a int, b int);
create table pairs (a int, b text, note text, primary key (a, b));
create table moments (id int primary key, at timestamptz);
create view item_view as select id, name from items;
create view counted_view as select count(*) as n from items;
create view pair_view as select a, b, note from pairs;
insert into items values (1, 'one', null), (2, 'two', 'n'), (3, 'three', null);
insert into moments values (1, '2024-01-01T12:00:00Z');
create function the_time() returns timestamptz language sql stable as $$ select '2024-01-01T12:00:00Z'::timestamptz $$;
create function written_time() returns setof moments language sql volatile as $$ select * from moments $$;
create function reads(a int default 1) returns int language sql stable as $$ select a $$;
create function writes() returns int language sql volatile as $$ select 1 $$;
create function needs(a int) returns int language sql stable as $$ select a $$;
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('answers', sql);
});
afterAll(() => mount.stop());

const zone = (prefer: string): Pick<Case, 'headers'> => ({ headers: { prefer } });
const moment = (at: string): readonly object[] => [{ id: 1, at }];

const timezone: readonly Case[] = [
  {
    ask: '/moments',
    ...zone('timezone=America/Los_Angeles'),
    json: moment('2024-01-01T04:00:00-08:00'),
    has: { 'preference-applied': 'timezone=America/Los_Angeles' },
  },
  { ask: '/moments', json: moment('2024-01-01T12:00:00+00:00'), has: { 'preference-applied': null } },
  {
    ask: '/rpc/the_time',
    ...zone('timezone=Asia/Tokyo'),
    text: '"2024-01-01T21:00:00+09:00"',
    has: { 'preference-applied': 'timezone=Asia/Tokyo' },
  },
  { ask: 'POST /rpc/written_time', ...zone('timezone=Asia/Tokyo'), json: moment('2024-01-01T21:00:00+09:00') },
  {
    ask: 'PATCH /moments?id=eq.1',
    body: { at: '2024-01-01T12:00:00Z' },
    ...zone('return=representation, timezone=Asia/Tokyo'),
    json: moment('2024-01-01T21:00:00+09:00'),
    has: { 'preference-applied': 'return=representation, timezone=Asia/Tokyo' },
  },
  {
    ask: 'POST /moments',
    body: { id: 2, at: '2024-01-01T12:00:00' },
    ...zone('return=representation, timezone=Asia/Tokyo, tx=rollback'),
    status: 201,
    json: [{ id: 2, at: '2024-01-01T12:00:00+09:00' }],
    has: { 'preference-applied': 'return=representation, tx=rollback, timezone=Asia/Tokyo' },
  },
  {
    ask: '/moments',
    ...zone('timezone=Jupiter/Red_Spot'),
    status: 400,
    json: expect.objectContaining({ code: '22023' }),
  },
  {
    ask: '/moments',
    ...zone('handling=strict, timezone=Asia/Tokyo'),
    has: { 'preference-applied': 'handling=strict, timezone=Asia/Tokyo' },
  },
  // Its own form does not know the preference.
  { ask: '/api/v1/moments', ...zone('handling=strict, timezone=Asia/Tokyo'), status: 400 },
];

const applied: readonly Case[] = [
  { ask: '/items', ...zone('count=exact'), has: { 'preference-applied': 'count=exact', 'content-range': '0-2/3' } },
  {
    ask: '/items',
    ...zone('handling=lenient, count=exact'),
    has: { 'preference-applied': 'count=exact, handling=lenient' },
  },
  {
    ask: '/items',
    ...zone('tx=commit, count=planned, unknown=1'),
    status: 206,
    has: { 'preference-applied': 'count=planned, tx=commit' },
  },
  { ask: '/items', ...zone('return=representation'), has: { 'preference-applied': null } },
  { ask: '/rpc/reads', ...zone('count=exact'), has: { 'preference-applied': 'count=exact', 'content-range': '0-0/1' } },
  {
    ask: 'POST /rpc/writes',
    ...zone('handling=strict, tx=rollback'),
    has: { 'preference-applied': 'tx=rollback, handling=strict' },
  },
  {
    ask: 'POST /items?on_conflict=id',
    body: { id: 1, name: 'one' },
    ...zone('return=minimal, missing=default, resolution=merge-duplicates, count=exact, tx=rollback'),
    has: {
      'preference-applied': 'resolution=merge-duplicates, missing=default, return=minimal, count=exact, tx=rollback',
      'content-range': '*/1',
    },
  },
  {
    ask: 'POST /keyless',
    body: { a: 1 },
    ...zone('resolution=merge-duplicates, tx=rollback'),
    status: 201,
    has: { 'preference-applied': 'tx=rollback' },
  },
  {
    ask: 'PATCH /items?id=eq.1',
    body: { name: 'x' },
    ...zone('max-affected=1, handling=strict, tx=rollback, count=exact, resolution=merge-duplicates'),
    status: 204,
    has: {
      'preference-applied': 'count=exact, tx=rollback, handling=strict, max-affected=1',
      'content-range': '0-0/1',
    },
  },
  {
    ask: 'DELETE /items?id=eq.1',
    ...zone('missing=default, return=headers-only, tx=rollback'),
    status: 204,
    has: { 'preference-applied': 'return=headers-only, tx=rollback' },
  },
];

const all = 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE';
const options: readonly Case[] = [
  { ask: 'OPTIONS /items', text: '', has: { allow: all } },
  { ask: 'OPTIONS /pairs', text: '', has: { allow: all } },
  { ask: 'OPTIONS /keyless', text: '', has: { allow: 'OPTIONS,GET,HEAD,POST,PATCH,DELETE' } },
  { ask: 'OPTIONS /item_view', text: '', has: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' } },
  { ask: 'OPTIONS /counted_view', text: '', has: { allow: 'OPTIONS,GET,HEAD' } },
  { ask: 'OPTIONS /missing', status: 404, json: expect.objectContaining({ code: 'PGRST205' }) },
  { ask: 'OPTIONS /rpc/reads', text: '', has: { allow: 'OPTIONS,GET,HEAD,POST' } },
  { ask: 'OPTIONS /rpc/writes', text: '', has: { allow: 'OPTIONS,POST' } },
  { ask: 'OPTIONS /rpc/needs', status: 404, json: expect.objectContaining({ code: 'PGRST202' }) },
  { ask: 'OPTIONS /', status: 200, has: { allow: 'OPTIONS,GET,HEAD' } },
  { ask: 'OPTIONS /api/v1/items', status: 204, has: { allow: 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS' } },
];

const headersOnly = { prefer: 'return=headers-only, tx=rollback' };
const places: readonly Case[] = [
  {
    ask: 'POST /items',
    body: { id: 9 },
    headers: headersOnly,
    status: 201,
    has: { location: '/rest/v1/items?id=eq.9', 'content-range': '*/*' },
  },
  {
    ask: 'POST /item_view',
    body: { id: 9 },
    headers: headersOnly,
    status: 201,
    has: { location: '/rest/v1/item_view?id=eq.9' },
  },
  {
    ask: 'POST /pairs',
    body: { a: 1, b: 'x y/z' },
    headers: headersOnly,
    status: 201,
    has: { location: '/rest/v1/pairs?a=eq.1&b=eq.x%20y%2Fz' },
  },
  {
    ask: 'POST /pair_view',
    body: { a: 1, b: 'x' },
    headers: headersOnly,
    status: 201,
    has: { location: '/rest/v1/pair_view?a=eq.1&b=eq.x' },
  },
  { ask: 'POST /keyless', body: { a: 1 }, headers: headersOnly, status: 201, has: { location: null } },
  { ask: 'POST /items', body: [{ id: 8 }, { id: 9 }], headers: headersOnly, status: 201, has: { location: null } },
  {
    ask: 'POST /items',
    body: { id: 9 },
    headers: { prefer: 'return=minimal, tx=rollback' },
    status: 201,
    has: { location: null },
  },
  {
    ask: '/items?select=id&id=gt.1&order=id',
    has: { 'content-location': '/rest/v1/items?id=gt.1&order=id&select=id' },
  },
  { ask: '/items', has: { 'content-location': '/rest/v1/items' } },
  { ask: 'HEAD /items?id=gt.1&id=lt.3', has: { 'content-location': '/rest/v1/items?id=gt.1,lt.3' } },
  {
    ask: '/items?name=in.("a b",c)',
    json: [],
    has: { 'content-location': '/rest/v1/items?name=in.%28%22a%20b%22%2Cc%29' },
  },
  // Node.js's fetch refuses headers of more than 16 kB.
  { ask: `/items?id=in.(${'9,'.repeat(2_000)}9)`, json: [], has: { 'content-location': null } },
  {
    ask: 'POST /pairs',
    body: { a: 1, b: 'x'.repeat(5_000) },
    headers: headersOnly,
    status: 201,
    has: { location: null },
  },
  { ask: '/items?stray', has: { 'content-location': '/rest/v1/items?stray=' } },
  { ask: '/rpc/reads?a=2', has: { 'content-location': null } },
  {
    ask: 'PATCH /items?id=eq.99',
    body: { name: 'x' },
    status: 204,
    has: { 'content-location': null, 'content-range': '*/*' },
  },
  { ask: '/missing', status: 404, has: { 'proxy-status': 'PostgREST; error=PGRST205', 'content-location': null } },
  { ask: '/items?id=eq.x', status: 400, has: { 'proxy-status': 'PostgREST; error=22P02' } },
  { ask: '/items', has: { 'proxy-status': null } },
  { ask: '/api/v1/missing', status: 404, has: { 'proxy-status': null } },
  {
    ask: '/items',
    has: {
      'server-timing': expect.stringMatching(
        /^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$/,
      ) as string,
    },
  },
  {
    ask: 'POST /rpc/writes',
    has: {
      'server-timing': expect.stringMatching(
        /^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$/,
      ) as string,
    },
  },
  { ask: '/api/v1/items', has: { 'server-timing': expect.stringMatching(/^parse;dur=\d+\.\d\d, plan/) as string } },
];

describe.each(Object.entries({ timezone, applied, options, places }))('%s', (_, cases) => {
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

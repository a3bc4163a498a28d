import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Facts of PostgREST that clients seldom meet: edges of its grammar, of its headers and texts. */
const sql = `
create table clients (id int primary key, name text, code text unique);
create table keyless (code text unique, n int);
create table projects (id int primary key, name text, client_id int references clients, data jsonb, cost int);
create table bits (b bit(5));
insert into clients values (1, 'Microsoft', 'ms'), (2, null, '"');
insert into projects values
  (1, 'W', 1, '{"a": [1, 2, 3], "+1": 4, "!@#$%^&*_d": {"x y": 5}}', 3), (2, 'I', 2, null, 4), (3, null, null, null, 5);
insert into keyless values ('a', 1);
create function deep(n int) returns int language plpgsql as $$ begin return deep(n + 1); end $$;
create function proc() returns setof projects language sql stable as $$ select * from projects $$;
`;

let mount: Mount;
beforeAll(async () => {
  mount = await startMount('edges', sql);
});
afterAll(() => mount.stop());

const accept = (type: string): Pick<Case, 'headers'> => ({ headers: { accept: type } });

describe('stripped nulls', () => {
  const stripped = (type: string): NonNullable<Case['has']> => ({
    'content-type': `${type};nulls=stripped; charset=utf-8`,
  });
  const [array, object] = ['application/vnd.pgrst.array', 'application/vnd.pgrst.object'];
  const row = { id: 2, code: '"' };
  const cases: readonly Case[] = [
    { ask: '/clients?id=eq.2', ...accept(`${array};nulls=stripped`), json: [row], has: stripped(`${array}+json`) },
    { ask: '/clients?id=eq.2', ...accept(`${array}+json;nulls=stripped`), json: [row], has: stripped(`${array}+json`) },
    {
      ask: '/clients?id=eq.2',
      ...accept(`text/html, ${array}+json;charset=utf-8;nulls=stripped;q=0.5`),
      json: [row],
      has: stripped(`${array}+json`),
    },
    {
      ask: '/clients?id=eq.2',
      ...accept(`application/json, ${array}+json;nulls=stripped;q=0.5`),
      json: [{ ...row, name: null }],
      has: { 'content-type': 'application/json; charset=utf-8' },
    },
    { ask: '/clients?id=eq.2', ...accept(`${object};nulls=stripped`), json: row, has: stripped(`${object}+json`) },
  ];
  test.each(cases)('$headers', (each) => play(mount, each));
});

describe('Preference-Applied has the resolution where there is a key, or on_conflict', () => {
  const merge = { prefer: 'resolution=merge-duplicates' };
  const ignore = { prefer: 'resolution=ignore-duplicates' };
  const body = [{ code: 'a', n: 2 }];
  const cases: readonly Case[] = [
    {
      ask: 'POST /keyless?on_conflict=code',
      headers: merge,
      body,
      status: 200,
      has: { 'preference-applied': merge.prefer },
    },
    {
      ask: 'POST /keyless?on_conflict=code',
      headers: ignore,
      body,
      status: 201,
      has: { 'preference-applied': ignore.prefer },
    },
    { ask: 'POST /keyless', headers: merge, body: [{ code: 'b' }], status: 201, has: { 'preference-applied': null } },
  ];
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

describe('edges of the grammar', () => {
  const one = [{ id: 1 }];
  const cases: readonly Case[] = [
    { ask: '/projects?select=id&and=( and ( id.in.( 1, 2 ) , id.eq.1 ) )', json: one },
    { ask: '/projects?select=id&or=(id.in.( 1 ) ,id.eq.9)', json: one },
    { ask: '/projects?select=id&id=in.(%20)', json: [] },
    { ask: '/projects?select=id&id=in.( 1)', json: one },
    { ask: '/clients?select=id&code=in.(")', json: [{ id: 2 }] },
    { ask: '/clients?select=id&code=in.(",ms)&order=id', json: [{ id: 1 }, { id: 2 }] },
    { ask: '/clients?select=id&or=(code.eq.")', json: [{ id: 2 }] },
    { ask: '/clients?select=id&or=(code.eq."m"s)', json: [] },
    { ask: '/projects?select=data->a->%2B1&id=eq.1', json: [{ '+1': null }] },
    { ask: '/projects?select=data->%2B1&id=eq.1', json: [{ '+1': 4 }] },
    { ask: '/projects?select=data->a->-1&id=eq.1', json: [{ a: 3 }] },
    { ask: '/projects?select=data->!@%23$%25^%26*_d->>x y&id=eq.1', json: [{ 'x y': '5' }] },
    { ask: '/projects?select=id&data->!@%23$%25^%26*_d->>x y=eq.5', json: one },
  ];
  test.each(cases)('$ask', (each) => play(mount, each));
});

describe('an embedded table with nothing but empty embedded tables is not shown', () => {
  const cases: readonly Case[] = [
    { ask: '/projects?select=id,clients(projects())&id=eq.1', json: [{ id: 1 }] },
    { ask: '/projects?select=id,clients!inner(projects())&order=id', json: [{ id: 1 }, { id: 2 }] },
    { ask: '/projects?select=id,clients(projects(),name)&id=eq.1', json: [{ id: 1, clients: { name: 'Microsoft' } }] },
    { ask: '/rpc/proc?select=id,clients(projects(clients()))&id=eq.1', json: [{ id: 1 }] },
  ];
  test.each(cases)('$ask', (each) => play(mount, each));
});

describe('texts of PostgreSQL that hold no value of a row', () => {
  const said = (code: string, message: string, hint: string | null = null): Pick<Case, 'json'> => ({
    json: { code, details: null, hint, message },
  });
  const cases: readonly Case[] = [
    {
      ask: '/rpc/deep?n=1',
      status: 500,
      ...said('54001', 'stack depth limit exceeded', expect.stringContaining('max_stack_depth') as string),
    },
    {
      ask: 'POST /bits',
      body: [{ b: '10' }],
      status: 400,
      ...said('22026', 'bit string length 2 does not match type bit(5)'),
    },
  ];
  test.each(cases)('$ask', (each) => play(mount, each));
});

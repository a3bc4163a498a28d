import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Facts of PostgREST's pages "API" and "Errors", and of Parsec's messages, which it answers. */
const sql = `
create table clients (id int primary key, name text);
create table projects (id int primary key, name text, client_id int references clients, done boolean, data json);
create table codes (id int primary key, code char(3));
create table rows (a text, b text);
create view open_projects as select id, name from projects where done is not true;
insert into clients values (1, 'Microsoft'), (2, 'Apple');
insert into projects values
  (1, 'Windows 7', 1, true, '{"a": {"x": 1}, "b": {"x": 2}}'), (2, 'IOS', 2, false, null), (3, 'Say "Hi"', null, null, null);
create function numbers() returns setof int language sql stable as $$ values (1), (2) $$;
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('conformance', sql);
});
afterAll(() => mount.stop());

const accept = (type: string): Pick<Case, 'headers'> => ({ headers: { accept: type } });
const is = (type: string): Pick<Case, 'has'> => ({ has: { 'content-type': type } });
const json = 'application/json; charset=utf-8';
const csv = 'text/csv; charset=utf-8';
const error = (code: string, message: string, details: string | null = null, hint: string | null = null) => ({
  json: { code, details, hint, message },
});
const unread = (what: string, column: number, details: string) => ({
  status: 400,
  ...error('PGRST100', `"failed to parse ${what}" (line 1, column ${String(column)})`, details),
});

describe('Accept', () => {
  const refused = (...types: readonly string[]) => ({
    status: 406,
    ...error('PGRST107', `None of these media types are available: ${types.join(', ')}`),
  });
  const cases: readonly Case[] = [
    { ask: '/clients', ...accept('text/*'), ...refused('text/*') },
    { ask: '/clients', ...accept('application/*'), ...refused('application/*') },
    { ask: '/clients', ...accept('text/*, */*;q=0.1'), ...is(json) },
    { ask: '/clients', ...accept('application/vnd.pgrst.array'), ...is(json) },
    { ask: '/clients', ...accept('text/csv;q=0'), ...is(csv) },
    { ask: '/clients', ...accept('text/csv;q=x, application/json;q=0.9'), ...is(csv) },
    { ask: '/clients', ...accept('*/*, text/csv'), ...is(csv) },
    { ask: '/clients', ...accept('text/html, text/csv;q=0.5, application/json;q=0.6'), ...is(json) },
    { ask: '/clients', ...accept('image/png;q=0.1, Text/HTML ; charset=x'), ...refused('text/html', 'image/png') },
  ];
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

describe('CSV is PostgreSQL’s text of each row', () => {
  const cases: readonly Case[] = [
    {
      ask: '/projects?select=id,name,client_id,done&order=id',
      text: 'id,name,client_id,done\n1,"Windows 7",1,t\n2,IOS,2,f\n3,"Say ""Hi""",,',
    },
    { ask: '/projects?select=id,clients(name)&id=eq.1', text: 'id,clients\n1,"{""name"":""Microsoft""}"' },
    { ask: '/projects?id=eq.9', text: '\n' },
    { ask: '/rpc/numbers', text: 'pgrst_scalar\n1\n2' },
  ];
  test.each(cases)('$ask', (each) => play(mount, { ...each, ...accept('text/csv') }));
});

describe('paths and ranges', () => {
  const invalid = { status: 404, ...error('PGRST125', 'Invalid path specified in request URL') };
  const cases: readonly Case[] = [
    { ask: '/clients/', ...invalid },
    { ask: '/clients/1', ...invalid },
    // The answer of a read, but for its body and its status.
    {
      ask: '/clients?offset=3',
      headers: { prefer: 'count=exact' },
      status: 416,
      ...error(
        'PGRST103',
        'Requested range not satisfiable',
        'An offset of 3 was requested, but there are only 2 rows.',
      ),
      has: {
        ...{ 'content-range': '*/2', 'content-location': '/rest/v1/clients?offset=3', 'proxy-status': null },
        ...{ 'preference-applied': 'count=exact', 'content-type': json },
      },
    },
    { ask: '/clients?offset=2', headers: { prefer: 'count=exact' }, status: 206, json: [] },
  ];
  test.each(cases)('$ask', (each) => play(mount, each));
});

describe('texts of PGRST100', () => {
  const all = '"asc", "desc", "nullsfirst" or "nullslast"';
  const places = '"nullsfirst" or "nullslast"';
  const cases: readonly Case[] = [
    { ask: '/clients?order=id.ac', ...unread('order (id.ac)', 4, `unexpected "c" expecting ${all}`) },
    { ask: '/clients?order=id.nulsfist', ...unread('order (id.nulsfist)', 4, `unexpected "n" expecting ${all}`) },
    { ask: '/clients?order=id.smth34', ...unread('order (id.smth34)', 4, `unexpected "s" expecting ${all}`) },
    {
      ask: '/clients?order=id.descc',
      ...unread('order (id.descc)', 8, `unexpected 'c' expecting delimiter (.), "," or end of input`),
    },
    {
      ask: '/clients?order=id.nullslasttt',
      ...unread('order (id.nullslasttt)', 13, `unexpected 't' expecting "," or end of input`),
    },
    {
      ask: '/clients?order=id.asc.nlsfst',
      ...unread('order (id.asc.nlsfst)', 8, `unexpected "l" expecting ${places}`),
    },
    {
      ask: '/clients?order=id.asc.nullslasttt',
      ...unread('order (id.asc.nullslasttt)', 17, `unexpected 't' expecting "," or end of input`),
    },
    {
      ask: '/clients?order=id.asc.smth34',
      ...unread('order (id.asc.smth34)', 8, `unexpected "s" expecting ${places}`),
    },
    { ask: '/clients?nope=b', ...unread('filter (b)', 1, 'unexpected "b" expecting "not" or operator (eq, gt, ...)') },
    { ask: '/clients?or=)(', ...unread('logic tree ()()', 3, 'unexpected ")" expecting "("') },
    {
      ask: '/clients?and=(ord(id.eq.1,id.eq.1),id.eq.2)',
      ...unread('logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))', 7, 'unexpected "d" expecting "("'),
    },
    {
      ask: '/clients?or=(id.eq.1,not.xor(id.eq.2,id.eq.3))',
      ...unread(
        'logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))',
        16,
        'unexpected "x" expecting logic operator (and, or)',
      ),
    },
    {
      ask: '/clients?or=(id.eq.1,and)',
      ...unread('logic tree ((id.eq.1,and))', 15, 'unexpected ")" expecting "("'),
    },
    {
      ask: '/clients?or=(id.nope.1)',
      ...unread('logic tree ((id.nope.1))', 7, 'unexpected "n" expecting "not" or operator (eq, gt, ...)'),
    },
    {
      ask: '/projects?select=id,clients(name[])',
      ...unread(
        'select parameter (id,clients(name[]))',
        16,
        `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
      ),
    },
  ];
  test.each(cases)('$ask', (each) => play(mount, each));
  test.each(['id.desc.nullsfirst', 'id.nullslast', 'id.desc , name.asc ', '"id".asc'])('order=%s is read', (order) =>
    play(mount, { ask: `/clients?select=id&order=${order}&limit=0`, json: [] }),
  );
});

describe('bodies of writes', () => {
  const undone = 'tx=rollback';
  const shown = { headers: { prefer: `return=representation, ${undone}` } };
  const minimal = { headers: { prefer: undone } };
  const mismatch = { status: 400, ...error('PGRST115', 'Payload values do not match URL in primary key column(s)') };
  const cases: readonly Case[] = [
    // Filters of a POST mean nothing.
    { ask: 'POST /clients?id=eq.7', ...shown, body: { id: 9 }, status: 201, json: [{ id: 9, name: null }] },
    // Scalars and null have no rows.
    { ask: 'POST /clients', ...shown, body: 'null', status: 201, json: [] },
    { ask: 'POST /clients', ...minimal, body: '5', status: 201, text: '' },
    { ask: 'PATCH /clients?id=eq.1', ...minimal, body: '"x"', status: 204, text: '' },
    {
      ask: 'POST /clients',
      ...minimal,
      body: '[1]',
      status: 400,
      json: expect.objectContaining({ code: 'PGRST102', message: 'All object keys must match' }) as unknown,
    },
    { ask: 'PATCH /clients?id=eq.1', ...shown, body: [], json: [] },
    { ask: 'PATCH /clients?id=eq.1', ...minimal, body: [{}], status: 204, text: '' },
    { ask: 'PATCH /clients?id=eq.1', ...shown, body: [{ name: 'x' }], json: [{ id: 1, name: 'x' }] },
    { ask: 'PATCH /clients?id=eq.1', ...shown, body: ' [ {"name": "x"} ] ', json: [{ id: 1, name: 'x' }] },
    // PUT answers 201 only with the row.
    { ask: 'PUT /clients?id=eq.9', ...minimal, body: { id: 9 }, status: 204, text: '' },
    { ask: 'PUT /clients?id=eq.9', ...shown, body: { id: 9 }, status: 201, json: [{ id: 9, name: null }] },
    { ask: 'PUT /clients?id=eq.9', ...shown, body: [{ id: 9 }], status: 201, json: [{ id: 9, name: null }] },
    { ask: 'PUT /clients?id=eq.9', ...minimal, body: [], ...mismatch },
    { ask: 'PUT /clients?id=eq.9', ...minimal, body: [{ id: 9 }, { id: 8 }], ...mismatch },
    // A planned count of a write is none.
    {
      ask: 'PATCH /clients?id=eq.1',
      headers: { prefer: `count=planned, ${undone}` },
      body: { name: 'x' },
      status: 204,
      has: { 'content-range': '0-0/*', 'preference-applied': 'count=planned, tx=rollback' },
    },
    {
      ask: 'PATCH /clients?id=eq.1',
      headers: { prefer: `count=estimated, ${undone}` },
      body: { name: 'x' },
      status: 204,
      has: { 'content-range': '0-0/1' },
    },
    {
      ask: 'POST /rows',
      headers: { ...shown.headers, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'a=1&b=hello+world',
      status: 201,
      json: [{ a: '1', b: 'hello world' }],
    },
    {
      ask: 'POST /codes',
      ...minimal,
      body: { id: 1, code: 'abcd' },
      status: 400,
      ...error('22001', 'value too long for type character(3)'),
    },
  ];
  test.each(cases)('$ask $body', (each) => play(mount, each));
});

describe('PUT of a view', () => {
  const shown = { headers: { prefer: 'return=representation, tx=rollback' } };
  const cases: readonly Case[] = [
    { ask: 'OPTIONS /open_projects', has: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' } },
    { ask: 'PUT /open_projects?id=eq.2', ...shown, body: { id: 2, name: 'x' }, json: [{ id: 2, name: 'x' }] },
    {
      ask: 'PUT /open_projects?id=eq.8',
      ...shown,
      body: { id: 8, name: 'x' },
      status: 201,
      json: [{ id: 8, name: 'x' }],
    },
    { ask: 'PUT /open_projects?name=eq.IOS', ...shown, body: { id: 2 }, status: 405 },
  ];
  test.each(cases)('$ask', (each) => play(mount, each));
});

describe('Prefer', () => {
  const invalid = (preferences: string) => ({
    status: 400,
    ...error('PGRST122', 'Invalid preferences given with handling=strict', `Invalid preferences: ${preferences}`),
  });
  const prefer = (text: string): Pick<Case, 'headers'> => ({ headers: { prefer: text } });
  const cases: readonly Case[] = [
    { ask: '/clients', ...prefer('handling=strict, Count=exact'), ...invalid('Count=exact') },
    { ask: '/clients', ...prefer('Count=exact'), has: { 'content-range': '0-1/*', 'preference-applied': null } },
    {
      ask: 'PATCH /clients?id=eq.1',
      ...prefer('handling=strict, max-affected=x, tx=rollback'),
      body: { name: 'x' },
      status: 204,
      has: { 'preference-applied': 'tx=rollback, handling=strict' },
    },
    {
      ask: '/clients',
      ...prefer('timezone=Not/Real'),
      status: 400,
      ...error('22023', 'invalid value for parameter "TimeZone": "Not/Real"'),
    },
  ];
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});

test('members of one name are all written', async () => {
  const { text } = await mount.send('GET', '/rest/v1/projects?select=data-%3Ea-%3Ex,data-%3Eb-%3Ex&id=eq.1', {});
  expect(text).toBe('[{"x":1,"x":2}]');
});

test('aggregates of several spread rows are not implemented', () =>
  play(mount, {
    ask: '/clients?select=name,...projects(id.max())',
    status: 400,
    json: expect.objectContaining({
      ...{ code: 'PGRST127', message: 'Feature not implemented' },
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    }) as unknown,
  }));

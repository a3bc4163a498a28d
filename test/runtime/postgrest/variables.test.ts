import { play, type Case } from './support/mount.js';
import { startSecured, type Secured } from './support/secured.js';

/** Source: PostgREST, "Transactions", "Request Headers, Cookies and JWT claims". */
const sql = `
grant usage on schema public to :anon, :user;
create function claims() returns json language sql stable as
  $$ select nullif(current_setting('request.jwt.claims', true), '')::json $$;
create function headers() returns json language sql stable as $$ select current_setting('request.headers')::json $$;
create function header(name text) returns text language sql stable as
  $$ select current_setting('request.headers')::json ->> name $$;
create function cookies() returns json language sql stable as $$ select current_setting('request.cookies')::json $$;
create function place() returns text language sql stable as
  $$ select current_setting('request.method') || ' ' || current_setting('request.path') $$;
create function place_of_write() returns text language sql volatile as
  $$ select current_setting('request.method') || ' ' || current_setting('request.path') $$;
create function teapot() returns text language plpgsql volatile as $$
  begin perform set_config('response.status', '418', true); return 'short and stout'; end $$;
create function seen() returns text language plpgsql stable as $$
  begin perform set_config('response.headers', '[{"Cache-Control": "public"}, {"X-Seen": "yes"}]', true); return 'seen'; end $$;
create function baked() returns void language plpgsql volatile as $$
  begin perform set_config('response.headers', '[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]', true); end $$;
create function says(headers text, status text) returns int language plpgsql volatile as $$ begin
  perform set_config('response.headers', headers, true), set_config('response.status', status, true);
  return 1; end $$;
create table notes (id int primary key, tenant text, body text, visitor text
  default (current_setting('request.headers', true)::json ->> 'x-visitor'));
alter table notes enable row level security;
create policy own on notes using (tenant = current_setting('request.headers', true)::json ->> 'x-tenant');
insert into notes values (1, 'a', 'first', null), (2, 'b', 'second', null), (3, 'b', 'third', null);
create table visits (id int primary key, note text);
create function count_visit() returns trigger language plpgsql as $$ begin
  perform set_config('response.headers', '[{"X-Visit": "' || new.id || '"}]', true);
  perform set_config('response.status', '202', true);
  return new; end $$;
create trigger count_visit before insert on visits for each row execute function count_visit();
grant select, insert, update, delete on notes, visits to :anon, :user;
`;

let mount: Secured;

beforeAll(async () => {
  mount = await startSecured('variables', sql);
});
afterAll(() => mount.stop());

const request: readonly Case[] = [
  { ask: '/rpc/place', text: '"GET /rpc/place"' },
  { ask: '/rpc/place?select=x&y=eq.1', status: 400 },
  { ask: 'POST /rpc/place', body: {}, text: '"POST /rpc/place"' },
  { ask: 'POST /rpc/place_of_write', body: {}, text: '"POST /rpc/place_of_write"' },
  { ask: '/rpc/place_of_write', text: '"GET /rpc/place_of_write"' },
  { ask: '/rpc/pl%61ce', text: '"GET /rpc/pl%61ce"' },
  { ask: '/rpc/cookies', json: {} },
  { ask: '/rpc/cookies', headers: { cookie: 'a=1; b="two"; c=' }, json: { a: '1', b: 'two', c: '' } },
  { ask: '/rpc/header?name=x-own', headers: { 'X-Own': `it's "mine"` }, text: '"it\'s \\"mine\\""' },
  { ask: '/rpc/header?name=cookie', headers: { cookie: 'a=1' }, text: 'null' },
  { ask: '/rpc/header?name=X-Own', headers: { 'X-Own': 'a' }, text: 'null' },
  { ask: '/rpc/header?name=x-own', headers: { 'x-own': Buffer.from('größe').toString('latin1') }, text: '"größe"' },
  { ask: 'POST /rpc/header', body: { name: 'content-type' }, text: '"application/json"' },
];

test.each(request)('$ask', (each) => play(mount, each));

describe('request.jwt.claims', () => {
  const claims = async (headers: Readonly<Record<string, string>>): Promise<unknown> =>
    JSON.parse((await mount.send('GET', '/rest/v1/rpc/claims', headers)).text);

  test('of nobody: the anonymous role', async () => {
    expect(await claims({})).toEqual({ role: mount.anon });
    expect(await claims({ apikey: 'k', authorization: 'Bearer k' })).toEqual({ role: mount.anon });
  });

  test('of a token that names its role: as they were signed', async () => {
    const headers = await mount.bearer({ sub: 'ada', role: mount.user });
    expect(await claims(headers)).toEqual({ exp: expect.any(Number) as number, sub: 'ada', role: mount.user });
  });

  test('of a token that names none: the role it runs in', async () => {
    const headers = await mount.bearer({ sub: 'ada' });
    expect(await claims(headers)).toEqual({ exp: expect.any(Number) as number, sub: 'ada', role: mount.user });
  });

  test('numbers keep their digits beside an added role', async () => {
    const { text } = await mount.send(
      'GET',
      '/rest/v1/rpc/claims',
      await mount.bearer({ ratio: 1.5, big: 9007199254740991 }),
    );
    expect(text).toContain('"big":9007199254740991');
    expect(text).toContain(`"role":"${mount.user}"`);
  });

  test('our own form says nothing of nobody', async () => {
    expect((await mount.send('GET', '/api/v1/rpc/claims')).text).toBe('null');
    expect((await mount.send('GET', '/api/v1/rpc/header?name=host')).status).toBe(500);
  });
});

const tenant = (name: string): Readonly<Record<string, string>> => ({ 'x-tenant': name });

const policies: readonly Case[] = [
  { ask: '/notes?select=id', headers: tenant('a'), json: [{ id: 1 }], has: { 'content-range': '0-0/*' } },
  { ask: '/notes?select=id&order=id', headers: tenant('b'), json: [{ id: 2 }, { id: 3 }] },
  { ask: '/notes?select=id', json: [], has: { 'content-range': '*/*' } },
  {
    ask: '/notes?select=id&order=id&limit=1',
    headers: { ...tenant('b'), prefer: 'count=exact' },
    status: 206,
    json: [{ id: 2 }],
    has: { 'content-range': '0-0/2' },
  },
  // The planner's estimate would tell of rows that the policies hide.
  {
    ask: '/notes?select=id&order=id',
    headers: { ...tenant('b'), prefer: 'count=planned' },
    json: [{ id: 2 }, { id: 3 }],
    has: { 'content-range': '0-1/2' },
  },
  {
    ask: 'POST /notes?select=id,visitor',
    headers: { ...tenant('a'), 'x-visitor': 'ada', prefer: 'return=representation, tx=rollback' },
    body: { id: 9, tenant: 'a' },
    status: 201,
    json: [{ id: 9, visitor: 'ada' }],
  },
  {
    ask: 'POST /notes',
    headers: { ...tenant('a'), prefer: 'return=minimal' },
    body: { id: 9, tenant: 'b' },
    status: 401,
    json: expect.objectContaining({ code: '42501' }) as unknown,
    has: { 'www-authenticate': 'Bearer' },
  },
  {
    ask: 'PATCH /notes?id=gt.0&select=id',
    headers: { ...tenant('b'), prefer: 'return=representation, tx=rollback' },
    body: { body: 'x' },
    json: [{ id: 2 }, { id: 3 }],
    has: { 'content-range': '0-1/*' },
  },
  {
    ask: 'PATCH /notes?id=gt.0&select=id',
    headers: { ...tenant('b'), prefer: 'return=representation, max-affected=1, handling=strict' },
    body: { body: 'x' },
    status: 400,
    json: expect.objectContaining({ code: 'PGRST124' }) as unknown,
  },
  {
    ask: 'DELETE /notes?id=gt.0',
    headers: { ...tenant('a'), prefer: 'count=exact, tx=rollback' },
    status: 204,
    has: { 'content-range': '*/1' },
  },
];

describe('policies and defaults', () => {
  test.each(policies)('$ask', (each) => play(mount, each));

  test('each of many requests at a time has its own variables', async () => {
    const asked = Array.from({ length: 400 }, (_, at) => at);
    const answers = await Promise.all(
      asked.map(async (at) => {
        const path = at % 2 === 0 ? `/rest/v1/rpc/header?name=x-own` : `/rest/v1/notes?select=tenant&limit=1`;
        const { text } = await mount.send('GET', path, {
          'x-own': `h${String(at)}`,
          ...tenant(at % 4 === 1 ? 'a' : 'b'),
        });
        return text;
      }),
    );
    expect(answers).toEqual(
      asked.map((at) => (at % 2 === 0 ? `"h${String(at)}"` : `[{"tenant":"${at % 4 === 1 ? 'a' : 'b'}"}]`)),
    );
  });

  test('a request of another form sees nothing of the one before', async () => {
    await Promise.all(Array.from({ length: 40 }, () => play(mount, { ask: '/notes?select=id', headers: tenant('a') })));
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => mount.send('GET', '/api/v1/rpc/claims', tenant('a'))),
    );
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['null']));
  });
});

const error = (code: string, message: string): unknown => ({ code, details: null, hint: null, message });
const badHeaders = error(
  'PGRST111',
  'response.headers guc must be a JSON array composed of objects with a single key and a string value',
);
const badStatus = error('PGRST112', 'response.status guc must be a valid status code');
const says = (headers: string, status: string): Pick<Case, 'ask' | 'body'> => ({
  ask: 'POST /rpc/says',
  body: { headers, status },
});

const answers: readonly Case[] = [
  { ask: 'POST /rpc/teapot', status: 418, text: '"short and stout"', has: { 'content-range': '0-0/*' } },
  { ask: '/rpc/teapot', status: 418, text: '"short and stout"', has: { etag: null } },
  { ask: '/rpc/seen', text: '"seen"', has: { 'cache-control': 'public', 'x-seen': 'yes' } },
  { ask: 'HEAD /rpc/seen', text: '', has: { 'cache-control': 'public', 'x-seen': 'yes' } },
  { ask: 'POST /rpc/baked', body: {}, status: 204, text: '', has: { 'set-cookie': ['a=1', 'b=2'] as never } },
  { ...says('', ''), text: '1' },
  { ...says('[]', '201'), status: 201, text: '1' },
  { ...says('', '299 and more'), status: 299, text: '1' },
  { ...says('', '204'), status: 204, text: '', has: { 'content-length': null } },
  { ...says('[{"Content-Type": "text/odd"}]', ''), text: '1', has: { 'content-type': 'text/odd' } },
  { ...says('[{"VARY": "Cookie"}]', ''), has: { vary: 'Cookie' } },
  { ...says('[{"Content-Length": "4"}]', ''), text: '1', has: { 'content-length': '1' } },
  { ...says('[{"Content-Range": "a/b"}]', ''), has: { 'content-range': 'a/b' } },
  { ...says('{"a": "b"}', ''), status: 500, json: badHeaders },
  { ...says('[{"a": 1}]', ''), status: 500, json: badHeaders },
  { ...says('[{"a": "1", "b": "2"}]', ''), status: 500, json: badHeaders },
  { ...says('[{}]', ''), status: 500, json: badHeaders },
  { ...says('nonsense', ''), status: 500, json: badHeaders },
  { ...says('[{"a b": "1"}]', ''), status: 500, json: badHeaders },
  { ...says('[{"a": "1\\r\\nb: 2"}]', ''), status: 500, json: badHeaders },
  { ...says('', 'teapot'), status: 500, json: badStatus },
  { ...says('', '99'), status: 500, json: badStatus },
  { ...says('', '1000'), status: 500, json: badStatus },
  { ask: 'POST /visits', body: { id: 1 }, status: 202, has: { 'x-visit': '1' } },
  {
    ask: 'POST /visits?columns=id',
    body: [{ id: 2 }, { id: 3 }],
    headers: { prefer: 'return=representation, tx=rollback' },
    status: 202,
    json: [
      { id: 2, note: null },
      { id: 3, note: null },
    ],
    has: { 'x-visit': '3', 'preference-applied': 'return=representation, tx=rollback' },
  },
  {
    ask: 'POST /visits',
    body: { id: 4 },
    headers: { prefer: 'max-affected=5, handling=strict, return=headers-only' },
    status: 202,
    has: { 'x-visit': '4', location: '/rest/v1/visits?id=eq.4' },
  },
  { ask: 'POST /visits', body: { id: 1 }, status: 409, has: { 'x-visit': null } },
  { ask: 'GET /visits?select=id&order=id', json: [{ id: 1 }, { id: 4 }] },
];

describe('response.headers and response.status', () => {
  test.each(answers)('$ask $body', (each) => play(mount, each));

  test('a malformed one is found after the commit', async () => {
    await mount.load(`create function odd() returns trigger language plpgsql as
        $$ begin perform set_config('response.status', 'odd', true); return new; end $$;
      create trigger odd before insert on visits for each row when (new.id = 50) execute function odd();`);
    await play(mount, { ask: 'POST /visits', body: { id: 50 }, status: 500, json: badStatus });
    await play(mount, { ask: '/visits?select=id&id=eq.50', json: [{ id: 50 }] });
  });

  test('our own form does not read them', async () => {
    const reply = await mount.send('POST', '/api/v1/rpc/teapot', { 'content-type': 'application/json' }, '{}');
    expect(reply.status).toBe(200);
  });
});

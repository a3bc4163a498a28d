import { createServer, type Server } from 'node:http';
import { once as onceEvent } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { hashApiKey } from '../../../runtime/src/auth/api-keys.js';
import { signIdentity } from '../../../runtime/src/auth/signed-header.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/**
 * Identities by the user's code, through every way into a server: both forms of REST, GraphQL over
 * HTTP, its WebSockets and event streams, and routes of src/custom.
 */
const secret = 'a gateway secret of at least thirty-two bytes';
const sql = `
  create schema app;
  create table app.notes (id integer primary key, owner text not null, body text not null);
  create table app.api_keys (hash text primary key, owner text not null);
  create table app.sessions (id text primary key, owner text not null, expires timestamptz not null);
  alter table app.notes enable row level security;
  create policy own on app.notes using (owner = nullif(current_setting('request.user_id', true), ''));
  insert into app.notes values (1, 'ada', 'of Ada'), (2, 'bo', 'of Bo');
  insert into app.api_keys values ('${hashApiKey('key-of-ada')}', 'ada'), ('${hashApiKey('key-of-bo')}', 'bo'), ('${hashApiKey('expired')}', 'ada');
  insert into app.sessions values ('session-of-ada', 'ada', 'infinity'), ('session-of-bo', 'bo', 'infinity'), ('expired', 'ada', 'infinity');`;

const custom = `
import { Router } from 'express';
import { apiKeys, contextOf, firstIdentity, sessionCookie, signedHeader, tokenIntrospection } from '@tablewright/runtime';
const ownerOf = (table, column) => async (value, { as }) => {
  const row = await as({}).transaction((db) => db.selectFrom(table).select('owner').where(column, '=', value).executeTakeFirst());
  return row === undefined ? undefined : { userId: row.owner, claims: { sub: row.owner, via: table, ...(value.startsWith('expired') || value === '${hashApiKey('expired')}' ? { exp: 1 } : {}) } };
};
const routes = Router().get('/mine', async (request, response) => {
  response.json(await contextOf(request).transaction((db) => db.selectFrom('app.notes').select('body').execute()));
});
export const custom = {
  resolvers: [],
  routes: [routes],
  authenticate: firstIdentity(
    apiKeys({ find: ownerOf('app.api_keys', 'hash'), cacheSeconds: 1 }),
    sessionCookie({ cookie: '__Host-session', find: ownerOf('app.sessions', 'id') }),
    signedHeader({ secret: '${secret}' }),
    (request) => (request.headers['x-throws'] === undefined ? undefined : (() => { throw new Error('a bug with a secret') })()),
    (request) => (request.headers['x-role'] === undefined ? undefined : { userId: 'ada', role: request.headers['x-role'] }),
    (request) => (request.headers['x-claims'] === undefined ? undefined : { claims: request.headers['x-claims'] }),
    (request) => (request.connectionParams?.key === 'param-of-ada' ? { userId: 'ada' } : undefined),
  ),
};
`;

let served: Served;
let server: ServedServer;
beforeAll(async () => {
  served = await openServed({ name: 'seam', schema: 'app', sql, custom, config: { 'app.rest.postgrest': '/rest/v1' } });
  server = await served.start({ APP_CORS_ORIGINS: 'https://app.example.com' });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});

type Headers = Readonly<Record<string, string>>;

const own = { 'sec-fetch-site': 'same-origin' };

/** Credentials that name a user. */
const credentials: readonly (readonly [string, () => Promise<Headers> | Headers, string])[] = [
  ['an API key', () => ({ 'x-api-key': 'key-of-ada' }), 'of Ada'],
  ['another API key', () => ({ 'x-api-key': 'key-of-bo' }), 'of Bo'],
  ['a session cookie', () => ({ ...own, cookie: 'theme=dark; __Host-session=session-of-ada' }), 'of Ada'],
  [
    'a signed header whose claims are valid now',
    () => ({ 'x-identity': signIdentity({ sub: 'bo', exp: seconds(60), nbf: seconds(20) }, secret) }),
    'of Bo',
  ],
  ['a signed header', () => ({ 'x-identity': signIdentity({ sub: 'bo' }, secret) }), 'of Bo'],
  [
    'a token, which the code does not know',
    async () => ({ authorization: `Bearer ${await served.token('bo')}` }),
    'of Bo',
  ],
];

const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;

/** Credentials that are there and not valid. */
const invalid: readonly (readonly [string, () => Headers])[] = [
  ['an unknown API key', () => ({ 'x-api-key': 'key-of-eve' })],
  ['an empty API key', () => ({ 'x-api-key': '' })],
  ['an unknown session', () => ({ ...own, cookie: '__Host-session=nothing' })],
  ['two sessions', () => ({ ...own, cookie: '__Host-session=session-of-ada; __Host-session=session-of-bo' })],
  ['a header of another secret', () => ({ 'x-identity': signIdentity({ sub: 'ada' }, `${secret}!`) })],
  ['an old header', () => ({ 'x-identity': signIdentity({ sub: 'ada' }, secret, Date.now() - 120_000) })],
  ['a header of the future', () => ({ 'x-identity': signIdentity({ sub: 'ada' }, secret, Date.now() + 120_000) })],
  ['signed claims that have expired', () => ({ 'x-identity': signIdentity({ sub: 'ada', exp: seconds(-1) }, secret) })],
  [
    'signed claims that are not valid yet',
    () => ({ 'x-identity': signIdentity({ sub: 'ada', nbf: seconds(90) }, secret) }),
  ],
  ['signed claims whose exp is a text', () => ({ 'x-identity': signIdentity({ sub: 'ada', exp: 'never' }, secret) })],
  ['signed claims whose exp is null', () => ({ 'x-identity': signIdentity({ sub: 'ada', exp: null }, secret) })],
  ['claims of own code that have expired', () => ({ 'x-claims': `{"sub":"ada","exp":${String(seconds(-60))}}` })],
  ['claims of own code that never expire', () => ({ 'x-claims': '{"sub":"ada","exp":1e999}' })],
  ['claims of a session that has expired', () => ({ ...own, cookie: '__Host-session=expired' })],
  ['claims of an API key that has expired', () => ({ 'x-api-key': 'expired' })],
  ['an unsigned header', () => ({ 'x-identity': '{"sub":"ada"}' })],
  ['a malformed token', () => ({ authorization: 'Bearer nothing' })],
];

const query = '{ appNotes { body } }';

/** The notes that are shown, or the status of the refusal. */
const ways: readonly (readonly [string, (headers: Headers) => Promise<unknown>])[] = [
  ['/api/v1', async (headers) => bodies(await server.send('GET', '/api/v1/notes?select=body', headers))],
  ['/rest/v1', async (headers) => bodies(await server.send('GET', '/rest/v1/notes?select=body', headers))],
  ['/graphql', async (headers) => bodies(await server.ask(query, headers))],
  ['an event stream', (headers) => byEvents(headers)],
  ['a route', async (headers) => bodies(await server.send('GET', '/mine', headers))],
];

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** The texts of the notes in an answer. */
const bodies = ({ status, text }: Answered): unknown =>
  status === 200 ? [...text.matchAll(/"body":\s*"([^"]*)"/g)].map(([, body]) => body) : status;

async function byEvents(headers: Headers): Promise<unknown> {
  const response = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query }),
  });
  return bodies({ status: response.status, text: await response.text() });
}

describe.each(ways)('%s', (_way, ask) => {
  test.each(credentials)('%s: the rows of its user', async (_name, make, body) => {
    expect(await ask(await make())).toEqual([body]);
  });

  test('nothing: anonymous', async () => {
    expect(await ask({})).toEqual([]);
    expect(await ask({ cookie: 'theme=dark' })).toEqual([]);
  });

  test.each(invalid)('%s: 401, never anonymous', async (_name, make) => {
    expect(await ask(make())).toBe(401);
  });

  test('what the code throws is 500, and says nothing', async () => {
    expect(await ask({ 'x-throws': '1' })).toBe(500);
    const { text } = await server.send('GET', '/api/v1/notes', { 'x-throws': '1' });
    expect(text).not.toContain('secret');
  });

  test('a role that no setting names: 403', async () => {
    expect(await ask({ 'x-role': 'postgres' })).toBe(403);
  });
});

test('the answer names the headers that it depends on', async () => {
  const { headers } = await server.send('GET', '/api/v1/notes', { 'x-api-key': 'key-of-ada' });
  expect(headers.vary).toContain('Authorization, X-Api-Key, Cookie, X-Identity');
  expect(headers['cache-control']).toBe('private, no-cache');
});

describe('a withdrawn API key', () => {
  test('counts no longer than it is remembered', async () => {
    await served.query(`insert into app.api_keys values ($1, 'ada')`, [hashApiKey('short')]);
    const ask = () => server.send('GET', '/api/v1/notes', { 'x-api-key': 'short' });
    expect((await ask()).status).toBe(200);
    await served.query('delete from app.api_keys where hash = $1', [hashApiKey('short')]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await ask()).status).toBe(401);
  });

  test('a session that has ended counts no more', async () => {
    await served.query(`insert into app.sessions values ('ending', 'ada', 'infinity')`);
    const ask = () => server.send('GET', '/api/v1/notes', { ...own, cookie: '__Host-session=ending' });
    expect((await ask()).status).toBe(200);
    await served.query(`delete from app.sessions where id = 'ending'`);
    expect((await ask()).status).toBe(401);
  });
});

describe('a session cookie and forged requests', () => {
  const cookie = '__Host-session=session-of-ada';
  const post = (headers: Headers): Promise<number> =>
    server
      .send(
        'POST',
        '/api/v1/notes',
        { cookie, 'content-type': 'application/json', prefer: 'tx=rollback', ...headers },
        '{"id":9,"owner":"ada","body":"x"}',
      )
      .then(({ status }) => status);

  test('the own page and a listed one write', async () => {
    expect(await post({ 'sec-fetch-site': 'same-origin' })).toBe(201);
    expect(await post({ origin: server.base })).toBe(201);
    expect(await post({ origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' })).toBe(201);
  });

  test.each<[string, Headers]>([
    ['another page', { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['no page that the browser tells', {}],
  ])('%s: 403, over every way to write', async (_name, headers) => {
    expect(await post(headers)).toBe(403);
    expect((await server.send('POST', '/rest/v1/notes', { cookie, ...headers }, '{}')).status).toBe(403);
    expect((await server.ask('{ __typename }', { cookie, ...headers })).status).toBe(403);
  });

  test('with every origin allowed, a foreign page still cannot write with the cookie', async () => {
    const open = await served.start({ APP_CORS_ORIGINS: '*' });
    try {
      const headers = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' };
      const json = { 'content-type': 'application/json' };
      const { status } = await open.send('POST', '/api/v1/notes', { cookie, ...json, ...headers }, '{}');
      expect(status).toBe(403);
      expect(await socketOf(open, headers)).toBe(4403);
    } finally {
      await open.stop();
    }
  });

  const socketOf = (to: ServedServer, headers: Headers): Promise<unknown> =>
    bySocket(to, { cookie, ...headers }, undefined);

  test('a WebSocket of the own page has the identity; one of no page is refused', async () => {
    expect(await socketOf(server, { origin: server.base })).toEqual(['of Ada']);
    expect(await socketOf(server, {})).toBe(4403);
  });

  test('reads need no page: their answers are for the page that may read them', async () => {
    expect(bodies(await server.send('GET', '/api/v1/notes', { cookie }))).toEqual(['of Ada']);
  });
});

describe('a WebSocket', () => {
  test('by a header of the upgrade', async () => {
    expect(await bySocket(server, { 'x-api-key': 'key-of-bo' }, undefined)).toEqual(['of Bo']);
  });

  test('by the payload of connection_init', async () => {
    expect(await bySocket(server, {}, { key: 'param-of-ada' })).toEqual(['of Ada']);
  });

  test('by the token of connection_init', async () => {
    const payload = { Authorization: `Bearer ${await served.token('bo')}` };
    expect(await bySocket(server, {}, payload)).toEqual(['of Bo']);
  });

  test('nothing: anonymous; what is not valid closes it', async () => {
    expect(await bySocket(server, {}, undefined)).toEqual([]);
    expect(await bySocket(server, { 'x-api-key': 'key-of-eve' }, undefined)).toBe(4403);
    expect(await bySocket(server, {}, { Authorization: 'Bearer nothing' })).toBe(4403);
  });
});

/** The notes that a query over a WebSocket shows, or the code with which it was closed. */
function bySocket({ base }: Pick<ServedServer, 'base'>, headers: Headers, payload: unknown): Promise<unknown> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) }));
    });
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const { type } = JSON.parse(text) as { type: string };
      if (type === 'connection_ack') socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      if (type !== 'next') return;
      socket.close();
      resolve(bodies({ status: 200, text }));
    });
    socket.on('close', resolve);
    socket.on('error', reject);
  });
}

describe('without tokens', () => {
  test('verification off: the code alone decides, and policies see an empty user for everyone else', async () => {
    const alone = await served.start({ APP_SECURITY_JWT_ENABLED: 'false', APP_SECURITY_AUTH_PUBLIC_KEY: '' });
    try {
      const ask = async (headers: Headers) => bodies(await alone.send('GET', '/api/v1/notes?select=body', headers));
      for (let each = 0; each < 3; each += 1) {
        expect(await ask({ 'x-api-key': 'key-of-ada' })).toEqual(['of Ada']);
        expect(await ask({})).toEqual([]);
        expect(await ask({ authorization: 'Bearer nothing' })).toEqual([]);
        expect(await ask({ 'x-api-key': 'key-of-eve' })).toBe(401);
      }
    } finally {
      await alone.stop();
    }
  });
});

describe('token introspection (RFC 7662)', () => {
  let issuer: Server;
  let asked: { authorization: string | undefined; body: string }[] = [];
  let reply: (token: string) => { status?: number; text: string };
  let opaque: Served;
  let guarded: ServedServer;

  beforeAll(async () => {
    issuer = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        asked.push({ authorization: request.headers.authorization, body });
        const { status = 200, text } = reply(new URLSearchParams(body).get('token') ?? '');
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      })();
    });
    issuer.listen(0, '127.0.0.1');
    await onceEvent(issuer, 'listening');
    const { port } = issuer.address() as AddressInfo;
    opaque = await openServed({
      name: 'opaque',
      schema: 'app',
      sql,
      custom: `
        import { tokenIntrospection } from '@tablewright/runtime';
        export const custom = { authenticate: tokenIntrospection({
          url: 'http://127.0.0.1:${port}/introspect', clientId: 'api', clientSecret: 's:cret', issuer: 'https://issuer.example',
          audience: 'notes', timeoutMs: 3000,
        }) };`,
    });
    guarded = await opaque.start({ APP_SECURITY_JWT_ENABLED: 'false', APP_SECURITY_AUTH_PUBLIC_KEY: '' });
  });
  afterAll(async () => {
    await guarded.stop();
    await opaque.drop();
    issuer.closeAllConnections();
    issuer.close();
  });
  beforeEach(() => {
    asked = [];
  });

  const active = (more: object = {}): { text: string } => ({
    text: JSON.stringify({ active: true, sub: 'ada', iss: 'https://issuer.example', aud: ['notes', 'x'], ...more }),
  });
  const ask = async (token: string): Promise<unknown> =>
    bodies(await guarded.send('GET', '/api/v1/notes?select=body', { authorization: `Bearer ${token}` }));

  test('an active token: its claims; asked once while it is remembered', async () => {
    reply = () => active();
    expect(await Promise.all([ask('opaque+1/a='), ask('opaque+1/a=')])).toEqual([['of Ada'], ['of Ada']]);
    expect(await ask('opaque+1/a=')).toEqual(['of Ada']);
    expect(asked).toEqual([
      {
        authorization: `Basic ${Buffer.from('api:s%3Acret').toString('base64')}`,
        body: 'token=opaque%2B1%2Fa%3D&token_type_hint=access_token',
      },
    ]);
  });

  test('an answer is not remembered beyond exp', async () => {
    const exp = Math.ceil(Date.now() / 1000) + 3;
    reply = () => active({ exp });
    expect(await ask('short')).toEqual(['of Ada']);
    await new Promise((resolve) => setTimeout(resolve, exp * 1000 - Date.now() + 50));
    reply = () => ({ text: '{"active":false}' });
    expect(await ask('short')).toBe(401);
  });

  test.each<[string, object]>([
    ['not active', { active: false }],
    ['expired', { exp: 1 }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another audience', { aud: 'other' }],
    ['not valid yet', { nbf: 9_999_999_999 }],
  ])('a token that is %s: 401', async (name, more) => {
    reply = () => active(more);
    expect(await ask(name.replaceAll(' ', '-'))).toBe(401);
  });

  test.each([
    ['an error', { status: 500, text: '{}' }],
    ['no JSON', { text: '<html>' }],
    ['another form', { text: '{"active":"true","sub":"ada"}' }],
    ['a redirect', { status: 302, text: '' }],
  ])('%s of the issuer: 503, never anonymous', async (name, answer) => {
    reply = () => answer;
    expect(await ask(name.replaceAll(' ', '-'))).toBe(503);
  });

  test('no bearer token: 401; nothing at all: anonymous', async () => {
    const basic = await guarded.send('GET', '/api/v1/notes', { authorization: 'Basic YTpi' });
    expect(basic.status).toBe(401);
    expect(bodies(await guarded.send('GET', '/api/v1/notes', {}))).toEqual([]);
  });
});

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw, type RawReply } from '../../support/raw-http.js';

/**
 * A page of another origin can make a browser send a POST without asking: a form, or a body without
 * media type. What may write is refused unless the page is the server's own or allowed.
 * https://www.w3.org/TR/fetch-metadata/
 */
const allowed = 'https://app.example.com';
const foreign = 'https://evil.example.com';

const custom = `
import { Router } from 'express';
import { contextOf } from '@tablewright/runtime';
const routes = Router()
  .post('/rows', async (request, response) => {
    const rows = await contextOf(request).transaction(async (trx) => trx.selectFrom('kanban.issues').select('id').execute());
    response.json(rows.length > 0);
  })
  .post('/hook', (_request, response) => response.send('taken'));
export const custom = { resolvers: [], routes: [routes] };
`;

let server: DemoServer;
let proxied: DemoServer;
beforeAll(async () => {
  const environment = { APP_CORS_ORIGINS: allowed, APP_REST_POSTGREST: '/rest/v1', APP_SCHEMAS: 'kanban' };
  server = await startDemoServer({ custom, environment });
  proxied = await startDemoServer({
    environment: { ...environment, APP_SERVER_TRUST_PROXY: 'true', APP_CONSOLE_HOSTS: 'db.example.test' },
  });
});
afterAll(async () => {
  await server.stop();
  await proxied.stop();
});

type Headers = Readonly<Record<string, string>>;

const write = '{"title":"written"}';

/** Every door by which something can be written: method, path, body, headers. */
const doors: readonly (readonly [string, string, string | undefined, Headers])[] = [
  ['POST', '/api/v1/issues', write, {}],
  ['POST', '/api/v1/issues', write, { 'content-type': 'application/json' }],
  ['POST', '/api/v1/issues', write, { 'content-type': 'text/plain' }],
  ['POST', '/api/v1/issues', undefined, {}],
  ['PATCH', '/api/v1/issues?id=eq.1', write, { 'content-type': 'application/json' }],
  ['PUT', '/api/v1/issues/1', write, { 'content-type': 'application/json' }],
  ['DELETE', '/api/v1/issues?id=eq.1', undefined, {}],
  ['POST', '/api/v1/rpc/anything', '{}', {}],
  ['POST', '/rest/v1/issues', write, {}],
  ['POST', '/rest/v1/issues', write, { apikey: 'project', authorization: 'Bearer project' }],
  ['POST', '/rest/v1/rpc/anything', undefined, {}],
  ['POST', '/graphql', '{"query":"{ __typename }"}', { 'content-type': 'application/json' }],
  [
    'POST',
    '/graphql',
    '{"query":"{ __typename }"}',
    { 'content-type': 'application/json', accept: 'text/event-stream' },
  ],
  ['POST', '/rows', undefined, {}],
];

const through = (
  to: DemoServer,
  [method, path, body, headers]: (typeof doors)[number],
  more: Headers,
): Promise<RawReply> =>
  sendRaw(to.base + path, { method, headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) });

describe.each(doors)('%s %s with %j and %j', (...door) => {
  test.each<[string, Headers]>([
    ['another origin', { origin: foreign }],
    ['no origin that it tells', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['the same host with another scheme', { 'sec-fetch-site': 'cross-site', origin: 'https://127.0.0.1' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['what a proxy would say, without one', { origin: foreign, 'x-forwarded-host': 'evil.example.com' }],
  ])('from a page of %s: 403', async (_name, headers) => {
    const { status, bytes } = await through(server, door, headers);
    expect(status).toBe(403);
    expect(bytes.toString()).toContain('app.cors.origins');
  });

  test('from its own page, an allowed one, and from no page: not refused', async () => {
    const own: readonly Headers[] = [
      {},
      { origin: server.base },
      { origin: server.base, 'sec-fetch-site': 'same-origin' },
      { origin: 'https://behind-a-proxy.example', 'sec-fetch-site': 'same-origin' },
      { origin: allowed, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of own) {
      // Policies of the demo refuse some of them, for other reasons.
      const { bytes } = await through(server, door, { prefer: 'tx=rollback', ...headers });
      expect(bytes.toString()).not.toContain('app.cors.origins');
    }
  });
});

test('what reads is answered to any page, and a route that asks nothing of the database takes any request', async () => {
  const read = await sendRaw(`${server.base}/api/v1/issues?limit=1`, { headers: { origin: foreign } });
  const hook = await sendRaw(`${server.base}/hook`, { method: 'POST', headers: { origin: foreign } });
  expect([read.status, hook.status]).toEqual([200, 200]);
});

test.each<[string, Headers, number]>([
  ['the address that the client asked', { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' }, 400],
  ['with the default port', { 'x-forwarded-host': 'shop.example:443', 'x-forwarded-proto': 'https' }, 400],
  ['the first of several', { 'x-forwarded-host': 'shop.example, inner', 'x-forwarded-proto': 'https, http' }, 400],
  ['no scheme', { 'x-forwarded-host': 'shop.example' }, 400],
  ['another scheme', { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'http' }, 403],
  ['another host', { 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'https' }, 403],
])('behind a trusted proxy that says %s', async (_name, headers, status) => {
  const sent = { method: 'POST', headers: { origin: 'https://shop.example', ...headers }, body: '[' };
  expect((await sendRaw(`${proxied.base}/api/v1/issues`, sent)).status).toBe(status);
});

test.each<[string, Headers, boolean]>([
  ['a foreign page', { origin: foreign }, false],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['an allowed page', { origin: allowed }, true],
  ['no page', {}, true],
])('a WebSocket of %s', async (_name, headers, opens) => {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  const opened = await new Promise((resolve) => {
    socket.once('open', () => {
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
  socket.terminate();
  expect(opened).toBe(opens);
});

/** DNS rebinding: the name of another site resolves to this machine, and is in `Host`. */
describe('the console', () => {
  const at = async (to: DemoServer, host: string, path = '/'): Promise<number> =>
    (await sendRaw(to.base + path, { headers: { host } })).status;

  test('answers at the names of this machine', async () => {
    for (const host of [
      'localhost',
      'localhost:4000',
      '127.0.0.1:80',
      '127.9.9.9',
      '[::1]:4000',
      'x.localhost',
      'LOCALHOST.',
    ])
      expect([host, await at(server, host)]).toEqual([host, 200]);
  });

  test.each(['/', '/console/model.json', '/console/explorer', '/schema.graphql'])(
    '%s is not at other names',
    async (path) => {
      for (const host of ['evil.example.com', 'localhost.evil.com', '127.0.0.1.evil.com', '10.0.0.1', 'a b'])
        expect([host, await at(server, host, path)]).toEqual([host, 403]);
    },
  );

  test('answers at a name of app.console-hosts', async () => {
    expect(await at(proxied, 'db.example.test:4000')).toBe(200);
  });
});

describe('the API in development', () => {
  const reads: readonly (typeof doors)[number][] = [
    ['GET', '/api/v1', undefined, {}],
    ['GET', '/api/v1/issues?limit=1', undefined, {}],
    ['OPTIONS', '/api/v1/issues', undefined, {}],
    ['GET', '/rest/v1/issues?limit=1', undefined, {}],
    ['GET', '/graphql?query=%7B__typename%7D', undefined, { accept: 'application/json' }],
  ];

  test.each([...doors, ...reads])('%s %s with %j and %j is not at the names of others', async (...door) => {
    for (const host of ['evil.example.com', 'localhost.evil.com', 'evil.example.com:4000']) {
      const { status, bytes } = await through(server, door, { host });
      expect([host, status, bytes.toString()]).toEqual([host, 403, expect.stringContaining('app.console-hosts')]);
    }
  });

  test('is at names of the machine, at those of app.console-hosts, and in production at any', async () => {
    const read = { path: '/api/v1/issues?limit=1' };
    const status = async (to: DemoServer, host: string, more: Headers = {}): Promise<number> =>
      (await sendRaw(to.base + read.path, { headers: { host, ...more } })).status;
    for (const host of ['localhost', '127.0.0.1:1', 'x.localhost:4000', '[::1]'])
      expect([host, await status(server, host)]).toEqual([host, 200]);
    expect(await status(proxied, 'db.example.test:4000')).toBe(200);
    const forged = { host: 'evil.example.com', 'x-forwarded-host': 'localhost' };
    for (const path of [read.path, '/', '/schema.graphql'])
      expect([path, (await sendRaw(proxied.base + path, { headers: forged })).status]).toEqual([path, 403]);
    expect((await sendRaw(`${server.base}/health/live`, { headers: { host: '10.0.0.1' } })).status).toBe(200);
    const production = await startDemoServer({ environment: { NODE_ENV: 'production', APP_SCHEMAS: 'kanban' } });
    try {
      expect(await status(production, 'shop.example.com')).toBe(200);
    } finally {
      await production.stop();
    }
  });

  test('opens no WebSocket at the names of others', async () => {
    const headers = { host: 'evil.example.com' };
    const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    const refused = await new Promise((resolve) => {
      socket.once('open', () => {
        resolve(undefined);
      });
      socket.once('error', ({ message }) => {
        resolve(message);
      });
    });
    expect(refused).toContain('403');
  });
});

test('several Host headers are 400, at every path and for an upgrade', async () => {
  const { hostname, port } = new URL(server.base);
  for (const path of ['/api/v1/issues', '/rest/v1/issues', '/graphql', '/', '/health/live', '/hook']) {
    for (const lines of [[], ['Connection: Upgrade', 'Upgrade: websocket']]) {
      const socket = connect(Number(port), hostname);
      const head = ['GET ' + path + ' HTTP/1.1', 'Host: localhost', ...lines, 'HOST: evil.example.com', '', ''];
      socket.write(head.join('\r\n'));
      expect((await text(socket)).slice(0, 12)).toBe('HTTP/1.1 400');
    }
  }
});

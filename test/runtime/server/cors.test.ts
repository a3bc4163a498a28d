import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import type { GeneratedServer } from '../../../runtime/src/descriptor/generated.js';
import { createServer } from '../../../runtime/src/extensions/create-server.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { listed, sendRaw, type RawReply } from '../../support/raw-http.js';
import { readBoard } from '../rest/support/board.js';
import { startServer } from '../rest/support/server.js';

/** Cross-origin requests. https://fetch.spec.whatwg.org/#http-cors-protocol */
const app = 'https://app.example.com';
const other = 'https://evil.example.com';

/** A custom route: CORS applies to it as to our own routes. */
const custom = `
import { Router } from 'express';
export const custom = { resolvers: [], routes: [Router().get('/hello', (_request, response) => response.send('hello'))] };
`;

let server: DemoServer;
let generated: GeneratedServer;

beforeAll(async () => {
  ({ generated } = await readBoard());
  server = await startDemoServer({
    custom,
    environment: {
      APP_CORS_ORIGINS: app,
      APP_CORS_CREDENTIALS: 'true',
      APP_CORS_MAX_AGE_SECONDS: '120',
      APP_LIMITS_BODY_BYTES: '1000',
    },
  });
});
afterAll(() => server.stop());

const send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<RawReply> => sendRaw(server.base + path, { method, headers, ...(body === undefined ? {} : { body }) });

const preflight = (path: string, origin: string, method = 'GET', headers?: string): Promise<RawReply> =>
  send('OPTIONS', path, {
    origin,
    'access-control-request-method': method,
    ...(headers === undefined ? {} : { 'access-control-request-headers': headers }),
  });

const corsHeaders = (reply: RawReply): readonly string[] =>
  Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));

describe('a preflight of an allowed origin', () => {
  test.each(['/api/v1/issues', '/api/v1/issues/1', '/api/v1', '/api/v1/nothing', '/graphql', '/hello', '/health/live'])(
    'is answered for %s',
    async (path) => {
      const reply = await preflight(path, app, 'PATCH', 'authorization,accept-profile,prefer');
      expect([reply.status, reply.bytes.length]).toEqual([204, 0]);
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': app,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'authorization,accept-profile,prefer',
        'access-control-max-age': '120',
      });
      expect(listed(reply.headers['access-control-allow-methods'])).toEqual([
        'get',
        'head',
        'post',
        'patch',
        'put',
        'delete',
      ]);
      expect(listed(reply.headers.vary)).toEqual(expect.arrayContaining(['origin', 'access-control-request-headers']));
    },
  );

  test('needs neither token nor profile, and asks the database nothing', async () => {
    const reply = await send('OPTIONS', '/api/v1/issues', {
      origin: app,
      authorization: 'Bearer forged',
      'access-control-request-method': 'GET',
    });
    expect(reply.status).toBe(204);
  });
});

describe('any other OPTIONS is answered with Allow', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['without Origin', { 'access-control-request-method': 'GET' }],
    ['without Access-Control-Request-Method', { origin: app }],
    ['without both', {}],
  ])('%s', async (_what, headers) => {
    const rest = await send('OPTIONS', '/api/v1/issues', { 'accept-profile': 'kanban', ...headers });
    expect([rest.status, rest.headers.allow]).toEqual([204, 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS']);
    expect(rest.headers['access-control-allow-methods']).toBeUndefined();
    const graphql = await send('OPTIONS', '/graphql', headers);
    expect([graphql.status, graphql.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });
});

describe('an answer to an allowed origin says so', () => {
  const known = (): Readonly<Record<string, string>> => ({ authorization: `Bearer ${server.token}` });
  const json = { 'content-type': 'application/json' };
  const profile = { 'accept-profile': 'kanban' };

  test.each<[string, number, () => Promise<RawReply>]>([
    ['a list', 200, () => send('GET', '/api/v1/issues', { ...profile, origin: app })],
    ['a page', 206, () => send('GET', '/api/v1/issues', { ...profile, origin: app, range: '0-1' })],
    ['HEAD', 200, () => send('HEAD', '/api/v1/issues', { ...profile, origin: app })],
    ['304', 304, () => send('GET', '/api/v1/issues', { ...profile, origin: app, 'if-none-match': '*' })],
    [
      'a compressed list',
      200,
      () => send('GET', '/api/v1/issues', { ...profile, origin: app, 'accept-encoding': 'br' }),
    ],
    ['GraphQL', 200, () => send('POST', '/graphql', { ...json, origin: app }, '{"query":"{__typename}"}')],
    ['a route of the user', 200, () => send('GET', '/hello', { origin: app })],
    ['health', 200, () => send('GET', '/health/live', { origin: app })],
    ['400', 400, () => send('GET', '/api/v1/issues?nothing=eq.1', { ...profile, origin: app })],
    ['401 over REST', 401, () => send('GET', '/api/v1/issues', { ...profile, origin: app, authorization: 'Bearer x' })],
    [
      '401 over GraphQL',
      401,
      () => send('POST', '/graphql', { ...json, origin: app, authorization: 'Bearer x' }, '{"query":"{__typename}"}'),
    ],
    ['404', 404, () => send('GET', '/api/v1/nothing', { ...profile, origin: app })],
    ['404 of a page', 404, () => send('GET', '/nowhere', { origin: app })],
    ['405', 405, () => send('PUT', '/graphql', { origin: app })],
    [
      '413 over REST',
      413,
      () =>
        send(
          'POST',
          '/api/v1/issues',
          { 'content-profile': 'kanban', ...json, ...known(), origin: app },
          `{"title":"${'x'.repeat(2000)}"}`,
        ),
    ],
    [
      '413 over GraphQL',
      413,
      () => send('POST', '/graphql', { ...json, origin: app }, `{"query":"{__typename #${'x'.repeat(2000)}}"}`),
    ],
  ])('%s', async (_what, status, ask) => {
    const reply = await ask();
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
    });
    expect(listed(reply.headers['access-control-expose-headers'])).toEqual([
      'allow',
      'content-profile',
      'content-range',
      'etag',
      'location',
      'preference-applied',
      'retry-after',
      'server-timing',
      'www-authenticate',
      'x-request-id',
    ]);
    expect(listed(reply.headers.vary).filter((name) => name === 'origin')).toHaveLength(1);
  });

  test('and keeps the rest of its Vary', async () => {
    const reply = await send('GET', '/api/v1/issues', { ...profile, origin: app });
    expect(listed(reply.headers.vary)).toEqual(expect.arrayContaining(['accept', 'authorization', 'origin', 'range']));
  });

  test('503 of a server whose database is not there', async () => {
    const own = createServer({
      generated,
      environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', APP_CORS_ORIGINS: app },
      observe: () => undefined,
    });
    const listening = express().use(own.handler).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/api/v1/issues`;
    const reply = await sendRaw(url, { headers: { 'accept-profile': 'board', origin: app } });
    await new Promise((resolve) => listening.close(resolve));
    await own.close();
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([503, app]);
    expect(listed(reply.headers['access-control-expose-headers'])).toContain('retry-after');
    expect(reply.headers['retry-after']).toBeDefined();
  });
});

describe('a refused origin', () => {
  test.each([other, 'null', `${app}.evil.com`, app.toUpperCase(), 'http://app.example.com', `${app}:8443`, `${app}/`])(
    '%s gets no header, also not in a preflight',
    async (origin) => {
      const headers = { 'accept-profile': 'kanban', origin };
      for (const reply of [
        await send('GET', '/api/v1/issues', headers),
        await send('GET', '/hello', headers),
        await preflight('/api/v1/issues', origin),
        await preflight('/graphql', origin, 'POST'),
      ]) {
        expect(corsHeaders(reply)).toEqual([]);
        expect(listed(reply.headers.vary)).toContain('origin');
      }
    },
  );

  test('nor does a request without one, and its answer is not kept for those with one', async () => {
    const reply = await send('GET', '/api/v1/issues', { 'accept-profile': 'kanban' });
    expect(corsHeaders(reply)).toEqual([]);
    expect(listed(reply.headers.vary)).toContain('origin');
  });
});

describe('other configurations', () => {
  test('none: no header, whoever asks', async () => {
    const own = await startServer();
    const get = await sendRaw(`${own.url}/api/v1/projects`, { headers: { origin: app } });
    const headers = { origin: app, 'access-control-request-method': 'GET' };
    const options = await sendRaw(`${own.url}/api/v1/projects`, { method: 'OPTIONS', headers });
    await own.stop();
    for (const reply of [get, options]) {
      expect(corsHeaders(reply)).toEqual([]);
      expect(listed(reply.headers.vary)).not.toContain('origin');
    }
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS']);
  });

  test('*: every origin, without credentials, and one answer for all of them', async () => {
    const own = await startServer({ APP_CORS_ORIGINS: '*' });
    for (const headers of [{}, { origin: other }]) {
      const reply = await sendRaw(`${own.url}/api/v1/projects`, { headers });
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
      expect(listed(reply.headers.vary)).not.toContain('origin');
    }
    await own.stop();
  });

  test.each([
    [{ APP_CORS_ORIGINS: '*', APP_CORS_CREDENTIALS: 'true' }, /cannot be combined with every origin/],
    [{ APP_CORS_ORIGINS: 'https://app.example.com/' }, /`https:\/\/app\.example\.com\/` in app\.cors\.origins/],
    [{ APP_CORS_ORIGINS: 'https://app.example.com:443' }, /is not an origin/],
    [{ APP_CORS_ORIGINS: 'https://App.example.com' }, /is not an origin/],
    [{ APP_CORS_ORIGINS: 'app.example.com' }, /is not an origin/],
    [{ APP_CORS_ORIGINS: 'https://*.example.com' }, /is not an origin/],
    [{ APP_CORS_ORIGINS: 'null' }, /is not an origin/],
  ])('%o is refused at start', async (environment, message) => {
    const own = createServer({
      generated,
      environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...environment },
      observe: () => undefined,
    });
    const listening = own.listen({ ownsProcess: false });
    await expect(listening).rejects.toMatchObject({ code: 'TW018', message: expect.stringMatching(message) as string });
  });

  test('an application with a scheme of its own is an origin', async () => {
    const own = await startServer({ APP_CORS_ORIGINS: 'capacitor://localhost' });
    const headers = { origin: 'capacitor://localhost' };
    const reply = await sendRaw(`${own.url}/api/v1/projects`, { headers });
    await own.stop();
    expect(reply.headers['access-control-allow-origin']).toBe('capacitor://localhost');
  });

  test('in an Express app, what is not ours is left to the app', async () => {
    const own = createServer({
      generated,
      environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', APP_CORS_ORIGINS: app },
      driver: {
        run: () => Promise.resolve([]),
        transaction: () => Promise.reject(new Error()),
        ping: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      observe: () => undefined,
    });
    const theirs = Router().get('/theirs', (_request, response) => response.send('theirs'));
    const listening = express().use(own.handler).use(theirs).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/theirs`;
    const reply = await sendRaw(url, { headers: { origin: app } });
    await new Promise((resolve) => listening.close(resolve));
    await own.close();
    expect([reply.status, corsHeaders(reply)]).toEqual([200, []]);
  });
});

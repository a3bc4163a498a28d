import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import express from 'express';
import { WebSocket } from 'ws';
import { listenOn } from '../../../runtime/src/http/listener.js';
import { createClient, errorOf, type Client } from '../rest/support/client.js';
import { startServer, type TestServer } from '../rest/support/server.js';

/** A server below a path: by its setting, and by the host that it is mounted in. */

let server: TestServer;
let mounted: TestServer;
let host: Server;
let hosted: Client;

beforeAll(async () => {
  server = await startServer({ APP_SERVER_BASE_PATH: '/data', APP_REST_POSTGREST: '/rest/v1' });
  mounted = await startServer({ APP_REST_POSTGREST: '/rest/v1' });
  const app = express().use('/data', mounted.server.handler);
  app.get('/mine', (_request, response) => void response.send('mine'));
  host = createHttpServer(app);
  hosted = createClient(await listenOn(host, 0, '127.0.0.1'));
});
afterAll(async () => {
  host.closeAllConnections();
  await Promise.all([server.stop(), mounted.stop(), new Promise((resolve) => host.close(resolve))]);
});

const json = { 'content-type': 'application/json', prefer: 'return=headers-only' };
const label = (id: number): string => JSON.stringify({ id, name: `label ${String(id)}` });

describe.each([
  ['the setting', (): Client => server, 801],
  ['Express', (): Client => hosted, 802],
])('by %s', (_name, client, id) => {
  test('both protocols answer below the path', async () => {
    expect((await client().get('/data/api/v1/issues?limit=1')).status).toBe(200);
    const body = '{"query":"{ __typename }"}';
    expect((await client().send('POST', '/data/graphql', json, body)).status).toBe(200);
    expect((await client().get('/data/graphql?query={__typename}', { 'graphql-require-preflight': '1' })).status).toBe(
      200,
    );
  });

  test('addresses in answers are below the path', async () => {
    const made = await client().send('POST', '/data/api/v1/labels', json, label(id));
    expect([made.status, made.headers.location]).toEqual([201, `/data/api/v1/labels/${String(id)}`]);
    expect((await client().get(made.headers.location ?? '')).status).toBe(200);
    const other = await client().send('POST', '/data/rest/v1/labels', json, label(id + 10));
    expect(other.headers.location).toBe(`/data/rest/v1/labels?id=eq.${String(id + 10)}`);
    const read = await client().get('/data/rest/v1/labels?id=eq.1');
    expect(read.headers['content-location']).toBe('/data/rest/v1/labels?id=eq.1');
  });

  test('descriptions say where the API is', async () => {
    const openapi = JSON.parse((await client().get('/data/api/v1/openapi.json')).text) as { readonly servers: unknown };
    expect(openapi.servers).toEqual([{ url: '/data/api/v1' }]);
    const swagger = JSON.parse((await client().get('/data/rest/v1/')).text) as { readonly basePath: string };
    expect(swagger.basePath).toBe('/data/rest/v1');
  });
});

test('the setting: health and WebSockets are below the path, too', async () => {
  expect((await server.get('/data/health/ready')).status).toBe(200);
  const url = server.url.replace('http', 'ws');
  const socket = new WebSocket(`${url}/data/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.close();
  const refused = new WebSocket(`${url}/graphql`, 'graphql-transport-ws');
  const [error] = (await once(refused, 'error')) as [Error];
  expect(error.message).toBe('Unexpected server response: 404');
});

test.each(['/graphql', '/api/v1/issues', '/health/ready', '/database/graphql', '/datagraphql', '/'])(
  'the setting: nothing is at %s',
  async (path) => {
    const answer = await server.get(path);
    expect([answer.status, errorOf(answer)]).toEqual([
      404,
      expect.objectContaining({ code: 'TW008', message: 'There is nothing at this path: the server is below /data.' }),
    ]);
  },
);

test('the setting: a path below it that is not there is named as the client knows it', async () => {
  const { message, hint } = errorOf(await server.get('/data/none'));
  expect([message, hint]).toEqual([
    'There is nothing at /data/none.',
    'GraphQL is at /data/graphql, REST at /data/api/v1.',
  ]);
});

test('Express: other paths are those of the host', async () => {
  expect((await hosted.get('/mine')).text).toBe('mine');
  expect((await hosted.get('/data/none')).status).toBe(404);
});

test.each(['data', '/data/', '/', '/a b', '/data?x', 'https://example.com/data'])('%s is not a path', async (path) => {
  await expect(startServer({ APP_SERVER_BASE_PATH: path })).rejects.toThrow(
    expect.objectContaining({ code: 'TW018', message: `\`${path}\` in app.server.base-path is not a path.` }) as Error,
  );
});

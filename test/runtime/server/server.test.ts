import { connect, createServer as createProxy } from 'node:net';
import { once } from 'node:events';
import express, { Router } from 'express';
import { Agent, createServer as createHttpServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { GeneratedServer } from '../../../runtime/src/descriptor/generated.js';
import { emitOpenapi } from '../../../runtime/src/generator.js';
import { createServer } from '../../../runtime/src/extensions/create-server.js';
import { freePort } from '../../support/free-port.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { readBoard, schema } from '../rest/support/board.js';
import { createClient, errorOf, type Client } from '../rest/support/client.js';
import { startServer, type TestServer } from '../rest/support/server.js';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Sends raw bytes and returns the whole answer until the server closes the connection. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

describe('pages', () => {
  test('health', async () => {
    expect(await server.get('/health/live')).toMatchObject({ status: 200, text: '{"status":"live"}' });
    for (const path of ['/health/ready', '/health'])
      expect(await server.get(path)).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  });

  test('the console is a page without a name of the database, and a model with every table', async () => {
    const page = await server.get('/');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).not.toContain('Odd name');
    const { tables } = JSON.parse((await server.get('/console/model.json')).text) as {
      readonly tables: readonly { readonly name: string }[];
    };
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['issues', 'Odd name/1']));
  });

  test('openapi.json is the generated file, byte for byte', async () => {
    const { model } = await readBoard();
    for (const path of ['/api/v1', '/api/v1/openapi.json'])
      expect(await server.get(path)).toMatchObject({ status: 200, text: emitOpenapi(model) });
  });

  test('an unknown path is a REST error', async () => {
    const reply = await server.get('/nowhere');
    expect(reply.status).toBe(404);
    expect(errorOf(reply)).toMatchObject({ code: 'TW008' });
    expect(reply.headers['x-powered-by']).toBeUndefined();
  });
});

describe('answers', () => {
  test('are of no other type than they say, whatever they are', async () => {
    const read = await server.get('/api/v1/projects');
    const { etag = '' } = read.headers;
    const replies = [
      read,
      await server.get('/api/v1/projects', { 'if-none-match': etag }),
      await server.get('/api/v1/projects?limit=x'),
      await server.get('/api/v1/nowhere'),
      await server.get('/api/v1'),
      await server.send('OPTIONS', '/api/v1/projects'),
      await server.send('HEAD', '/api/v1/projects'),
      await server.get('/health/live'),
      await server.get('/nowhere'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 304, 400, 404, 200, 204, 200, 200, 404]);
    for (const { headers } of replies) expect(headers['x-content-type-options']).toBe('nosniff');
    expect(await raw(server.url, 'GET / HTTP/9\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*x-content-type-options: nosniff\r\n/,
    );
  });
});

describe('requests', () => {
  test('have an id: the client’s, or a new one', async () => {
    const own = await server.get('/api/v1/projects', { 'x-request-id': 'abc-123' });
    expect(own.headers['x-request-id']).toBe('abc-123');
    const other = await server.get('/api/v1/projects', { 'x-request-id': 'a b{}' });
    expect(other.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await server.get('/api/v1/nowhere')).headers['x-request-id']).toBeDefined();
  });

  test("are left alone by PostgREST's form of REST while no setting names a path for it", async () => {
    const reply = await server.get('/rest/v1/projects', { 'x-request-id': 'unmounted' });
    expect([reply.status, errorOf(reply).code]).toEqual([404, 'TW008']);
    await server.get('/api/v1/projects', { 'x-request-id': 'mounted' });
    const taken = server.observed.flatMap((each) => (each.kind === 'request' ? [each.id] : []));
    expect(taken).toContain('mounted');
    expect(taken).not.toContain('unmounted');
  });

  test('are observed', async () => {
    await server.get('/api/v1/nowhere', { 'x-request-id': 'observed' });
    expect(server.observed).toContainEqual({
      kind: 'request',
      id: 'observed',
      method: 'GET',
      route: '/api/v1',
      template: '/api/v1/{table}',
      status: 404,
      milliseconds: expect.any(Number) as number,
    });
  });

  test("a client's mistake is observed as one, also where its status is 500", async () => {
    await server.get('/api/v1/issues?id=eq.abc', { 'x-request-id': 'failing' });
    expect(server.observed).toContainEqual({
      ...{ kind: 'refusal', requestId: 'failing', method: 'GET' },
      ...{ path: '/api/v1/issues', status: 500, code: '22P02' },
    });
  });

  test('show the time of each stage outside production', async () => {
    const timing = (await server.get('/api/v1/projects')).headers['server-timing'];
    expect(timing).toMatch(/^parse;dur=[\d.]+, plan;dur=[\d.]+, database;dur=[\d.]+$/);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('%s is answered 405 with Allow', async (method) => {
    const reply = await server.send(method, '/api/v1/totals', {}, method === 'PROPFIND' ? undefined : '{}');
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(errorOf(reply).code).toBe('TW015');
  });

  test('Allow has the methods that write, where the table can be written', async () => {
    const reply = await server.send('PROPFIND', '/api/v1/projects');
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS']);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const path = '/api/v1/projects?order=id';
    const [head, get] = [await server.send('HEAD', path), await server.get(path)];
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(Number(get.headers['content-length'])).toBe(Buffer.byteLength(get.text));
  });
});

describe('what is no proper request', () => {
  test.each(['{', '}', '[', ']', '^'])(
    'a raw %s in the path or the query is 400 before anything else',
    async (character) => {
      for (const path of [`/api/v1/${character}`, `/api/v1/nowhere?x=${character}`]) {
        const answer = await raw(
          server.url,
          `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer x\r\nconnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer).toContain('"code":"TW005"');
      }
    },
  );

  test('a raw space is 400 with a REST error', async () => {
    const answer = await raw(server.url, 'GET /api/v1/issues?title=eq.a b HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('%20');
  });

  test('raw bytes beyond ASCII are 400 with a hint', async () => {
    const answer = await raw(server.url, 'GET /api/v1/issues?title=eq.عربي HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('not ASCII');
  });

  test('what is not HTTP is 400', async () => {
    expect(await raw(server.url, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a URL beyond its limit is 400, and headers beyond theirs are 431', async () => {
    const long = await server.get(`/api/v1/issues?title=eq.${'a'.repeat(17_000)}`);
    expect(long.status).toBe(400);
    expect(errorOf(long)).toMatchObject({ code: 'TW011' });
    const answer = await raw(server.url, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(90_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test.each([
    ['parameters', Array.from({ length: 201 }, (_, at) => `id=gt.${at}`).join('&')],
    ['groups', `or=${'(or'.repeat(40)}(id.eq.1)${')'.repeat(40)}`],
    ['filters', `or=(${Array.from({ length: 501 }, () => 'id.eq.1').join(',')})`],
    ['embedded tables', `select=${'comments('.repeat(40)}id${')'.repeat(40)}`],
    ['list elements', `id=in.(${Array.from({ length: 5001 }, () => 1).join(',')})`],
    ['steps', `select=metadata${'->a'.repeat(40)}`],
    ['selected values', `select=${Array.from({ length: 2001 }, () => 'id').join(',')}`],
  ])('too many %s are 400, naming the spot', async (_name, query) => {
    const reply = await server.get(`/api/v1/issues?${query}`);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ code: 'TW011', message: expect.stringMatching(/more than \d+/) as string });
  });
});

describe('a client that goes away', () => {
  test('has its statement cancelled', async () => {
    const { hostname, port } = new URL(server.url);
    const watcher = new pg.Client({ connectionString: server.databaseUrl });
    await watcher.connect();
    const sleeping = async (): Promise<number> => {
      const found = await watcher.query(
        `select count(*)::int n from pg_stat_activity where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`,
      );
      return (found.rows as { n: number }[])[0]?.n ?? 0;
    };
    await watcher.query(`create view board.slow as select 1 as id, pg_sleep(60)::text as slept`);
    await watcher.query('alter table board.secrets rename to hidden; alter view board.slow rename to secrets');
    const socket = connect(Number(port), hostname);
    socket.write('GET /api/v1/secrets HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until(async () => (await sleeping()) > 0);
    socket.destroy();
    await until(async () => (await sleeping()) === 0);
    await watcher.end();
    expect((await server.get('/api/v1/projects')).status).toBe(200);
  });
});

describe('together with the user’s code', () => {
  let database: TestDatabase;
  let generated: GeneratedServer;

  beforeAll(async () => {
    database = await createFilledDatabase('server', schema);
    ({ generated } = await readBoard(database.url));
  });
  afterAll(() => database.drop());

  const environment = () => ({ DATABASE_URL: database.url, PORT: '0', APP_SCHEMAS: 'board' });

  test('routes of the user are asked after ours, and their errors are answered as ours are', async () => {
    const routes = Router()
      .get('/hello', (_request, response) => response.send('hello'))
      .get('/fail', () => {
        throw new Error('a secret');
      });
    const observed: unknown[] = [];
    const own = createServer({
      generated,
      custom: { routes: [routes] },
      environment: { ...environment(), NODE_ENV: 'production' },
      observe: (observation) => observed.push(observation),
    });
    await own.listen({ ownsProcess: false });
    const client = createClient(own.address ?? '');
    expect((await client.get('/hello')).text).toBe('hello');
    const failed = await client.get('/fail');
    expect(failed.status).toBe(500);
    expect(failed.text).not.toContain('secret');
    expect(observed).toContainEqual(expect.objectContaining({ kind: 'failure' }));
    expect((await client.get('/')).status).toBe(404);
    expect((await client.get('/api/v1/projects')).headers['server-timing']).toBeUndefined();
    await own.close();
  });

  test('a schema of which nothing was generated is warned of', async () => {
    const observed: unknown[] = [];
    const own = createServer({
      generated,
      environment: { ...environment(), APP_SCHEMAS: 'board,borad' },
      observe: (observation) => observed.push(observation),
    });
    await own.listen({ ownsProcess: false });
    await own.close();
    expect(observed).toContainEqual({
      kind: 'warning',
      message: 'Nothing was generated for the schema "borad" of app.schemas.',
      hint: 'Is `board` meant?',
    });
  });

  test('a handler whose database is not there answers 503 and tries again', async () => {
    const there = new URL(database.url);
    const url = new URL(database.url);
    [url.hostname, url.port] = ['127.0.0.1', String(await freePort())];
    const own = createServer({
      generated,
      environment: {
        APP_SCHEMAS: 'board',
        DATABASE_URL: url.href,
      },
      observe: () => undefined,
    });
    const listening: Server = express().use(own.handler).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const client: Client = createClient(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`);
    const reply = await client.get('/api/v1/projects');
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBeDefined();
    expect(errorOf(reply).code).toBe('TW013');
    // From here on the database is reachable at that address.
    const way = createProxy((socket) => {
      const database = connect(Number(there.port === '' ? 5432 : there.port), there.hostname);
      for (const end of [socket, database]) end.on('error', () => undefined);
      socket.pipe(database).pipe(socket);
    }).listen(Number(url.port), url.hostname);
    let status = 503;
    while (status === 503) status = (await client.get('/api/v1/projects')).status;
    expect(status).toBe(200);
    await new Promise((resolve) => listening.close(resolve));
    await own.close();
    way.close();
  });

  test('the handler is a middleware of any Express app', async () => {
    const own = createServer({
      generated,
      environment: environment(),
      observe: () => undefined,
    });
    const app = express()
      .use(own.handler)
      .use((_request, response) => {
        response.send('theirs');
      });
    const listening: Server = app.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const client: Client = createClient(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`);
    expect(await client.ids('/api/v1/projects?select=id&order=id')).toEqual([1, 2, 3]);
    expect((await client.get('/elsewhere')).text).toBe('theirs');
    await new Promise((resolve) => listening.close(resolve));
    await own.close();
  });

  test('a server that closes tells the clients of its host that they are to connect again', async () => {
    let arrived = (): void => undefined;
    let release = (): void => undefined;
    const [isThere, mayGo] = [
      new Promise<void>((resolve) => (arrived = resolve)),
      new Promise<void>((resolve) => (release = resolve)),
    ];
    const waits = Router().get('/wait', async (_request, response) => {
      arrived();
      await mayGo;
      response.send('answered');
    });
    const own = createServer({
      ...{ generated, environment: environment(), custom: { routes: [waits] } },
      observe: ({ kind }) => {
        if (kind === 'shutdown') release();
      },
    });
    const listening: Server = createHttpServer(own.handler).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const agent = new Agent({ keepAlive: true });
    const asked = get({ agent, port: (listening.address() as AddressInfo).port, path: '/wait' });
    await isThere;
    const closed = own.close();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.headers.connection).toBe('close');
    answer.resume();
    await Promise.all([closed, new Promise((resolve) => listening.close(resolve))]);
    agent.destroy();
  });
});

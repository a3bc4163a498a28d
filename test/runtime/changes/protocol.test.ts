import { once as event } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { until } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live } from './support/live.js';

let live: Live;
let server: ServedServer;

beforeAll(async () => {
  live = await openLive();
  server = await live.start({
    APP_LOG_LEVEL: 'silent',
    APP_WEBSOCKET_INIT_TIMEOUT_MS: '3000',
    APP_WEBSOCKET_MAX_OPERATIONS: '3',
    APP_WEBSOCKET_MAX_SOCKETS: '8',
    APP_WEBSOCKET_MESSAGE_BYTES: '4096',
    APP_GRAPHQL_MAX_DEPTH: '4',
    APP_CORS_ORIGINS: 'https://app.example.com',
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await live.stop();
});

const subprotocol = 'graphql-transport-ws';

interface Raw {
  readonly socket: WebSocket;
  readonly messages: readonly Record<string, unknown>[];
  readonly closed: Promise<readonly [code: number, reason: string]>;
  readonly send: (message: unknown) => void;
}

async function open(protocol = subprotocol, options: ClientOptions = {}): Promise<Raw> {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, protocol, options);
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Record<string, unknown>));
  const closed = (event(socket, 'close') as Promise<[number, Buffer]>).then(
    ([code, reason]) => [code, reason.toString()] as const,
  );
  closed.catch(() => undefined);
  await event(socket, 'open');
  return {
    socket,
    messages,
    closed,
    send: (message) => {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    },
  };
}

async function opened(payload?: unknown): Promise<Raw> {
  const raw = await open();
  raw.send({ type: 'connection_init', payload });
  await until(() => Promise.resolve(raw.messages.length > 0));
  return raw;
}

const subscribe = (id: string, query = 'subscription { liveIssuesChanges { key } }'): object => ({
  id,
  type: 'subscribe',
  payload: { query },
});

test.each([
  ['not JSON', '{', 4400, 'Invalid message received'],
  ['no known type', { type: 'start' }, 4400, 'Invalid message received'],
  ['a second connection_init', { type: 'connection_init' }, 4429, 'Too many initialisation requests'],
  ['no query', { id: '1', type: 'subscribe', payload: {} }, 4400, 'Invalid message received'],
  ['an empty id', subscribe(''), 4400, 'Invalid message received'],
  ['a message that is too long', { type: 'ping', payload: { x: 'x'.repeat(5000) } }, 1009, ''],
])('%s', async (_, message, code, reason) => {
  const raw = await opened();
  raw.send(message);
  expect(await raw.closed).toEqual([code, reason]);
});

test('subscribe before the connection is acknowledged: 4401', async () => {
  const raw = await open();
  raw.send(subscribe('1'));
  expect(await raw.closed).toEqual([4401, 'Unauthorized']);
});

test('no connection_init in time: 4408', async () => {
  const raw = await open();
  expect(await raw.closed).toEqual([4408, 'Connection initialisation timeout']);
});

test('a token that is not valid is never nobody: 4403', async () => {
  const raw = await open();
  raw.send({ type: 'connection_init', payload: { headers: { authorization: 'Bearer a.b.c' } } });
  expect(await raw.closed).toEqual([4403, 'Forbidden']);
});

test('another subprotocol: 4406', async () => {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`);
  const [code] = (await event(socket, 'close')) as [number];
  expect(code).toBe(4406);
});

test('the same id twice: 4409; once it is complete it may be used again', async () => {
  const raw = await opened();
  raw.send(subscribe('1'));
  raw.send({ id: '1', type: 'complete' });
  raw.send(subscribe('1'));
  raw.send(subscribe('1'));
  expect(await raw.closed).toEqual([4409, 'Subscriber for 1 already exists']);
});

test('ping is answered with its payload', async () => {
  const raw = await opened();
  raw.send({ type: 'ping', payload: { at: 1 } });
  await until(() => Promise.resolve(raw.messages.length > 1));
  expect(raw.messages[1]).toEqual({ type: 'pong', payload: { at: 1 } });
  raw.socket.close();
  await raw.closed;
});

test('more operations than a socket may have, and documents that are too deep, are errors of their own', async () => {
  const raw = await opened();
  for (const id of ['1', '2', '3', '4']) raw.send(subscribe(id));
  raw.send({ id: '1', type: 'complete' });
  raw.send(
    subscribe(
      '5',
      'subscription { liveIssuesChanges { data { liveProjectId { liveIssues { liveProjectId { id } } } } } }',
    ),
  );
  await until(() => Promise.resolve(raw.messages.length > 2));
  const codes = raw.messages.slice(1).map(({ id, type, payload }) => [id, type, JSON.stringify(payload)]);
  expect(codes).toEqual([
    ['4', 'error', expect.stringContaining('TW011') as string],
    ['5', 'error', expect.stringContaining('max-depth') as string],
  ]);
  raw.socket.close();
  await raw.closed;
});

test.each([
  ['https://evil.example.com', 403],
  ['null', 403],
  ['https://app.example.com', 101],
])('a page of the origin %s: %i', async (origin, status) => {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, subprotocol, { origin });
  const found = await new Promise<number>((resolve) => {
    socket.on('upgrade', ({ statusCode }) => {
      resolve(statusCode ?? 0);
    });
    socket.on('unexpected-response', (_, { statusCode }) => {
      resolve(statusCode ?? 0);
    });
    socket.on('error', () => undefined);
  });
  expect(found).toBe(status);
  socket.terminate();
});

test("a page of the server's own address may; another path is no WebSocket", async () => {
  const own = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, subprotocol, { origin: server.base });
  await event(own, 'open');
  own.terminate();
  const other = new WebSocket(`${server.base.replace('http', 'ws')}/other`, subprotocol);
  const [, { statusCode }] = (await event(other, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(statusCode).toBe(404);
  other.on('error', () => undefined);
  other.terminate();
});

test('more sockets than the server holds: 503', async () => {
  const many = await Promise.all(Array.from({ length: 8 }, () => opened()));
  const refused = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, subprotocol);
  refused.on('error', () => undefined);
  const [, { statusCode }] = (await event(refused, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(statusCode).toBe(503);
  for (const { socket, closed } of many) {
    socket.close();
    await closed;
  }
});

test('a client that stops reading is closed, and the others are told everything', async () => {
  const [slow, client] = [await opened(), openClient(server)];
  const query = 'subscription { liveIssuesChanges { key data { title } } }';
  slow.send(subscribe('1', query));
  const quick = await watch(client, query);
  slow.socket.pause();
  await live.run(`insert into live.issues (id, title) select n, '' from generate_series(1, 20) n`);
  let code: number | undefined;
  slow.closed.then(
    ([given]) => (code = given),
    () => undefined,
  );
  for (let turn = 1; turn <= 60; turn += 1) {
    await live.run(`update live.issues set title = repeat('x', 10000) || $1::text`, [String(turn)]);
    await quick.until((events) => events.at(-1)?.data?.['title']?.toString().endsWith(`x${turn}`) === true);
  }
  slow.socket.resume();
  await until(() => Promise.resolve(code !== undefined));
  expect([1006, 4408]).toContain(code);
  quick.stop();
  await client.dispose();
});

describe('event streams', () => {
  const stream = (query: string, accept = 'text/event-stream', signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
      ...(signal === undefined ? {} : { signal }),
    });

  test('a query is one event and the end', async () => {
    const response = await stream('{ liveProjects(orderBy: {id: ASC}) { name } }');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect((await response.text()).replace(/,\s+/g, ',')).toBe(
      ':\n\nevent: next\ndata: {"data":{"liveProjects":[{"name":"one"},{"name":"two"}]}}\n\nevent: complete\ndata:\n\n',
    );
  });

  test('a document that is wrong is an event with its errors', async () => {
    expect(await (await stream('{ nothing }')).text()).toMatch(/event: next\ndata: \{"errors":\[.*\n\nevent: complete/);
  });

  test('changes come as they are committed, and as long as the client listens', async () => {
    const leaving = new AbortController();
    const response = await stream('subscription { liveProjectsChanges { operation key } }', undefined, leaving.signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const read = async (what: string): Promise<void> => {
      while (!text.includes(what)) text += (await reader?.read())?.value ?? '';
    };
    await read(':');
    await live.run(`insert into live.projects values (50, 'fifty')`);
    await read('"key":{"id":50}');
    await live.run(`delete from live.projects where id = 50`);
    await read('DELETE');
    leaving.abort();
  });
});

import { connect, type Socket } from 'node:net';
import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';
import { logged, until } from '../../support/until.js';
import { createClient, type Client } from '../rest/support/client.js';

/**
 * Clients that do not read their answers, and answers that are too long: the server limits the
 * memory that they hold.
 */
let database: TestDatabase;
let program: Transpiled;

/** A hundred pages are 20 MB. */
const sql = `
  create schema book;
  create table book.pages (id int primary key, body text not null);
  insert into book.pages select i, repeat(md5(i::text), 6250) from generate_series(1, 100) i;
  create table book.words (id int primary key, word text not null);
  insert into book.words select i, 'word ' || i from generate_series(1, 50) i;
`;

beforeAll(async () => {
  database = await createTestDatabase('slow_readers');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url);
});
afterAll(async () => {
  await program.remove();
  await database.drop();
});

interface Started extends Client, RunningServer {
  readonly ask: (document: string) => ReturnType<Client['send']>;
}

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Started> {
  const server = await startServerHere(program.folder, {
    DATABASE_URL: database.url,
    APP_MAX_ROWS: '1000',
    ...environment,
  });
  const client = createClient(server.base);
  const json = { 'content-type': 'application/json' };
  return {
    ...server,
    ...client,
    ask: (document) => client.send('POST', '/graphql', json, JSON.stringify({ query: document })),
  };
}

interface Reader {
  readonly socket: Socket;
  readonly received: () => number;
  /** Reads this many bytes more, and stops again. */
  readonly take: (bytes: number) => void;
  readonly isClosed: () => boolean;
}

/** A client that reads its answer only when told to. */
function reader(server: RunningServer, path: string): Reader {
  const { hostname, port } = new URL(server.base);
  const socket = connect(Number(port), hostname);
  let received = 0;
  let wanted = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received >= wanted) socket.pause();
  });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  const take = (bytes: number): void => {
    wanted = received + bytes;
    socket.resume();
  };
  return { socket, received: () => received, take, isClosed: () => socket.destroyed };
}

const tooLong = { code: 'TW011', message: expect.stringMatching(/^The answer is longer than \d+ bytes\.$/) as string };

describe('an answer of more bytes than are allowed is 413', () => {
  let server: Started;
  beforeAll(async () => {
    server = await start({ APP_LIMITS_RESPONSE_BYTES: '300000' });
  });
  afterAll(() => server.stop());

  test('over REST, with a hint', async () => {
    const { status, text } = await server.get('/api/v1/pages');
    expect([status, JSON.parse(text)]).toEqual([413, expect.objectContaining(tooLong)]);
    expect(text).toContain('app.limits.response-bytes');
    // An answer slightly above the limit: the server reads the rest from the database, and then
    // refuses it.
    expect((await server.get('/api/v1/pages?limit=2')).status).toBe(413);
    expect((await server.get('/api/v1/pages?limit=1')).status).toBe(200);
    expect((await server.get('/api/v1/pages', { accept: 'text/csv' })).status).toBe(413);
  });

  test.each([
    '{ bookPages { body } }',
    '{ bookPages(limit: 2) { body } }',
    '{ bookPages(limit: 2) { body } __schema { queryType { name } } }',
  ])('over GraphQL: %s', async (document) => {
    const { status, text } = await server.ask(document);
    const { errors } = JSON.parse(text) as { errors: readonly unknown[] };
    expect(status).toBe(413);
    expect(errors[0]).toMatchObject({ message: tooLong.message, extensions: { code: 'TW011' } });
  });

  test('while others, on the same connections, are answered', async () => {
    const replies: number[] = [];
    const reading = Array.from({ length: 8 }, async () => {
      for (let at = 0; at < 40; at += 1) replies.push((await server.get(`/api/v1/words?id=eq.${at + 1}`)).status);
    });
    for (let at = 0; at < 10; at += 1) expect((await server.get('/api/v1/pages?id=gt.0')).status).toBe(413);
    await Promise.all(reading);
    expect(new Set(replies)).toEqual(new Set([200]));
  });

  test('but a write is answered, however long that is: it is done', async () => {
    const json = { 'content-type': 'application/json' };
    const reply = await server.send(
      'PATCH',
      '/api/v1/pages?id=lte.4',
      json,
      JSON.stringify({ body: 'x'.repeat(200_000) }),
    );
    expect(reply.status).toBe(200);
    expect(reply.text.length).toBeGreaterThan(800_000);
  });
});

test('a client that takes nothing of its answer is cut off; one that takes it slowly is not', async () => {
  const server = await start({ APP_LIMITS_SEND_TIMEOUT_MS: '1500' });
  const stalled = reader(server, '/api/v1/pages');
  const slow = reader(server, '/api/v1/pages');
  // At this rate the client reads more than a third of the system's send buffer of 4 MB within the
  // timeout; the system does not report smaller amounts to the sender.
  let taken = 0;
  const dripping = setInterval(() => {
    slow.take(600_000);
    taken += 1;
  }, 300);
  await logged(server, 'client did not read its answer and was disconnected');
  await until(() => taken >= 20);
  clearInterval(dripping);
  expect(slow.received()).toBeLessThan(20_000_000);
  slow.take(Infinity);
  await until(() => slow.received() > 20_000_000 || slow.isClosed());
  expect(slow.isClosed()).toBe(false);
  stalled.take(Infinity);
  await until(() => stalled.isClosed());
  expect(stalled.received()).toBeLessThan(20_000_000);
  // A slow connection can still be used for the next request.
  slow.socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const before = slow.received();
  await until(() => slow.received() > before);
  slow.socket.destroy();
  expect(await server.stop()).toBe(0);
});

test('a client that takes nothing is cut off after the time of the setting, not after twice that', async () => {
  const milliseconds = 6_000;
  const server = await start({ APP_LIMITS_SEND_TIMEOUT_MS: String(milliseconds) });
  const stalled = reader(server, '/api/v1/pages');
  const since = performance.now();
  await logged(server, 'client did not read its answer and was disconnected');
  const taken = performance.now() - since;
  expect(taken).toBeGreaterThan(milliseconds);
  expect(taken).toBeLessThan(2 * milliseconds);
  stalled.socket.destroy();
  expect(await server.stop()).toBe(0);
});

describe.each([
  ['the process', 'APP_SERVER_MAX_CONNECTIONS', 'to this server'],
  ['one address', 'APP_SERVER_MAX_CONNECTIONS_PER_ADDRESS', 'from this address'],
])('more connections than are allowed to %s', (_whose, setting, message) => {
  test('are refused, until others are closed', async () => {
    const limited = await start({ [setting]: '3' });
    const { hostname, port } = new URL(limited.base);
    const open = async (): Promise<{ readonly socket: Socket; readonly text: string }> => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await until(() => text.includes('}') || socket.destroyed);
      return { socket, text };
    };
    const held: Socket[] = [];
    let refused = '';
    // A connection of the helper that waited for the server may still be open.
    while (refused === '') {
      const { socket, text } = await open();
      if (text.startsWith('HTTP/1.1 200')) held.push(socket);
      else refused = text;
    }
    expect(held.length).toBeLessThanOrEqual(3);
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1/i);
    expect(refused).toContain(`There are too many connections ${message}.`);
    for (const socket of held) socket.destroy();
    let isTaken = false;
    while (!isTaken) {
      const { socket, text } = await open();
      isTaken = text.startsWith('HTTP/1.1 200');
      socket.destroy();
    }
    expect(await limited.stop()).toBe(0);
  });
});

test('answers that nobody takes hold bounded memory: further long ones are 503, short ones are answered', async () => {
  // No answer is given up meanwhile: on a busy machine the readers need longer than its 30 s.
  const server = await start({
    APP_LIMITS_PENDING_RESPONSE_BYTES: '70000000',
    APP_LIMITS_SEND_TIMEOUT_MS: '1800000',
  });
  const readers: Reader[] = [];
  for (let at = 0; at < 12; at += 1) {
    const next = reader(server, '/api/v1/pages');
    readers.push(next);
    // Its answer, or its refusal, is being sent: no statement waits for a connection any more.
    next.take(1);
    await until(() => next.received() > 0);
  }
  const long = await server.get('/api/v1/pages');
  expect([long.status, long.headers['retry-after']]).toEqual([503, '1']);
  expect(JSON.parse(long.text)).toMatchObject({
    code: 'TW013',
    hint: expect.stringContaining('pending-response-bytes') as string,
  });
  const asked = await server.ask('{ bookPages { body } }');
  expect([asked.status, asked.headers['retry-after']]).toEqual([503, '1']);
  expect((await server.get('/api/v1/words')).status).toBe(200);
  for (const { socket } of readers) socket.destroy();
  await until(async () => (await server.get('/api/v1/pages')).status === 200);
  expect(await server.stop()).toBe(0);
});

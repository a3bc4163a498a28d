import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw } from '../../support/raw-http.js';

/**
 * Limits on a request: the bytes of its parts, and the time until they arrive. Each limit is a
 * setting.
 */
let server: DemoServer;

const limits = { body: 2_000, url: 500, headers: 3_000, headersTimeout: 400, requestTimeout: 900 };

beforeAll(async () => {
  server = await startDemoServer({
    environment: {
      APP_LIMITS_BODY_BYTES: String(limits.body),
      APP_LIMITS_URL_BYTES: String(limits.url),
      APP_LIMITS_HEADER_BYTES: String(limits.headers),
      APP_LIMITS_HEADERS_TIMEOUT_MS: String(limits.headersTimeout),
      APP_LIMITS_REQUEST_TIMEOUT_MS: String(limits.requestTimeout),
    },
  });
});
afterAll(() => server.stop());

/** A connection for raw bytes. `answer` is all text until the server closes the connection. */
function open(): { readonly write: (text: string) => void; readonly answer: Promise<string> } {
  const { hostname, port } = new URL(server.base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return {
    write: (bytes) => {
      if (socket.writable) socket.write(bytes);
    },
    answer: once(socket, 'close').then(() => text),
  };
}

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

describe('a body', () => {
  const json = { 'content-type': 'application/json' };

  test.each([
    ['/graphql', {}],
    ['/api/v1/issues', { 'content-profile': 'kanban' }],
  ])('of as many bytes as are allowed is read, and of one more is 413: %s', async (path, headers) => {
    const body = (bytes: number): string => `{"query":"${'x'.repeat(bytes - 12)}"}`;
    const post = (bytes: number) =>
      sendRaw(server.base + path, { method: 'POST', headers: { ...json, ...headers }, body: body(bytes) });
    expect((await post(limits.body)).status).toBeLessThan(413);
    const refused = await post(limits.body + 1);
    expect([refused.status, refused.headers.connection]).toEqual([413, 'close']);
    expect(refused.bytes.toString()).toContain('TW011');
  });

  test('without an announced length is cut off where it is too long', async () => {
    const connection = open();
    connection.write(
      'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    connection.write(`${(limits.body + 1).toString(16)}\r\n${' '.repeat(limits.body + 1)}\r\n`);
    expect(await connection.answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('a compressed body', () => {
  const post = (path: string, coding: string, body: string | Buffer) =>
    sendRaw(server.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-profile': 'kanban', 'content-encoding': coding },
      body,
    });
  const query = JSON.stringify({ query: '{ __typename }' });
  const long = JSON.stringify({ query: `{ __typename }${' '.repeat(limits.body)}` });

  test.each([
    ['gzip', gzipSync(query)],
    ['X-GZIP', gzipSync(query)],
    ['deflate', deflateSync(query)],
    ['br', brotliCompressSync(query)],
    ['identity', query],
    ['gzip, br', brotliCompressSync(gzipSync(query))],
  ])('is read: %s', async (coding, body) => {
    const answer = await post('/graphql', coding, body);
    expect([answer.status, answer.bytes.toString()]).toEqual([200, '{"data":{"__typename":"Query"}}']);
  });

  test.each([
    ['/graphql', 413, 'gzip', gzipSync(long)],
    ['/api/v1/issues', 413, 'br', brotliCompressSync(long)],
    ['/graphql', 400, 'gzip', query],
    ['/api/v1/issues', 400, 'gzip', gzipSync(query).subarray(0, 20)],
    ['/graphql', 415, 'zstd', query],
    ['/api/v1/issues', 415, 'gzip, gzip, gzip, gzip', query],
  ])('at %s is %d where it is too long, malformed or of an unknown coding: %s', async (path, status, coding, body) => {
    const answer = await post(path, coding, body);
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([
      status,
      status === 415 ? 'gzip, deflate, br' : undefined,
    ]);
  });
});

describe('headers', () => {
  test('that are too long are 431, with a REST error', async () => {
    const connection = open();
    connection.write(
      `GET /api/v1/issues HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(limits.url + limits.headers)}\r\n\r\n`,
    );
    const answer = await connection.answer;
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'TW011' });
  });

  test('within the limit are read', async () => {
    const headers = { 'accept-profile': 'kanban', x: 'x'.repeat(limits.headers / 2) };
    expect((await sendRaw(`${server.base}/api/v1/issues`, { headers })).status).toBe(200);
  });

  test('beside a URL that is too long: 400', async () => {
    const reply = await sendRaw(`${server.base}/api/v1/issues?title=eq.${'x'.repeat(limits.url)}`);
    expect([reply.status, reply.bytes.toString()]).toEqual([400, expect.stringContaining('TW011')]);
  });
});

describe('a client that sends slowly is answered 408 and its connection closed', () => {
  test('a header line at a time (Slowloris)', async () => {
    const connection = open();
    connection.write('GET /api/v1/issues HTTP/1.1\r\nhost: localhost\r\n');
    const dripping = setInterval(() => {
      connection.write('x: y\r\n');
    }, 100);
    const answer = await connection.answer;
    clearInterval(dripping);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'TW014' });
  });

  test('a body byte at a time (R.U.D.Y.)', async () => {
    const connection = open();
    connection.write(
      'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n',
    );
    const dripping = setInterval(() => {
      connection.write(' ');
    }, 100);
    const answer = await connection.answer;
    clearInterval(dripping);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('many of them keep nobody else waiting', async () => {
    const slow = Array.from({ length: 50 }, () => open());
    for (const { write } of slow) write('GET / HTTP/1.1\r\nhost: localhost\r\n');
    const headers = { 'accept-profile': 'kanban' };
    expect((await sendRaw(`${server.base}/api/v1/issues`, { headers })).status).toBe(200);
    for (const { answer } of slow) expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { listed, sendRaw, type RawReply } from '../../support/raw-http.js';
import { startServer } from '../rest/support/server.js';

/** Content codings. RFC 9110, 8.4, 12.5.3. */
let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.stop());

const long = '/api/v1/issues?order=id&limit=20';
const short = '/api/v1/issues?select=id&id=eq.1';

const get = (path: string, acceptEncoding?: string, method = 'GET'): Promise<RawReply> =>
  sendRaw(server.base + path, {
    method,
    headers: {
      'accept-profile': 'kanban',
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    },
  });

const ask = (query: string, acceptEncoding?: string): Promise<RawReply> =>
  sendRaw(`${server.base}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    },
    body: JSON.stringify({ query }),
  });

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

describe.each(['br', 'gzip'] as const)('%s', (coding) => {
  test('REST answers the same bytes, compressed, with their length', async () => {
    const [plain, compressed] = [await get(long), await get(long, coding)];
    expect(compressed.headers['content-encoding']).toBe(coding);
    expect(compressed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length));
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(decoders[coding](compressed.bytes)).toEqual(plain.bytes);
  });

  test('GraphQL too', async () => {
    const query = '{ kanbanIssues(orderBy: {id: ASC}, limit: 20) { id title description } }';
    const [plain, compressed] = [await ask(query), await ask(query, coding)];
    expect(compressed.headers['content-encoding']).toBe(coding);
    expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length));
    expect(decoders[coding](compressed.bytes)).toEqual(plain.bytes);
  });

  test('HEAD has the headers that GET would have', async () => {
    const [head, whole] = [await get(long, coding, 'HEAD'), await get(long, coding)];
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'] as const) {
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    }
  });
});

describe('the coding is what the client likes best', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['zstd', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['*', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['*;q=0', undefined],
    ['identity;q=0', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=x', undefined],
    [`gzip, ${'x'.repeat(300)}`, 'gzip'],
  ])('Accept-Encoding: %s → %s', async (acceptEncoding, coding) => {
    const reply = await get(long, acceptEncoding);
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, coding]);
    // Uncompressed answers have the header, too, because other clients get compressed ones.
    expect(listed(reply.headers.vary)).toContain('accept-encoding');
  });
});

test('what is shorter than the threshold is sent as it is, errors too', async () => {
  for (const path of [short, '/api/v1/nothing']) {
    const reply = await get(path, 'br, gzip');
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.bytes.toString('utf8')).toMatch(/^\{/);
    expect(listed(reply.headers.vary)).toContain('accept-encoding');
  }
  expect((await ask('{ nothing }', 'gzip')).headers['content-encoding']).toBeUndefined();
});

test('a long error is compressed as every answer is', async () => {
  const fields = Array.from({ length: 40 }, (_, at) => `nothing${at}`).join(' ');
  const reply = await ask(`{ ${fields} }`, 'gzip');
  expect(reply.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(reply.bytes).toString('utf8')).toMatch(/^\{"errors":\[/);
});

test('pages are compressed too', async () => {
  const page = await get('/', 'gzip');
  expect(page.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(page.bytes).toString('utf8')).toContain('<title>Tablewright</title>');
  expect(listed(page.headers.vary)).toContain('accept-encoding');
  expect((await get('/graphql/assets/graphiql.js', 'br')).headers['content-encoding']).toBe('br');
});

describe('by configuration', () => {
  test('it is off', async () => {
    const own = await startServer({ APP_COMPRESSION_ENABLED: 'false' });
    const reply = await sendRaw(`${own.url}/api/v1/issues`, { headers: { 'accept-encoding': 'br, gzip' } });
    await own.stop();
    expect(reply.bytes.length).toBeGreaterThan(1024);
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(listed(reply.headers.vary)).not.toContain('accept-encoding');
  });

  test('the threshold is another one', async () => {
    const own = await startServer({ APP_COMPRESSION_THRESHOLD_BYTES: '0' });
    const url = `${own.url}/api/v1/projects?select=id&id=eq.1`;
    const reply = await sendRaw(url, { headers: { 'accept-encoding': 'gzip' } });
    await own.stop();
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(reply.bytes).toString('utf8'))).toMatchObject({ data: [{ id: 1 }] });
  });
});

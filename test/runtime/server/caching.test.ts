import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { listed, sendRaw, type RawReply } from '../../support/raw-http.js';
import { startServer } from '../rest/support/server.js';

/**
 * Entity tags, 304, `Vary` and `Cache-Control`. RFC 9110, 8.8.3, 12.5.5, 13.1.2, 15.4.5; RFC 9111,
 * 5.2.2.
 */
let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.stop());

const profile = { 'accept-profile': 'kanban' };
const path = '/api/v1/issues?order=id&limit=5';

const get = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawReply> =>
  sendRaw(server.base + target, { method, headers: { ...profile, ...headers } });

const tagOf = (reply: RawReply): string => reply.headers.etag ?? '';

describe('every form of a read has a strong entity tag, and If-None-Match with it is 304', () => {
  test.each<[string, string, Readonly<Record<string, string>>, number]>([
    ['a list', path, {}, 200],
    ['a counted list', path, { prefer: 'count=exact' }, 200],
    ['a range', '/api/v1/issues?order=id', { range: '0-4' }, 206],
    ['CSV', path, { accept: 'text/csv' }, 200],
    ['a single object', '/api/v1/issues?id=eq.1', { accept: 'application/vnd.pgrst.object+json' }, 200],
    ['a row by its key', '/api/v1/issues/1', {}, 200],
    ['a compressed list', path, { 'accept-encoding': 'gzip' }, 200],
  ])('%s', async (_what, target, headers, status) => {
    for (const method of ['GET', 'HEAD']) {
      const first = await get(target, headers, method);
      expect(first.status).toBe(status);
      expect(tagOf(first)).toMatch(/^"[\w-]+"$/);
      const again = await get(target, { ...headers, 'if-none-match': tagOf(first) }, method);
      expect(again.status).toBe(304);
      expect(again.bytes).toHaveLength(0);
      for (const name of ['etag', 'vary', 'cache-control'] as const) {
        expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
      }
      for (const name of ['content-type', 'content-length', 'content-encoding', 'content-range'] as const) {
        expect([name, again.headers[name]]).toEqual([name, undefined]);
      }
      expect(again.headers['x-request-id']).toBeDefined();
    }
  });

  test('HEAD has the tag of GET', async () => {
    expect(tagOf(await get(path, {}, 'HEAD'))).toBe(tagOf(await get(path)));
  });
});

test('the OpenAPI document has a tag too', async () => {
  const own = await startServer();
  const first = await own.get('/api/v1');
  const again = await own.get('/api/v1', { 'if-none-match': first.headers.etag ?? '' });
  await own.stop();
  expect([first.status, first.headers['cache-control']]).toEqual([200, 'no-cache']);
  expect([again.status, again.text]).toEqual([304, '']);
});

describe('If-None-Match', () => {
  test('takes a list, weak tags and *', async () => {
    const tag = tagOf(await get(path));
    for (const condition of [`"other", ${tag}`, `W/${tag}`, `"a","b" , W/${tag}`, '*']) {
      expect([condition, (await get(path, { 'if-none-match': condition })).status]).toEqual([condition, 304]);
    }
  });

  test('with another tag, or with what is no tag, gives the whole answer', async () => {
    const tag = tagOf(await get(path));
    for (const condition of ['"other"', tag.slice(1, -1), 'W/"other"', '', '"*"']) {
      const reply = await get(path, { 'if-none-match': condition });
      expect([condition, reply.status]).toEqual([condition, 200]);
      expect(reply.bytes.length).toBeGreaterThan(0);
    }
  });

  test('is passed over where nothing was read: writes, errors', async () => {
    expect((await get('/api/v1/nothing', { 'if-none-match': '*' })).status).toBe(404);
    expect((await get('/api/v1/issues/999999', { 'if-none-match': '*' })).status).toBe(404);
    const dry = await sendRaw(`${server.base}/api/v1/issues?id=eq.1`, {
      method: 'PATCH',
      headers: {
        'content-profile': 'kanban',
        'content-type': 'application/json',
        prefer: 'tx=rollback',
        authorization: `Bearer ${server.token}`,
        'if-none-match': '*',
      },
      body: '{"title":"x"}',
    });
    expect(dry.status).toBe(200);
    expect(dry.headers.etag).toBeUndefined();
    expect(dry.headers['cache-control']).toBe('no-store');
  });
});

describe('the tag is another one for', () => {
  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['other rows', '/api/v1/issues?order=id&limit=4', {}],
    ['another form', path, { accept: 'text/csv' }],
    ['a count in the envelope', path, { prefer: 'count=exact' }],
    ['brotli', path, { 'accept-encoding': 'br' }],
    ['gzip', path, { 'accept-encoding': 'gzip' }],
  ])('%s', async (_what, target, headers) => {
    expect(tagOf(await get(target, headers))).not.toBe(tagOf(await get(path)));
  });

  test('brotli and gzip each', async () => {
    const [br, gzip] = [await get(path, { 'accept-encoding': 'br' }), await get(path, { 'accept-encoding': 'gzip' })];
    expect(tagOf(br)).not.toBe(tagOf(gzip));
    // A client that accepts no coding does not have the representation of the compressed answer's
    // tag.
    expect((await get(path, { 'if-none-match': tagOf(gzip) })).status).toBe(200);
  });

  test('the same CSV lines at another place of the whole: their Content-Range differs', async () => {
    const range = (range: string): Promise<RawReply> =>
      get('/api/v1/issues?select=status&status=eq.done&order=id', { accept: 'text/csv', range });
    const [first, second] = [await range('0-0'), await range('1-1')];
    expect(first.bytes).toEqual(second.bytes);
    expect(tagOf(first)).not.toBe(tagOf(second));
  });

  test('a row that was changed, and the old one no longer matches', async () => {
    const own = await startServer();
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: own.databaseUrl });
    await client.connect();
    try {
      const before = await own.get('/api/v1/projects/1');
      await client.query(`update board.projects set name = name || '!' where id = 1`);
      const after = await own.get('/api/v1/projects/1', { 'if-none-match': before.headers.etag ?? '' });
      expect(after.status).toBe(200);
      expect(after.headers.etag).not.toBe(before.headers.etag);
    } finally {
      await client.end();
      await own.stop();
    }
  });
});

describe('what a policy shows to one is kept from the others', () => {
  test('anonymous and known readers have different tags of the same address', async () => {
    const mine = { authorization: `Bearer ${server.token}` };
    const [anonymous, known] = [await get('/api/v1/notifications'), await get('/api/v1/notifications', mine)];
    expect(tagOf(known)).not.toBe(tagOf(anonymous));
    expect((await get('/api/v1/notifications', { 'if-none-match': tagOf(known) })).status).toBe(200);
  });

  test('Cache-Control: private with a token; always to be asked about again', async () => {
    expect((await get(path)).headers['cache-control']).toBe('no-cache');
    const known = await get(path, { authorization: `Bearer ${server.token}` });
    expect(known.headers['cache-control']).toBe('private, no-cache');
  });

  test('errors are not kept', async () => {
    for (const target of ['/api/v1/nothing', '/api/v1/issues/999999', '/api/v1/issues?nothing=eq.1']) {
      expect((await get(target)).headers['cache-control']).toBe('no-store');
    }
    expect((await get(path, { authorization: 'Bearer x' })).headers['cache-control']).toBe('no-store');
  });

  test('GraphQL answers by POST are not kept, those by GET as those of REST', async () => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{__typename}"}' };
    const posted = await sendRaw(`${server.base}/graphql`, post);
    expect([posted.status, posted.headers['cache-control'], posted.headers.etag]).toEqual([200, 'no-store', undefined]);
    const url = `${server.base}/graphql?query={__typename}`;
    const accept = { accept: 'application/json' };
    const anonymous = await sendRaw(url, { headers: accept });
    expect([anonymous.status, anonymous.headers['cache-control']]).toEqual([200, 'no-cache']);
    const known = await sendRaw(url, { headers: { ...accept, authorization: `Bearer ${server.token}` } });
    expect([known.status, known.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(known.headers.vary).toMatch(/Authorization/);
    const refused = await sendRaw(url);
    expect([refused.status, refused.headers['cache-control']]).toEqual([400, 'no-store']);
  });

  test('health is not kept', async () => {
    expect((await get('/health/ready')).headers['cache-control']).toBe('no-store');
  });
});

describe('Vary names every header that decides', () => {
  test('of a read, of its 304 and of its errors', async () => {
    const first = await get(path);
    const expected = ['accept', 'accept-encoding', 'accept-profile', 'authorization', 'prefer', 'range'];
    expect([...listed(first.headers.vary)].sort()).toEqual(expected);
    for (const reply of [await get(path, { 'if-none-match': tagOf(first) }), await get('/api/v1/nothing')]) {
      expect([...listed(reply.headers.vary)].sort()).toEqual(expected);
    }
  });

  test('but no header that is not read: one schema, no verification, no compression', async () => {
    const own = await startServer({ APP_COMPRESSION_ENABLED: 'false' });
    const reply = await own.get('/api/v1/projects');
    await own.stop();
    expect([...listed(reply.headers.vary)].sort()).toEqual(['accept', 'prefer', 'range']);
  });

  test('of GraphQL', async () => {
    const reply = await sendRaw(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{__typename}"}',
    });
    expect([...listed(reply.headers.vary)].sort()).toEqual(['accept', 'accept-encoding']);
  });
});

test('app.rest.etag turns tags off', async () => {
  const own = await startServer({ APP_REST_ETAG: 'false' });
  const reply = await own.get('/api/v1/projects', { 'if-none-match': '*' });
  await own.stop();
  expect([reply.status, reply.headers.etag]).toEqual([200, undefined]);
});

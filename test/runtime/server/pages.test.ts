import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw } from '../../support/raw-http.js';

/**
 * Pages have headers against misuse of the browser: https://owasp.org/www-project-secure-headers/
 */
const custom = `
import { Router } from 'express';
const routes = Router()
  .get('/own', (_request, response) => response.send('<p>own</p>'))
  .get('/framed', (_request, response) => response.set('content-security-policy', "frame-ancestors 'self'").send('x'))
  .get('/broken', () => { throw new Error('a secret'); });
export const custom = { resolvers: [], routes: [routes] };
`;

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({ custom });
});
afterAll(() => server.stop());

describe('every page, whatever its status', () => {
  test.each<[string, number, Readonly<Record<string, string>>]>([
    ['/', 200, {}],
    ['/graphql', 200, { accept: 'text/html' }],
    ['/graphql/assets/graphiql.js', 200, {}],
    ['/health/live', 200, {}],
    ['/health/ready', 200, {}],
    ['/own', 200, {}],
    ['/broken', 500, {}],
    ['/nowhere', 404, {}],
  ])('%s', async (path, status, headers) => {
    const reply = await sendRaw(server.base + path, { headers });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = reply.headers['content-security-policy'] ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'self'|default-src 'self'/);
    expect(policy).not.toContain('unsafe-eval');
    expect(policy).not.toMatch(/script-src [^;]*unsafe-inline/);
    expect(reply.headers['x-powered-by']).toBeUndefined();
    expect(reply.headers['strict-transport-security']).toBeUndefined();
  });
});

test('a route of the user may say otherwise', async () => {
  const reply = await sendRaw(`${server.base}/framed`);
  expect(reply.headers['content-security-policy']).toBe("frame-ancestors 'self'");
});

test("the console's page has an entity tag", async () => {
  const first = await sendRaw(`${server.base}/`);
  const again = await sendRaw(`${server.base}/`, { headers: { 'if-none-match': first.headers.etag ?? '' } });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

describe('pages have a request id', () => {
  test('the client’s where it is plain, otherwise a new one', async () => {
    const own = await sendRaw(`${server.base}/own`, { headers: { 'x-request-id': 'abc-1' } });
    expect(own.headers['x-request-id']).toBe('abc-1');
    expect((await sendRaw(`${server.base}/nowhere`)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

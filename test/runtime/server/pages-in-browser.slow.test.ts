import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeInBrowser } from '../../support/browser.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw } from '../../support/raw-http.js';
import { startServer, type TestServer } from '../rest/support/server.js';

/** Pages of other origins in a browser; cors.test.ts and foreign-pages.slow.test.ts: headers. */

let page: Server;
let pageOrigin: string;

beforeAll(async () => {
  page = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  pageOrigin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
});
afterAll(() => {
  page.close();
});

describeInBrowser('CORS', (browser) => {
  let server: DemoServer;
  beforeAll(async () => {
    server = await startDemoServer({
      environment: { APP_CORS_ORIGINS: `https://app.example.com, ${pageOrigin}`, APP_CORS_CREDENTIALS: 'true' },
    });
  });
  afterAll(() => server.stop());

  test('a page of an allowed origin reads, writes and sees the headers; one of another origin sees nothing', async () => {
    const allowed = await browser().newPage();
    await allowed.goto(pageOrigin);
    const asked = await allowed.evaluate(
      async ([base, token]) => {
        const read = await fetch(`${base}/api/v1/issues?select=id&order=id`, {
          headers: {
            'Accept-Profile': 'kanban',
            Range: '0-1',
            Prefer: 'count=exact',
            Authorization: `Bearer ${token}`,
          },
        });
        const write = await fetch(`${base}/api/v1/issues?id=eq.1`, {
          method: 'PATCH',
          headers: {
            'Content-Profile': 'kanban',
            'Content-Type': 'application/json',
            Prefer: 'tx=rollback',
            Authorization: `Bearer ${token}`,
          },
          body: '{"title":"x"}',
        });
        const graphql = await fetch(`${base}/graphql`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"query":"{ __typename }"}',
        });
        const missing = await fetch(`${base}/api/v1/nothing`, { headers: { 'Accept-Profile': 'kanban' } });
        const names = ['content-range', 'etag', 'preference-applied', 'x-request-id', 'server-timing'];
        return {
          status: [read.status, write.status, graphql.status, missing.status],
          rows: ((await read.json()) as { data: unknown }).data,
          hidden: names.filter((name) => read.headers.get(name) === null),
        };
      },
      [server.base, server.token] as const,
    );
    expect(asked).toEqual({ status: [206, 200, 200, 404], rows: [{ id: 1 }, { id: 2 }], hidden: [] });

    const refused = await browser().newPage();
    await refused.goto(pageOrigin.replace('127.0.0.1', 'localhost'));
    const failed = await refused.evaluate(
      (base) => fetch(`${base}/api/v1/issues`).then(String, (error: unknown) => String(error)),
      server.base,
    );
    expect(failed).toContain('Failed to fetch');
  });
});

describeInBrowser('a page in Chromium', (browser) => {
  /** Anonymous requests may write here. */
  let board: TestServer;
  beforeAll(async () => {
    board = await startServer({ APP_REST_POSTGREST: '/rest/v1' });
  });
  afterAll(() => board.stop());

  const count = async (): Promise<number> => {
    const reply = await sendRaw(`${board.url}/rest/v1/labels?select=count()`);
    return (JSON.parse(reply.bytes.toString()) as readonly { readonly count: number }[])[0]?.count ?? -1;
  };
  let id = 1000;
  /** A Blob without a type has no media type, so that the browser sends no preflight. */
  const post = async (from: string, path: string): Promise<string> => {
    const opened = await browser().newPage();
    await opened.goto(from);
    id += 1;
    const answered = await opened.evaluate(
      ([url, row]) =>
        fetch(url, { method: 'POST', body: new Blob([row]) }).then(
          ({ status }) => String(status),
          () => 'hidden',
        ),
      [board.url + path, `{"id":${String(id)},"name":"label ${String(id)}"}`] as const,
    );
    await opened.close();
    return answered;
  };

  test.each(['/api/v1/labels', '/rest/v1/labels'])('of another origin writes nothing to %s', async (path) => {
    const before = await count();
    expect(await post(pageOrigin, path)).toBe('hidden');
    expect(await post(pageOrigin.replace('127.0.0.1', 'localhost'), path)).toBe('hidden');
    expect(await count()).toBe(before);
  });

  test("of the server's own writes", async () => {
    const before = await count();
    expect(await post(`${board.url}/health/live`, '/api/v1/labels')).toBe('201');
    expect(await count()).toBe(before + 1);
  });
});

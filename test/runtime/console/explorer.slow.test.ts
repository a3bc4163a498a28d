import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openPage, axeFindings, type WatchedPage } from '../../support/browser.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw } from '../../support/raw-http.js';

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({
    guide: (token) => ({ users: [{ name: 'Dalia Haddad', token }], tasks: [] }),
  });
});
afterAll(() => server.stop());

describe('what the server answers', () => {
  test('the page has the policy of the console, and names only files that are there', async () => {
    const page = await sendRaw(`${server.base}/console/explorer`);
    expect(page.status).toBe(200);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const files = Array.from(
      page.bytes.toString('utf8').matchAll(/<(?:script|link)[^>]+(?:src|href)="(\/[^"]+)"/g),
      ([, path]) => path ?? '',
    );
    expect(files).toContain('/console/assets/swagger-ui.js');
    for (const path of files) expect([path, (await sendRaw(server.base + path)).status]).toEqual([path, 200]);
  });

  test('the program of Swagger UI is sent as it is kept to browsers that read Brotli, and as text to others', async () => {
    const url = `${server.base}/console/assets/swagger-ui.js`;
    const kept = await sendRaw(url, { headers: { 'accept-encoding': 'br' } });
    expect(kept.headers['content-encoding']).toBe('br');
    expect(kept.bytes.length).toBeLessThan(450_000);
    const plain = await sendRaw(url);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.bytes.toString('utf8')).toContain('SwaggerUIBundle');
    const tag = kept.headers.etag ?? '';
    expect((await sendRaw(url, { headers: { 'accept-encoding': 'br', 'if-none-match': tag } })).status).toBe(304);
  });

  test('the operations of one table or function, and of nothing that is not there', async () => {
    const pathsAt = async (path: string): Promise<readonly string[]> => {
      const reply = await sendRaw(`${server.base}/console/operations${path}`);
      expect([path, reply.status]).toEqual([path, 200]);
      return Object.keys((JSON.parse(reply.bytes.toString('utf8')) as { readonly paths: object }).paths);
    };
    expect(await pathsAt('/table/kanbanIssues.json')).toEqual(['/issues', '/issues/{id}']);
    expect(await pathsAt('.json')).toEqual(expect.arrayContaining(['/issues', '/orders']));
    for (const path of ['/table/nothing.json', '/function/kanbanIssues.json', '/table/kanbanIssues', 's.json'])
      expect([path, (await sendRaw(`${server.base}/console/operations${path}`)).status]).toEqual([path, 404]);
  });

  test('nothing of it in production', async () => {
    const production = await startDemoServer({ environment: { NODE_ENV: 'production' } });
    for (const path of [
      '/console/explorer',
      '/console/operations.json',
      '/console/assets/swagger-ui.js',
      '/console/assets/explorer.css',
    ])
      expect([path, (await sendRaw(production.base + path)).status]).toEqual([path, 404]);
    await production.stop();
  });
});

describeInBrowser('in a browser', (browser) => {
  const open = async (hash: string, options?: Parameters<Browser['newPage']>[0]): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base, options);
    await watched.page.goto(`${server.base}/console/explorer${hash}`);
    await watched.page.locator('.opblock-tag').first().waitFor();
    return watched;
  };

  const expand = async (page: Page, method: string): Promise<void> => {
    await page.locator(`.opblock-${method} .opblock-summary-control`).first().press('Enter');
    // The fields appear shortly after the button.
    await page.locator(`.opblock-${method} [data-param-name$="-Profile"] select`).first().waitFor();
  };

  const execute = async (page: Page): Promise<string> => {
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/notifications'));
    await page.getByRole('button', { name: 'Execute' }).first().press('Enter');
    const text = await (await answered).text();
    await page.locator('.live-responses-table .response').first().waitFor();
    return text;
  };

  test('a table of the console leads to its operations, and they lead back', async () => {
    const { page, problems } = await openPage(browser(), server.base);
    await page.goto(`${server.base}/#/table/kanbanNotifications`);
    await page.getByRole('link', { name: 'In the REST explorer' }).click();
    await page.getByRole('heading', { name: 'kanban.notifications' }).waitFor();
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock-summary-path').first().getAttribute('data-path')).toBe('/notifications');
    await page.getByRole('link', { name: 'In the console' }).click();
    await page.getByRole('heading', { name: 'Columns' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('kanban.notifications');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a request answers the rows of whoever is chosen, by keyboard alone, with the schema header', async () => {
    const { page, problems } = await open('#/table/kanbanNotifications');
    await expand(page, 'get');
    expect(JSON.parse(await execute(page))).toMatchObject({ data: [] });
    await page.getByLabel('Act as').selectOption('Dalia Haddad');
    expect(await execute(page)).toContain('"message"');
    await page.locator('.live-responses-table', { hasText: '"message"' }).waitFor();
    const curl = (await page.locator('.curl').textContent()) ?? '';
    expect(curl).toContain('Accept-Profile: kanban');
    expect(curl).toContain(`Authorization: Bearer ${server.token}`);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('answers of errors are described when one asks for them', async () => {
    const { page } = await open('#/table/kanbanNotifications');
    await expand(page, 'get');
    const refused = page.locator('.responses-table:not(.live-responses-table) tr[data-code="403"]').first();
    await page.locator('tr[data-code="200"]').first().waitFor();
    expect(await refused.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Error answers' }).press('Enter');
    await refused.waitFor();
    await page.close();
  });

  test('the token of the console is that of the explorer', async () => {
    const { page } = await openPage(browser(), server.base);
    await page.goto(server.base);
    await page.getByLabel('Act as').selectOption('Dalia Haddad');
    await page.getByRole('link', { name: 'REST explorer' }).click();
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.getByLabel('Act as').locator('option:checked').textContent()).toBe('Dalia Haddad');
    await page.close();
  });

  test('all tables are there, and another one can be chosen', async () => {
    const { page, problems } = await open('');
    const headings = await page.locator('.opblock-tag').evaluateAll((all) => all.map((each) => each.dataset['tag']));
    expect(headings).toEqual(expect.arrayContaining(['issues', 'orders']));
    await page.getByLabel('Operations of').selectOption('shop.orders');
    await page.getByRole('heading', { name: 'shop.orders' }).waitFor();
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock-tag').count()).toBe(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  const looks = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 800 } }],
  ] as const;

  test.each(looks)('axe finds nothing serious or moderate: %s', async (look, options) => {
    const { page, problems } = await open('#/table/kanbanNotifications', options);
    const closed = await axeFindings(page);
    for (const method of ['post', 'patch', 'delete', 'get']) await expand(page, method);
    await execute(page);
    const folder = process.env['CONSOLE_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `explorer-${look}.png`) });
    expect([closed, await axeFindings(page)]).toEqual([[], []]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

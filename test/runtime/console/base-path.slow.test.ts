import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { startServer, type TestServer } from '../rest/support/server.js';

/** The pages of a server below a path: everything that they load and send is below it. */
describeInBrowser('pages below /data', (browser) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ APP_SERVER_BASE_PATH: '/data' });
  });
  afterAll(() => server.stop());

  /** Opens a page, works with it, and expects that nothing was missing or elsewhere. */
  async function visit(path: string, work: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser().newPage();
    const wrong: string[] = [];
    page.on('response', (answer) => {
      const { pathname, protocol } = new URL(answer.url());
      const isBelow = pathname.startsWith('/data/') || protocol === 'data:' || protocol === 'blob:';
      if (!isBelow || answer.status() >= 400) wrong.push(`${String(answer.status())} ${answer.url()}`);
    });
    page.on('pageerror', (error) => wrong.push(error.message));
    try {
      await page.goto(`${server.url}/data${path}`);
      await work(page);
      expect(wrong).toEqual([]);
    } finally {
      await page.close();
    }
  }

  test('the console: rows of a table, a request, links to the other pages', () =>
    visit('/', async (page) => {
      await page.getByRole('link', { name: 'labels', exact: true }).first().click();
      await page.getByRole('link', { name: 'Rows' }).click();
      await page.getByRole('gridcell', { name: 'bug' }).first().waitFor();
      const links = await page.getByRole('navigation', { name: 'Tools' }).getByRole('link').all();
      const paths = await Promise.all(
        links.map((link) => link.evaluate((each) => (each as HTMLAnchorElement).pathname)),
      );
      expect(paths).toEqual([
        '/data/',
        '/data/',
        '/data/graphql',
        '/data/console/explorer',
        '/data/api/v1/openapi.json',
      ]);
    }));

  test('the REST explorer sends its requests below the path', () =>
    visit('/console/explorer#/table/boardLabels', async (page) => {
      const asked = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/data/api/v1/labels');
      await page.locator('.opblock-get button.opblock-summary-control').first().click();
      await page.getByRole('button', { name: 'Execute' }).first().click();
      expect((await asked).status()).toBe(200);
    }));

  test('GraphiQL loads its editors and asks below the path', () =>
    visit('/graphql?query={boardLabels{name}}', async (page) => {
      await page.getByRole('button', { name: /Execute query/ }).click();
      await until(async () => (await page.locator('.result-window').innerText()).includes('boardLabels'));
    }));
});

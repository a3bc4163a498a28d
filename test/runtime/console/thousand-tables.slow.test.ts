import { describe as describeTables } from '../../../console/src/describe.js';
import { describeInBrowser, openPage, type WatchedPage } from '../../support/browser.js';
import { catalog, column, foreignKey, table } from '../../support/catalog.js';
import { describeCatalog } from '../../support/describe-database.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';

/** The console with the model of a thousand tables, without a server that has them. */
const facts = catalog({
  tables: Array.from({ length: 1000 }, (_, at) =>
    table(
      `public.table_${at}`,
      ['id', 'first_id', 'second_id', 'third', 'fourth', 'fifth'].map((name) => column(name, 'int4')),
      {
        primaryKey: { name: `table_${at}_pkey`, columns: ['id'] },
        foreignKeys: [
          foreignKey(`table_${at}_first_id_fkey`, ['first_id'], `public.table_${at % 97}`, ['id']),
          foreignKey(`table_${at}_second_id_fkey`, ['second_id'], `public.table_${at >> 2}`, ['id']),
        ],
      },
    ),
  ),
});

describeInBrowser('in a browser', (browser) => {
  let server: DemoServer;
  let model: object;

  beforeAll(async () => {
    server = await startDemoServer();
    const own = (await (await fetch(`${server.base}/console/model.json`)).json()) as object;
    model = { ...own, ...describeTables(describeCatalog(facts).registry, facts) };
  });
  afterAll(() => server.stop());

  const open = async (hash: string): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base);
    await watched.page.route('**/console/model.json', (route) => route.fulfill({ json: model }));
    // Estimates of the rows of tables that the server does not have.
    await watched.page.route('**/api/v1/table_*', (route) =>
      route.fulfill({ json: { data: [], pagination: { limit: 0, offset: 0, total: 12 } } }),
    );
    await watched.page.goto(`${server.base}/${hash}`);
    await watched.page.locator('main h1').waitFor();
    return watched;
  };

  test('all of a thousand tables are listed, and found by their names', async () => {
    const { page, problems } = await open('');
    const shown = await page.evaluate<number>('performance.now()');
    if (process.env['CONSOLE_SCREENSHOTS'] !== undefined)
      console.info(`1,000 tables: shown after ${shown.toFixed(0)} ms`);
    expect(await page.locator('.list a').count()).toBe(1000);
    await page.getByLabel(/^Search/).fill('table_77');
    expect(await page.locator('.list a').count()).toBe(11);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the diagram begins with groups, shows one of them, and all tables when asked', async () => {
    const { page, problems } = await open('#/diagram');
    await page.getByText('1000 tables in 17 groups').waitFor();
    await page.locator('g.table').nth(16).waitFor();
    await page.locator('g.table', { hasText: 'table_0 to table_59 (60)' }).press('Enter');
    await page.getByRole('heading', { name: 'public.table_0 to table_59' }).waitFor();
    expect(await page.locator('g.table').count()).toBe(60);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'All tables' }).click();
    await page.locator('g.table').nth(999).waitFor({ state: 'attached' });
    expect(await page.locator('path.line').count()).toBe(2000);
    expect(problems).toEqual([]);
    await page.close();
  });
});

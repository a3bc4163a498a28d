import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, holdFirst, openPage, axeFindings, type WatchedPage } from '../../support/browser.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({
    guide: (_, ada, bruno) => ({
      users: [
        { name: 'Ada', token: ada },
        { name: 'Ben', token: bruno },
      ],
      tasks: [],
    }),
    environment: { APP_REST_POSTGREST: '/rest/v1', APP_REST_PLAN_ENABLED: 'true', APP_CHANGES_SOURCE: 'notify' },
  });
});
afterAll(() => server.stop());

describeInBrowser('requests in a browser', (browser) => {
  const open = async (
    caller: string,
    table: string,
    options?: Parameters<typeof openPage>[2],
  ): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base, options);
    await watched.page.goto(`${server.base}/#/table/${table}/requests`);
    await watched.page.getByLabel('Act as').selectOption(caller);
    return watched;
  };
  const example = (page: Page, title: string): Locator =>
    page
      .locator('.runner')
      .filter({ has: page.getByRole('heading', { name: title }) })
      .first();

  test('an answer has colours, its status, time, size and headers; it is sent again from the history', async () => {
    const { page, problems } = await open('Ada', 'kanbanIssues');
    const first = example(page, 'The first rows');
    await first.getByRole('button', { name: 'Run' }).click();
    await first.getByText(/in \d+ ms, \d+ bytes/).waitFor();
    await first.locator('.answer .name', { hasText: '"title"' }).first().waitFor();
    await first.locator('summary', { hasText: 'headers' }).click();
    await first.getByText('content-profile: kanban').waitFor();
    await page.locator('summary', { hasText: 'History' }).click();
    const again = example(page, '200 as Ada');
    await again.getByRole('button', { name: 'Run' }).click();
    await again.locator('.answer .good').waitFor();
    const kept = await page.evaluate<string>("sessionStorage.getItem('tablewright.history')");
    expect(kept).not.toContain('Bearer');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the answer to the last request is shown, whichever comes last, and the history names who asked', async () => {
    const { page, problems } = await open('Ada', 'kanbanIssues');
    const release = await holdFirst(page, /\/api\/v1\/issues\?/);
    const first = example(page, 'The first rows');
    const path = first.getByLabel('Path of');
    await path.fill('/api/v1/issues?select=title&limit=1');
    await first.getByRole('button', { name: 'Run' }).click();
    await page.getByLabel('Act as').selectOption('Ben');
    await path.fill('/api/v1/issues?select=number&limit=1');
    await first.getByRole('button', { name: 'Run' }).click();
    await first.locator('.answer .name', { hasText: '"number"' }).first().waitFor();
    await release();
    await page.locator('summary', { hasText: 'History' }).click();
    await example(page, '200 as Ada').waitFor();
    await example(page, '200 as Ben').waitFor();
    expect(await first.locator('.answer .name', { hasText: '"number"' }).count()).toBe(1);
    expect(await first.locator('.answer .name', { hasText: '"title"' }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a request is copied as code of each kind, with the token of its caller', async () => {
    const { page, problems } = await open('Ada', 'kanbanIssues');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (title: string, form: string): Promise<string> => {
      const one = example(page, title);
      await one.locator('summary', { hasText: 'Copy as…' }).click();
      await one.getByRole('button', { name: form, exact: true }).click();
      await one.getByText(`Copied as ${form}.`).waitFor();
      await one.locator('summary', { hasText: 'Copy as…' }).click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await copied('The first rows', 'curl')).toMatch(/^curl -s .*-H 'Authorization: Bearer /);
    expect(await copied('The first rows', 'fetch')).toContain('const response = await fetch(');
    expect(await copied('Change a row', 'supabase-js')).toContain('.update({');
    expect(await copied('Rows with what belongs to them', 'typed document')).toContain("from 'gql.tada'");
    expect(problems).toEqual([]);
    await page.close();
  });

  test.each(['Change a row', 'Insert a row, or change the one with its key', 'Delete a row', 'Insert a row with its'])(
    '%s: the server takes the example, and keeps nothing',
    async (title) => {
      const { page } = await open('Ada', 'kanbanProjects');
      const one = example(page, title);
      const answered = page.waitForResponse((response) => response.request().method() !== 'GET');
      await one.getByRole('button', { name: 'Run' }).click();
      const response = await answered;
      expect(response.request().headers()['prefer']).toContain('tx=rollback');
      // Policies and checks may refuse the sample; it is never malformed.
      expect([title, await response.text()]).not.toEqual([title, expect.stringContaining('"code":"TW')]);
      expect(response.status()).toBeLessThan(500);
      await page.close();
    },
  );

  test('the statement and its plan: rows that policies hide are not in it, and a long scan gets an index', async () => {
    const { page, problems } = await open('Ada', 'kanbanIssues');
    const one = example(page, 'Rows with one status');
    await one.getByRole('button', { name: 'SQL and plan' }).click();
    await one.getByRole('region', { name: 'Statement' }).getByText('select').first().waitFor();
    await one
      .getByText(/^\$\d+ = "backlog"/)
      .first()
      .waitFor();
    await one
      .getByRole('list', { name: 'Plan' })
      .getByText(/ of issues/)
      .first()
      .waitFor();
    await one
      .getByText(/\d+ rows, \d+\.\d+ ms/)
      .first()
      .waitFor();
    expect(await one.locator('.refusal').count()).toBe(0);
    await page.route('**/rest/v1/**', async (route) => {
      const scan = {
        'Node Type': 'Seq Scan',
        'Relation Name': 'issues',
        Schema: 'kanban',
        Filter: '((issues.story_points)::integer = 5)',
      };
      const node = {
        ...scan,
        'Actual Rows': 3,
        'Actual Loops': 1,
        'Actual Total Time': 80,
        'Rows Removed by Filter': 90_000,
      };
      await route.fulfill({ json: { statements: [], plan: [{ Plan: node }] } });
    });
    await one.getByRole('button', { name: 'SQL and plan' }).click();
    await one.getByText('CREATE INDEX ON kanban.issues (story_points)').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a subscription shows each change as it happens, until it is stopped', async () => {
    const { page, problems } = await open('Ada', 'kanbanProjects');
    const one = example(page, 'Changes, as they happen');
    await one.getByRole('button', { name: 'Listen' }).click();
    await one.getByText('Listening as Ada.').waitFor();
    const change = example(page, 'Change a row');
    await change.getByLabel(/^Body of/).fill('{"name": "Heard live"}');
    await change.getByLabel('Try without keeping').uncheck();
    // The page does not know when the server has begun to listen.
    do {
      await change.getByRole('button', { name: 'Run' }).click();
      await page.waitForTimeout(500);
    } while ((await one.locator('.messages li').count()) === 0);
    expect(await one.locator('.messages li').first().textContent()).toContain('Heard live');
    await one.getByRole('button', { name: 'Stop' }).click();
    await one.getByText('Stopped.').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 800 } }],
  ] as const)('axe finds nothing serious or moderate in answers and plans: %s', async (look, options) => {
    const { page, problems } = await open('Ada', 'kanbanIssues', options);
    const first = example(page, 'The first rows');
    await first.getByRole('button', { name: 'Run' }).click();
    await first.locator('.answer .good').waitFor();
    const status = example(page, 'Rows with one status');
    await status.getByRole('button', { name: 'SQL and plan' }).click();
    await status.getByRole('list', { name: 'Plan' }).waitFor();
    const folder = process.env['CONSOLE_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/plan-${look}.png`, fullPage: true });
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { tablewright } from '../../support/cli.js';
import { describeInBrowser, openPage, axeFindings, type WatchedPage } from '../../support/browser.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw } from '../../support/raw-http.js';
import { until } from '../../support/until.js';

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({
    guide: (token) => ({
      pages: [{ name: 'A page of ours', path: '/health' }],
      users: [{ name: 'Dalia Haddad', token }],
      tasks: [
        {
          title: 'Urgent work',
          text: 'A table is a path, and a filter is a parameter.',
          rest: { path: '/api/v1/issues?priority=eq.urgent&select=number,title&limit=3', schema: 'kanban' },
          graphql: '{ kanbanIssues(where: {priority: {eq: urgent}}, limit: 3) { number title } }',
        },
        {
          title: 'Your notifications',
          text: 'Policies of the database decide who sees which row.',
          rest: { path: '/api/v1/notifications?select=message&limit=2', schema: 'kanban' },
          graphql: '{ kanbanNotifications(limit: 2) { message } }',
          users: [null, 'Dalia Haddad'],
        },
      ],
    }),
  });
});
afterAll(() => server.stop());

describe('what the server answers', () => {
  test('the page has a strict policy, and names only files that are there', async () => {
    const page = await sendRaw(`${server.base}/`);
    expect(page.status).toBe(200);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const files = Array.from(
      page.bytes.toString('utf8').matchAll(/(?:src|href)="(\/console[^"]+)"/g),
      ([, path]) => path ?? '',
    );
    expect(files.length).toBeGreaterThan(10);
    for (const path of [...files, '/console/assets/dagre.js', '/console/assets/diagram/layout.js'])
      expect([path, (await sendRaw(server.base + path)).status]).toEqual([path, 200]);
  });

  test('its own files only', async () => {
    for (const path of ['console.js', 'client/../console.js', '%2e%2e/index.js', 'diagram/nothing.js', 'server/api.js'])
      expect([path, (await sendRaw(`${server.base}/console/assets/${path}`)).status]).toEqual([path, 404]);
  });

  test('the model has names, types, comments, policies and references', async () => {
    const model = JSON.parse((await sendRaw(`${server.base}/console/model.json`)).bytes.toString('utf8')) as {
      readonly tables: readonly { readonly field: string }[];
    };
    expect(model.tables.find(({ field }) => field === 'kanbanIssues')).toMatchObject({
      schema: 'kanban',
      name: 'issues',
      kind: 'table',
      primaryKey: ['id'],
      facts: { rowSecurity: 'forced' },
      columns: expect.arrayContaining([
        expect.objectContaining({ name: 'status', type: 'kanban.issue_status', kind: 'enum' }),
      ]) as unknown[],
      references: expect.arrayContaining([expect.objectContaining({ name: 'issues_project_id_fkey' })]) as unknown[],
    });
  });

  test('schema.graphql, openapi.json and health', async () => {
    const definitions = await sendRaw(`${server.base}/schema.graphql`);
    expect(definitions.bytes.toString('utf8')).toContain('type KanbanIssues');
    expect((await sendRaw(`${server.base}/api/v1/openapi.json`)).status).toBe(200);
    expect((await sendRaw(`${server.base}/health`)).status).toBe(200);
  });
});

describe('in production', () => {
  test('is nothing of it, unless the settings ask for it', async () => {
    const production = await startDemoServer({ environment: { NODE_ENV: 'production' } });
    for (const path of ['/', '/console/model.json', '/schema.graphql', '/console/assets/style.css'])
      expect([path, (await sendRaw(production.base + path)).status]).toEqual([path, 404]);
    await production.stop();
    const asked = await startDemoServer({ environment: { NODE_ENV: 'production', APP_CONSOLE: 'true' } });
    expect((await sendRaw(`${asked.base}/console/model.json`)).status).toBe(200);
    await asked.stop();
  });

  test('and it can be switched off in development', async () => {
    const off = await startDemoServer({ environment: { APP_CONSOLE: 'false' } });
    expect((await sendRaw(`${off.base}/`)).status).toBe(404);
    await off.stop();
  });
});

describeInBrowser('in a browser', (browser) => {
  const open = async (hash: string, options?: Parameters<Browser['newPage']>[0]): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base, options);
    await watched.page.goto(`${server.base}/${hash}`);
    await watched.page.locator('main h1').waitFor();
    return watched;
  };

  test('one searches, opens a table, and goes along its relations', async () => {
    const { page, problems } = await open('');
    await page.keyboard.press('/');
    await page.keyboard.type('iss lab');
    expect(await page.locator('.list a').allTextContents()).toEqual(['kanban.issue_labels', 'kanban.issues']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'kanban.issue_labels' }).waitFor();
    await page.getByRole('region', { name: 'Relations' }).getByRole('link', { name: 'kanban.issues' }).click();
    await page.getByRole('heading', { name: 'kanban.issues' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('Row level security is on');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('home begins with the tables of each schema, with estimates of their rows; then the tour', async () => {
    const { page, problems } = await open('');
    const tables = page.getByRole('region', { name: 'Tables of kanban' });
    await tables
      .getByRole('row', { name: /^issues/ })
      .getByText(/≈ \d/)
      .waitFor();
    const names = await tables.locator('tbody td:first-child a').allTextContents();
    expect(names).toEqual([...names].sort());
    expect(await page.locator('main h2').allTextContents()).toEqual(['kanban', 'shop', 'Try it', 'For tools']);
    const groups = page.getByRole('navigation', { name: 'Tables, views and functions' });
    expect(await groups.locator('h2, h3').allTextContents()).toEqual(
      ['kanban', 'shop'].flatMap((schema) => [schema, 'Tables', 'Views', 'Functions']),
    );
    expect(await groups.getByRole('link', { name: 'kanban.project_members' }).innerHTML()).toContain('project_<wbr>');
    await page.getByRole('link', { name: 'Try it: a short tour' }).press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('tour');
    await tables.getByRole('link', { name: 'issues', exact: true }).click();
    await page.getByText('Rows 1–25').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('every page has the same header, and the same caller', async () => {
    const { page, problems } = await open('');
    const links = ['Tables', 'Diagram', 'GraphiQL', 'REST explorer', 'OpenAPI', 'A page of ours'];
    const tools = page.getByRole('navigation', { name: 'Tools' });
    await page.getByLabel('Act as').selectOption('Dalia Haddad');
    for (const name of ['GraphiQL', 'REST explorer', 'Diagram']) {
      await tools.getByRole('link', { name }).click();
      const there =
        name === 'Diagram'
          ? page.getByRole('heading', { name })
          : tools.locator('[aria-current=page]', { hasText: name });
      await there.waitFor();
      expect([name, await tools.getByRole('link').allTextContents()]).toEqual([name, links]);
      expect(await page.getByLabel('Act as').locator('option:checked').textContent()).toBe('Dalia Haddad');
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test('rows are filtered, ordered and paged; a value leads to the row that it refers to', async () => {
    const { page, problems } = await open('#/table/kanbanIssues/rows');
    await page.locator('.rows tbody tr').first().locator('td').first().waitFor();
    await page.getByRole('link', { name: 'Later rows' }).click();
    await page.getByText('Rows 26–50').waitFor();
    await page.getByLabel('Column', { exact: true }).selectOption('status');
    await page.getByRole('checkbox', { name: 'done' }).check();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.locator('.chip').waitFor();
    await page.getByText(/^Rows 1–/).waitFor();
    await page.locator('.rows th a', { hasText: 'number' }).click();
    await page.locator('.rows th a', { hasText: 'number ↑' }).waitFor();
    await page
      .locator('.rows tbody tr')
      .first()
      .getByTitle(/^projects with id/)
      .click();
    await page.getByRole('heading', { name: 'kanban.projects' }).waitFor();
    await page.getByText('Rows 1–1 of 1').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a few rows are counted, and not estimated', async () => {
    const { page } = await open('#/table/kanbanIssues/rows');
    const exact = await page.request.get(`${server.base}/api/v1/issues?limit=1`, {
      headers: { Prefer: 'count=exact', 'Accept-Profile': 'kanban' },
    });
    const { pagination } = (await exact.json()) as { readonly pagination: { readonly total: number } };
    // More than the server counts by itself.
    expect(pagination.total).toBeGreaterThan(30);
    await page.getByText(`Rows 1–25 of ${String(pagination.total)} `).waitFor();
    await page.close();
  });

  test.each([
    ['a moment', 0, (total: number) => `Rows 1–25 of ${String(total)} `],
    ['longer', 1_500, () => 'Rows 1–25 of about 250000 '],
  ])('an estimate of many rows is replaced by a count that takes %s, or stays', async (_, delay, expected) => {
    const { page } = await open('#/table/kanbanComments');
    const exact = await page.request.get(`${server.base}/api/v1/issues?limit=0`, {
      headers: { Prefer: 'count=exact', 'Accept-Profile': 'kanban' },
    });
    const { pagination } = (await exact.json()) as { readonly pagination: { readonly total: number } };
    await page.route('**/api/v1/issues?*', async (route) => {
      const preference = route.request().headers()['prefer'];
      if (preference === 'count=exact') {
        await new Promise((resolve) => setTimeout(resolve, delay));
        // A request that the page has given up cannot go on.
        await route.continue().catch(() => undefined);
        return;
      }
      const response = await route.fetch();
      const body = (await response.json()) as { readonly data: unknown; readonly pagination: object };
      await route.fulfill({ response, json: { ...body, pagination: { ...body.pagination, total: 250_000 } } });
    });
    await page.evaluate(() => {
      location.hash = '#/table/kanbanIssues/rows';
    });
    await page.getByText(expected(pagination.total)).waitFor();
    await page.close();
  });

  test('every example runs as it stands, over both protocols', async () => {
    const { page } = await open('#/table/kanbanIssues/requests');
    // A subscription has no Run.
    const runs = page.getByRole('button', { name: 'Run' });
    for (const run of await page.locator('.runner', { hasNotText: 'writes', has: runs }).all()) {
      await run.getByRole('button', { name: 'Run' }).click();
      await run.locator('.answer .good').waitFor();
      expect(await run.locator('.answer pre').textContent()).not.toContain('"errors"');
    }
    await page.close();
  });

  test('somebody else sees other rows', async () => {
    const { page, problems } = await open('');
    const task = page.locator('.tasks > li').nth(1);
    await task.getByRole('button', { name: 'Act as anonymous' }).click();
    await task.getByRole('button', { name: 'Run' }).first().click();
    await task.locator('.answer .good').waitFor();
    expect(await task.locator('pre').textContent()).not.toContain('message');
    await task.getByRole('button', { name: 'Act as Dalia Haddad' }).click();
    await task.getByRole('button', { name: 'Run' }).first().click();
    await task.locator('pre', { hasText: '"message"' }).first().waitFor();
    await page.getByRole('link', { name: 'kanban.notifications' }).first().click();
    await page.getByRole('button', { name: 'Count the rows' }).click();
    await page.getByText('Anonymous: 0 rows').waitFor();
    await page.getByText(/^Dalia Haddad: [1-9]\d* rows$/).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a token is pasted', async () => {
    const { page } = await open('#/table/kanbanNotifications/rows');
    await page.getByText('No rows.').waitFor();
    await page.getByLabel('Act as').selectOption('paste');
    await page.getByRole('textbox', { name: 'Token' }).fill(`Bearer ${server.token}`);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('.rows tbody tr').first().waitFor();
    await page.close();
  });

  test('somebody types claims, and is their user', async () => {
    const { page, problems } = await open('#/table/kanbanNotifications/rows');
    await page.getByText('No rows.').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Type claims' });
    await page.getByLabel('Act as').selectOption('typed');
    await dialog.getByLabel('userId').fill('2');
    await dialog.getByLabel('Other claims').fill('{"team": ');
    await dialog.getByRole('button', { name: 'Use it' }).click();
    await dialog.getByRole('alert').getByText(/JSON/).waitFor();
    await dialog.getByLabel('Other claims').fill('{"team": 12345678901234567890}');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(' — as Token of 2,').waitFor();
    await page.locator('.rows tbody tr').first().waitFor();
    const token = await page.evaluate<string>("sessionStorage.getItem('tablewright.token')");
    expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).toContain('"team": 12345678901234567890');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('one asks why a row is missing, and reads the policy', async () => {
    const headers = { 'Accept-Profile': 'kanban', Authorization: `Bearer ${server.token}` };
    const { page, problems } = await open('#/table/kanbanIssues');
    const read = async (path: string): Promise<string> => {
      const answer = await page.request.get(`${server.base}/api/v1/${path}&limit=1`, { headers });
      const { data } = (await answer.json()) as { readonly data: readonly { readonly id: number }[] };
      return String(data[0]?.id);
    };
    const id = await read(`issues?project_id=eq.${await read('projects?key=eq.PAY')}`);
    const why = page.locator('#why');
    await why.getByLabel('id').fill(id);
    await why.getByLabel('id').press('Enter');
    await why.getByText('No permissive policy lets Anonymous see the row.').waitFor();
    const policy = why.getByRole('row', { name: /^visible/ });
    expect(await policy.getByRole('cell').allTextContents()).toEqual([
      'visiblepermissive',
      'public',
      expect.stringContaining('FROM projects p') as string,
      'false',
    ]);
    await page.getByLabel('Act as').selectOption('Dalia Haddad');
    await why.getByRole('button', { name: 'Explain' }).click();
    await why.getByText('Dalia Haddad sees the row.').waitFor();
    await why.getByLabel('id').fill('999999');
    await why.getByRole('button', { name: 'Explain' }).click();
    await why.getByText('There is no such row in kanban.issues.').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  /** The diagram is drawn again after its worker has answered. */
  const expectPlace = (page: Page, x: number): Promise<void> =>
    until(async () => Math.abs((await boxOf(page, 'labels')).x - x) < 2);
  const numbersOf = (transform: string | null): readonly number[] =>
    (transform ?? '').match(/-?[\d.]+/g)?.map((each) => Math.round(Number(each))) ?? [];
  const boxOf = async (page: Page, table: string): Promise<{ x: number; y: number }> => {
    const found = await page.locator(`g.table[data-table='["kanban","${table}"]']`).boundingBox();
    if (found === null) throw new Error(`There is no table ${table}.`);
    return found;
  };

  test('the diagram of 14 tables is readable at once; one of them is dragged and is there after a reload', async () => {
    const { page, problems } = await open('#/diagram');
    await page.locator('g.table').nth(13).waitFor();
    const scale = await page.evaluate<number>("document.querySelector('svg.diagram').getScreenCTM().a");
    expect(scale * 12).toBeGreaterThanOrEqual(11);
    const lines = page.locator('path.line');
    const before = await boxOf(page, 'labels');
    const paths = await lines.evaluateAll((all) => all.map((each) => each.getAttribute('d')));
    await page.mouse.move(before.x + 20, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + 90, before.y - 30, { steps: 4 });
    await page.mouse.up();
    const after = await boxOf(page, 'labels');
    // Its border is wider below the pointer.
    expect(Math.abs(after.x - before.x - 70)).toBeLessThan(2);
    expect(Math.abs(after.y - before.y + 40)).toBeLessThan(2);
    // One line of a table refers to labels, and it has followed.
    const moved = await lines.evaluateAll((all) => all.map((each) => each.getAttribute('d')));
    expect(moved.filter((path, at) => path !== paths[at])).toHaveLength(1);
    expect(new URL(page.url()).hash).toBe('#/diagram');
    const users = page.locator(`g.table[data-table='["kanban","users"]']`);
    await users.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    const place = await users.getAttribute('transform');
    await page.reload();
    await page.locator('g.table').nth(13).waitFor();
    expect(numbersOf(await users.getAttribute('transform'))).toEqual(numbersOf(place));
    await page.getByRole('button', { name: 'Tidy up' }).click();
    await expectPlace(page, before.x);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the diagram is found, focused, filtered by schema, zoomed by keys and saved in each form', async () => {
    const { page, problems } = await open('#/diagram');
    await page.locator('g.table').nth(13).waitFor();
    await page.getByRole('group', { name: 'Schemas' }).getByLabel('shop').uncheck();
    await page.locator('g.table').nth(8).waitFor();
    await page.getByText('9 tables and').waitFor();
    await page.getByRole('group', { name: 'Schemas' }).getByLabel('shop').check();
    await page.getByText('14 tables and').waitFor();
    await page.getByLabel('Find a table').fill('shop.orders');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shop.orders' }).waitFor();
    await page.locator('g.table.centre').waitFor();
    expect(await page.locator('g.table').count()).toBeLessThan(14);
    await page.locator('svg.diagram').focus();
    const before = await page.locator('svg.diagram').getAttribute('viewBox');
    await page.keyboard.press('+');
    expect(await page.locator('svg.diagram').getAttribute('viewBox')).not.toBe(before);
    await page.getByText('Download', { exact: true }).click();
    for (const [form, start] of [
      ['SVG', '<svg xmlns'],
      ['PNG', '\u0089PNG'],
      ['Mermaid', 'erDiagram'],
      ['DBML', 'Table '],
    ] as const) {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `Download ${form}` }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(/^diagram\.(svg|png|mmd|dbml)$/);
      expect((await readFile(await file.path(), 'latin1')).slice(0, 200)).toContain(start);
    }
    await page.getByRole('button', { name: 'Full screen' }).click();
    await until(() => page.evaluate<boolean>('document.fullscreenElement !== null'));
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.locator('g.table.centre').press('Enter');
    await page.getByRole('heading', { name: 'Columns' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the SVG of the page is that of `tablewright diagram`', async () => {
    const { page } = await open('#/diagram/kanbanProjects');
    await page.locator('g.table.centre').waitFor();
    const columns = (await page.getByLabel('All columns').isChecked()) ? 'all' : 'keys';
    await page.getByText('Download', { exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download SVG' }).click();
    const example = join(import.meta.dirname, '../../../generated-example');
    const flags = [
      '--offline',
      '--out',
      example,
      '--table',
      'kanban.projects',
      '--format',
      'svg',
      '--columns',
      columns,
    ];
    const { stdout } = await tablewright(['diagram', ...flags]);
    expect((await readFile(await (await saved).path(), 'utf8')).trim()).toBe(stdout.trim());
    await page.close();
  });

  test('GraphiQL opens with the tasks of the guide as tabs, and asks as whoever is chosen', async () => {
    const { page, problems } = await openPage(browser(), server.base);
    await page.goto(`${server.base}/graphql`);
    const tabs = page.getByRole('list', { name: 'Select active operation' }).getByRole('listitem');
    await tabs.nth(1).waitFor();
    expect(await tabs.count()).toBe(2);
    await page.getByLabel('Act as').selectOption('Dalia Haddad');
    // The page ignores a click on a tab before the editor has loaded its text.
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await tabs.nth(1).getByRole('button').first().click();
    await page.locator('.graphiql-query-editor').getByText('kanbanNotifications').first().waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText('"message"').first().waitFor();
    const folder = process.env['CONSOLE_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, 'graphiql.png') });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('without a guide GraphiQL opens with a query that runs', async () => {
    const plain = await startDemoServer();
    const { page, problems } = await openPage(browser(), plain.base);
    await page.goto(`${plain.base}/graphql`);
    await page.locator('.graphiql-query-editor').getByText('limit').first().waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText('"data"').waitFor();
    expect(await page.locator('.result-window').textContent()).not.toContain('errors');
    expect(problems).toEqual([]);
    await page.close();
    await plain.stop();
  });

  const pages: readonly (readonly [name: string, hash: string, ready: string])[] = [
    ['home', '', '.tasks'],
    ['table', '#/table/kanbanIssues', '.policies'],
    ['rows', '#/table/kanbanIssues/rows', '.rows tbody tr'],
    ['requests', '#/table/kanbanIssues/requests', '.runner'],
    ['diagram', '#/diagram', 'g.table'],
  ];
  const looks = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 800 } }],
  ] as const;

  test.each(looks)('axe finds nothing serious or moderate: %s', async (look, options) => {
    const found: string[] = [];
    for (const [name, hash, ready] of pages) {
      const { page, problems } = await open(hash, options);
      await page.locator(ready).first().waitFor();
      const folder = process.env['CONSOLE_SCREENSHOTS'];
      if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
      found.push(...(await axeFindings(page)).map((each) => `${name}: ${each}`));
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(problems).toEqual([]);
      await page.close();
    }
    expect(found).toEqual([]);
  });
});

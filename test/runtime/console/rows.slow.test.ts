import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, holdFirst, openPage, axeFindings, type WatchedPage } from '../../support/browser.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { until } from '../../support/until.js';

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({
    guide: (token, ada, bruno) => ({
      users: [
        { name: 'Dalia', token },
        { name: 'Ada', token: ada },
        { name: 'Ben', token: bruno },
      ],
      tasks: [],
    }),
  });
});
afterAll(() => server.stop());

describeInBrowser('rows in a browser', (browser) => {
  const open = async (
    caller: string,
    table: string,
    options?: Parameters<typeof openPage>[2],
    query = '',
  ): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base, options);
    await watched.page.goto(`${server.base}/#/table/${table}/rows${query}`);
    await watched.page.getByLabel('Act as').selectOption(caller);
    await watched.page.getByText(` — as ${caller},`).waitFor();
    return watched;
  };
  const cell = (page: Page, key: string, column: string): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Open row ${key}`, exact: true }) })
      .locator(`[data-column="${column}"]`);
  const panel = (page: Page): Locator => page.getByRole('dialog');
  /** A refused request is an error in the browser's own log. */
  const unexpected = (problems: readonly string[]): readonly string[] =>
    problems.filter((each) => !each.startsWith('Failed to load resource'));

  test('a late answer for another caller is not shown', async () => {
    const { page, problems } = await openPage(browser(), server.base);
    const release = await holdFirst(page, /\/api\/v1\/notifications\?/);
    await page.goto(`${server.base}/#/table/kanbanNotifications/rows`);
    await page.getByLabel('Act as').selectOption('Ada');
    await page.getByText(' — as Ada,').waitFor();
    const shown = await page.getByRole('grid').textContent();
    await release();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    expect(await page.getByRole('grid').textContent()).toBe(shown);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('Ada edits a row in place by keyboard; Ben is refused, and reads which policy forbids it', async () => {
    const { page, problems } = await open('Ada', 'kanbanProjects');
    await cell(page, '1', 'key').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Website, again');
    await page.keyboard.press('Enter');
    await page.getByText('name is saved.').waitFor();
    expect(await cell(page, '1', 'name').textContent()).toBe('Website, again');
    expect(await page.evaluate('document.activeElement.dataset.column')).toBe('name');

    await page.getByLabel('Act as').selectOption('Ben');
    await page.getByText(' — as Ben,').waitFor();
    await cell(page, '1', 'name').dblclick();
    await cell(page, '1', 'name').getByLabel('name', { exact: true }).fill('Mine now');
    await page.keyboard.press('Enter');
    const refusal = page.locator('.notice .refusal');
    await refusal.getByText('Ben may not update this row.').waitFor();
    expect(await refusal.textContent()).toContain('owner_changes');
    expect(await refusal.textContent()).toContain('owner_id');
    expect(await cell(page, '1', 'name').textContent()).toBe('Website, again');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a table that nobody may write is read only, with the reason', async () => {
    const { page } = await open('Ada', 'kanbanUsers');
    await page.getByText('Read only for Ada.').waitFor();
    expect(await page.locator('.refusal').textContent()).toContain('no policy allows anybody to update');
    expect(await page.getByRole('button', { name: 'Insert row' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
    await panel(page).getByText('Read only for Ada.').waitFor();
    expect(await panel(page).getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.close();
  });

  test('a missing grant is what the server says first; then the table is read only', async () => {
    const { page } = await open('Ada', 'kanbanComments');
    // As for a table without row level security: the console does not know who may write it.
    await page.route('**/console/model.json', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ contentType: 'application/json', body: text.replaceAll('"forced"', '"off"') });
    });
    await page.goto(`${server.base}/?again#/table/kanbanUsers/rows`);
    await cell(page, '1', 'name').dblclick();
    await cell(page, '1', 'name').getByLabel('name', { exact: true }).fill('Somebody');
    await page.keyboard.press('Enter');
    await page.locator('.notice', { hasText: 'Permission denied.' }).waitFor();
    const grant = 'GRANT UPDATE ON kanban.users TO tablewright_demo';
    expect(await page.locator('.notice').textContent()).toContain(grant);
    await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
    await panel(page).getByText('Read only for Ada.').waitFor();
    expect(await panel(page).textContent()).toContain(grant);
    await page.close();
  });

  test('a row is inserted: lists, a date, a reference that is searched, JSON that is checked; then deleted', async () => {
    const { page, problems } = await open('Ada', 'kanbanIssues', {}, '?where=number%1Feq%1F4711');
    await page.getByText('No rows.').first().waitFor();
    await page.getByRole('button', { name: 'Insert row' }).click();
    const form = panel(page);
    await form.getByRole('button', { name: 'Insert', exact: true }).click();
    await form.locator('.field', { hasText: 'title' }).getByText('title needs a value.').waitFor();
    await form.getByRole('combobox', { name: 'project_id' }).fill('WEB');
    await form.getByRole('option', { name: '1 WEB' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await form.getByLabel('number', { exact: false }).first().fill('4711');
    await form.getByLabel(/^title/).fill('Written in the console');
    await form.getByLabel(/^status/).selectOption('in_review');
    await form.getByLabel(/^due_on/).fill('2026-03-01');
    await form.getByLabel(/^metadata/).fill('{"votes": ');
    await form.getByRole('combobox', { name: 'reporter_id' }).fill('ad');
    await form.getByRole('option', { name: '1 ada' }).click();
    await form.getByRole('button', { name: 'Insert', exact: true }).click();
    await form.getByRole('alert').getByText('metadata is not JSON').waitFor();
    await form.getByLabel(/^metadata/).fill('{"votes": 12345678901234567890}');
    await form.getByLabel(/^story_points/).fill('101');
    await form.getByRole('button', { name: 'Insert', exact: true }).click();
    // The check of the database is told at the field.
    const problem = form.locator('.field', { hasText: 'story_points' }).getByRole('alert');
    await problem.getByText('The row breaks a check of its table.').waitFor();
    await form.getByLabel(/^story_points/).fill('5');
    await form.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByText('The row is inserted.').waitFor();
    const row = page.locator('.rows tbody tr').first();
    await row.getByText('Written in the console').waitFor();
    expect(await row.locator('[data-column=metadata]').textContent()).toBe('{"votes":12345678901234567890}');
    expect(await row.locator('[data-column=project_id]').textContent()).toBe('WEB 1');
    expect(await row.locator('[data-column=due_on]').textContent()).toBe('2026-03-01');

    await row.getByRole('button', { name: /^Open row/ }).click();
    await form.getByRole('button', { name: 'Delete…' }).click();
    await form.getByRole('button', { name: 'Keep it' }).click();
    await form.getByRole('button', { name: 'Delete…' }).click();
    await form.getByRole('button', { name: 'Yes, delete the row' }).click();
    await page.getByText('The row is deleted.').waitFor();
    expect(unexpected(problems)).toEqual([]);
    await page.close();
  });

  test('a value is set to null, and to the empty text; a panel shows related rows of both directions', async () => {
    const { page, problems } = await open('Ada', 'kanbanProjects');
    await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
    const form = panel(page);
    await form.locator('.related', { hasText: 'kanban.users' }).getByText('1 ada').waitFor();
    await form
      .locator('.related li', { hasText: 'kanban.issues' })
      .getByText(/ and \d+ more/)
      .waitFor();
    await form.getByRole('button', { name: 'Set description to null' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The row is saved.').waitFor();
    expect(await cell(page, '1', 'description').textContent()).toBe('null');
    await cell(page, '1', 'description').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    await cell(page, '1', 'description').getByText('empty text').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('description is saved.').waitFor();
    expect(await cell(page, '1', 'description').textContent()).toBe('');
    await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
    await form.locator('.related li', { hasText: 'kanban.issues' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'kanban.issues' }).waitFor();
    await page.locator('.chip', { hasText: 'project_id = 1' }).waitFor();
    expect(await panel(page).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('several filters, a list for an enum; columns are chosen, moved, and kept', async () => {
    const { page, problems } = await open('Ada', 'kanbanIssues');
    await page.getByLabel('Column', { exact: true }).selectOption('status');
    await page.getByRole('checkbox', { name: 'todo' }).check();
    await page.getByRole('checkbox', { name: 'in_review' }).check();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('status is one of todo, in_review ✕').waitFor();
    await page.getByLabel('Column', { exact: true }).selectOption('due_on');
    await page.getByLabel('Operator').selectOption('is null');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('due_on is null').waitFor();
    await page.locator('[data-column=due_on]').first().waitFor();
    expect(new Set(await page.locator('[data-column=due_on]').allTextContents())).toEqual(new Set(['null']));
    expect([...new Set(await page.locator('[data-column=status]').allTextContents())].sort()).toEqual([
      'in_review',
      'todo',
    ]);
    await page.getByRole('link', { name: 'title', exact: true }).click();
    await page.locator('th[aria-sort=ascending]', { hasText: 'title ↑' }).waitFor();

    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'description' }).uncheck();
    await page.getByRole('button', { name: 'Move number to the left' }).click();
    await page.reload();
    await page.locator('[data-column=number]').first().waitFor();
    const heads = (await page.getByRole('columnheader').allTextContents()).slice(1, 4);
    expect(heads).toEqual(['id', 'number', 'project_id']);
    expect(await page.locator('[data-column=description]').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a cell, a row and a page are copied; all rows are exported as CSV and as JSON', async () => {
    const { page } = await open('Ada', 'kanbanComments');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    /** The clipboard, written a moment after the key or button, once it begins like this. */
    const clipboard = async (start: string): Promise<string> => {
      const read = (): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');
      await until(async () => (await read()).startsWith(start));
      return read();
    };
    const first = page.locator('[data-column=body]').first();
    await first.focus();
    await page.keyboard.press('ControlOrMeta+c');
    const body = (await first.getAttribute('data-value')) ?? '';
    await expect(clipboard(body)).resolves.toBe(body);
    await page
      .getByRole('button', { name: /^Open row/ })
      .first()
      .click();
    await panel(page).getByRole('button', { name: 'Copy as JSON' }).click();
    expect(JSON.parse(await clipboard('{'))).toHaveProperty('body', body);
    await panel(page).getByRole('button', { name: 'Copy row' }).click();
    const id = (await page.locator('[data-column=id]').first().getAttribute('data-value')) ?? '';
    expect((await clipboard(`${id}\t`)).split('\t')).toContain(body);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Copy page as JSON' }).click();
    await page.getByText('The page is copied.').waitFor();
    expect(JSON.parse(await clipboard('['))).toHaveLength(25);
    const total = Number(/of (\d+)/.exec((await page.getByText(/^Rows 1–25 of/).textContent()) ?? '')?.[1]);
    expect(total).toBeGreaterThan(60);
    const exported = async (form: string): Promise<string> => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `Export ${form}` }).click();
      return readFile(await (await saved).path(), 'utf8');
    };
    expect(JSON.parse(await exported('JSON'))).toHaveLength(total);
    const csv = await exported('CSV');
    expect(csv.trim().split('\n')).toHaveLength(total + 1);
    expect(csv.match(/^id,/gm)).toHaveLength(1);
    await page.close();
  });

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 800 } }],
  ] as const)(
    'axe finds nothing serious or moderate in a panel, an edited cell and the columns: %s',
    async (look, options) => {
      const { page } = await open('Ada', 'kanbanIssues', options);
      await page.locator('[data-column=title]').first().dblclick();
      await page.locator('summary', { hasText: 'Columns' }).click();
      const found = [...(await axeFindings(page))];
      await page.locator('summary', { hasText: 'Columns' }).click();
      await page
        .getByRole('button', { name: /^Open row/ })
        .last()
        .click();
      await panel(page)
        .getByLabel(/^assignee_id/)
        .focus();
      await panel(page).locator('.options li').first().waitFor();
      const folder = process.env['CONSOLE_SCREENSHOTS'];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/row-${look}.png` });
      found.push(...(await axeFindings(page)));
      expect(found).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.close();
    },
  );
});

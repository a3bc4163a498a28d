import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { axeFindings, launchBrowser, openPage } from '../support/browser.js';
import { describeWhere } from '../support/describe-where.js';
import { freePort } from '../support/free-port.js';
import { scratchFolder } from '../support/scratch-folder.js';

const checkout = join(import.meta.dirname, '../..');

describeWhere('chromium')('the live board of the demo, in a browser', () => {
  let home: string;
  let demo: ChildProcess;
  let base: string;
  let token: string;
  /** The printed address of the board, without the server. */
  let board: string;
  let browser: Browser;
  const problems: string[] = [];

  beforeAll(async () => {
    home = await scratchFolder('board');
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const args = [
      'bin/tablewright.js',
      'demo',
      '--folder',
      join(home, 'demo-server'),
      '--port',
      String(port),
      '--json',
    ];
    demo = spawn(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    demo.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
    demo.stderr?.on('data', (data: Buffer) => problems.push(data.toString()));
    while (!printed.trimEnd().endsWith('}')) {
      if (demo.exitCode !== null) throw new Error(problems.join(''));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    problems.length = 0;
    ({ token, board } = JSON.parse(printed) as { token: string; board: string });
    board = board.slice(base.length);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    demo.kill('SIGINT');
    await once(demo, 'exit');
    await rm(home, { recursive: true, force: true });
  });

  async function open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { page } = await openPage(browser, base, { extraHTTPHeaders: headers }, problems);
    await page.goto(base + path);
    return page;
  }

  /** Moves what the user of the token may move, and returns it. */
  async function move(from: string, to: string): Promise<readonly { readonly title: string }[]> {
    const query = `mutation { updateKanbanIssues(where: {status: {eq: ${from}}}, input: {status: ${to}}) { title } }`;
    const answer = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    const { data } = (await answer.json()) as { data: { updateKanbanIssues: readonly { title: string }[] } };
    return data.updateKanbanIssues;
  }

  const cards = (page: Page, status: string) => page.locator(`#${status} li`);
  const footer = (page: Page) => page.getByRole('status');

  test('a card that somebody else moves is moved', async () => {
    const page = await open(board);
    await cards(page, 'todo').first().waitFor();
    const [issue] = await move('todo', 'in_review');
    await cards(page, 'in_review')
      .filter({ hasText: issue?.title ?? 'nothing was moved' })
      .first()
      .waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a card is dragged, and another window shows it', async () => {
    const [page, other] = [await open(board), await open(board)];
    const [{ title } = { title: '' }] = await move('backlog', 'backlog');
    await cards(other, 'backlog').first().waitFor();
    await cards(page, 'backlog').filter({ hasText: title }).first().dragTo(page.locator('#done h2'));
    await cards(page, 'done').filter({ hasText: title }).first().waitFor();
    await cards(other, 'done').filter({ hasText: title }).first().waitFor();
    await footer(page).filter({ hasText: 'Reported by the subscription' }).waitFor();
    await page.locator('li.sent').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await Promise.all([page.close(), other.close()]);
  });

  test('a card is moved by the keyboard, which keeps its place', async () => {
    const page = await open(board);
    const [{ title } = { title: '' }] = await move('in_progress', 'in_progress');
    const arrow = cards(page, 'in_progress')
      .filter({ hasText: title })
      .first()
      .getByRole('button', { name: /to In review$/ });
    const id = await arrow.getAttribute('id');
    await arrow.focus();
    await page.keyboard.press('Enter');
    await page.locator(`#in_review #${id ?? ''}:focus`).waitFor();
    await footer(page).filter({ hasText: 'Reported by the subscription' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the caller of the header is the board’s, and a card in the last column keeps the focus', async () => {
    const page = await open(board);
    const tools = page.getByRole('navigation', { name: 'Tools' });
    await tools.locator('[aria-current=page]', { hasText: 'Board' }).waitFor();
    expect(await page.getByLabel('Act as').locator('option:checked').textContent()).toBe('Dalia Haddad');
    const [{ title } = { title: '' }] = await move('in_review', 'in_review');
    const card = page.locator('#board li', { hasText: title }).first();
    await card.getByRole('button', { name: /to Done$/ }).press('Enter');
    await cards(page, 'done')
      .filter({ hasText: title })
      .getByRole('button', { name: /to In review$/ })
      .and(page.locator(':focus'))
      .waitFor();
    await footer(page).filter({ hasText: 'Reported by the subscription' }).waitFor();
    await page.getByLabel('Act as').selectOption('Anonymous');
    await page.waitForURL(`${base}/board.html`);
    await cards(page, 'done').first().getByRole('button').press('Enter');
    await footer(page)
      .filter({ hasText: /^Refused: mutation/ })
      .waitFor();
    await tools.getByRole('link', { name: 'Tables' }).press('Enter');
    await page.getByRole('heading', { name: 'Tables', level: 1 }).waitFor();
    expect(await page.getByLabel('Act as').locator('option:checked').textContent()).toBe('Anonymous');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a move that the policies refuse goes back, and the page says so', async () => {
    const page = await open('/board.html');
    const card = cards(page, 'done').first();
    const title = (await card.evaluate((node) => node.firstChild?.textContent)) ?? '';
    await card.getByRole('button').first().click();
    await footer(page)
      .filter({ hasText: /^Refused: mutation/ })
      .waitFor();
    await cards(page, 'done').filter({ hasText: title }).first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test.each([
    ['light', 1280, 'none'],
    ['dark', 1280, 'none'],
    ['light', 390, 'none'],
    ['dark', 390, 'none'],
    ['light', 1280, 'active'],
  ] as const)(
    'has no finding of axe, %s and %d pixels wide, forced colours %s',
    async (colorScheme, width, forcedColors) => {
      const page = await open(board);
      await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      await cards(page, 'done').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.close();
    },
  );

  test('GraphiQL shows changes as they come', async () => {
    const page = await open('/graphql', { authorization: `Bearer ${token}` });
    await page.locator('.graphiql-query-editor .monaco-editor').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(
      'subscription { kanbanIssuesChanges(operations: [UPDATE]) { operation data { title status } } }',
    );
    // GraphiQL parses typed text after 100 ms. Until then its button offers the previous operation.
    await page.getByRole('button', { name: '<untitled>', exact: true }).waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    // The stream may begin a moment later.
    const shown = page.locator('.result-window').getByText('UPDATE').first();
    for (let turn = 0; turn < 50 && !(await shown.isVisible()); turn += 1) {
      await move('in_review', 'done');
      await move('done', 'in_review');
      await page.waitForTimeout(200);
    }
    expect(await shown.isVisible()).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeInBrowser, openPage, axeFindings, type WatchedPage } from '../../support/browser.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_graphiql', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({
    registry: boardRegistry,
    schema: schemaOf(board),
    driver,
    settings: { 'app.console': false },
  });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
});

describe('the page', () => {
  test('is for browsers, and loads nothing from elsewhere', async () => {
    const response = await fetch(server.url, { headers: { accept: 'text/html' } });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([\w+/]{24})'/.exec(policy)?.[1] ?? 'none';
    expect(html).toContain(`nonce="${nonce}"`);
    const again = await fetch(server.url, { headers: { accept: 'text/html' } });
    expect(again.headers.get('content-security-policy')).not.toContain(nonce);
    expect(html).not.toMatch(/https?:/);
    const files = Array.from(html.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path]) => path ?? '');
    expect(files).toContain('/graphql/assets/start.js');
    const workers = ['editor', 'json', 'graphql'].map((name) => `/graphql/assets/graphiql-${name}.js`);
    for (const path of ['/graphql/assets/graphiql.js', ...files, ...workers]) {
      const file = await fetch(new URL(path, server.url));
      expect([path, file.status]).toEqual([path, 200]);
      await file.arrayBuffer();
    }
  });

  test('serves its own files only', async () => {
    for (const path of [
      '/graphql/assets/../../package.json',
      '/graphql/assets/%2e%2e/x',
      '/graphql/assets/package.json',
      '/graphql/assets/swagger-ui.js',
      '/graphql/assets/graphiql-unknown.js',
    ]) {
      expect((await fetch(new URL(path, server.url))).status).not.toBe(200);
    }
  });

  test('is not there in production', async () => {
    const production = await startGraphqlServer({
      registry: boardRegistry,
      schema: schemaOf(board),
      driver,
      settings: { 'app.server.production': true },
    });
    const response = await fetch(production.url, { headers: { accept: 'text/html' } });
    await production.close();
    expect(response.status).toBe(406);
    expect(response.headers.get('server-timing')).toBeNull();
  });
});

describeInBrowser('in a browser', (browser) => {
  test('it loads, introspects, runs a query and shows the result, without an error', async () => {
    const { page, problems } = await openPage(browser(), server.url, { viewport: { width: 1200, height: 800 } });
    const query = '{ kanbanIssues(where: {id: {eq: 1}}) { title } }';
    await page.goto(`${server.url}?query=${encodeURIComponent(query)}`);

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('A GraphQL schema provides a root type').first().waitFor();
    // The URL selects the document that the editor opens with.
    await page.locator('.graphiql-query-editor').getByText('kanbanIssues').first().waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText('Login fails with 100% CPU').waitFor();

    const picture = process.env['GRAPHIQL_SCREENSHOT'];
    if (picture !== undefined) await page.screenshot({ path: picture });
    expect(problems).toEqual([]);
    await page.close();
  });

  /**
   * Opens two tabs and shows the first. Its query has a comment, a directive, a nested argument
   * and an empty last line.
   */
  async function openTabs(options: Parameters<typeof openPage>[2]): Promise<WatchedPage> {
    const watched = await openPage(browser(), server.url, options);
    const { page } = watched;
    const query = `# Some issues\nquery Example($all: Boolean = true) {
  kanbanIssues(where: {id: {in: [1, 2]}}, limit: 2) { id title @include(if: $all) points urgent labels metadata }\n}\n`;
    await page.goto(`${server.url}?query=${encodeURIComponent(query)}`);
    await page.locator('.graphiql-query-editor').getByText('kanbanIssues').first().waitFor();
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.getByRole('button', { name: 'Example', exact: true }).click();
    await page.locator('.graphiql-query-editor').getByText('kanbanIssues').first().waitFor();
    return watched;
  }

  test('the tabs are a list of buttons, which a keyboard chooses and closes', async () => {
    const { page, problems } = await openTabs({});
    const tabs = page.getByRole('list', { name: 'Select active operation' });
    const current = tabs.locator('[aria-current=true]');
    expect(await tabs.getByRole('listitem').count()).toBe(2);
    expect(await page.locator('[role=tab], [role=tablist], [role=tabpanel]').count()).toBe(0);
    expect(await current.allTextContents()).toEqual(['Example']);
    expect(await page.getByRole('region', { name: 'Example', exact: true }).count()).toBe(1);

    await tabs.getByRole('button', { name: '<untitled>', exact: true }).press('Enter');
    expect(await current.allTextContents()).toEqual(['<untitled>']);

    // GraphiQL names a tab after the operation that is typed into it.
    await page.locator('.graphiql-query-editor .monaco-editor').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Other { kanbanIssues { id } }');
    await tabs.getByRole('button', { name: 'Other', exact: true }).focus();
    await page.keyboard.press('Tab');
    const focused = tabs.locator(':focus');
    expect(await focused.getAttribute('aria-label')).toBe('Close Other');
    await focused.press('Enter');
    await tabs.getByRole('button', { name: 'Other', exact: true }).waitFor({ state: 'detached' });
    expect(await current.allTextContents()).toEqual(['Example']);
    expect(problems).toEqual([]);
    await page.close();
  });

  const ask = async (query: string, colorScheme: 'light' | 'dark' = 'light'): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.url, { colorScheme, viewport: { width: 1200, height: 800 } });
    await watched.page.goto(`${server.url}?query=${encodeURIComponent(query)}`);
    await watched.page.locator('.graphiql-query-editor').getByText('kanbanIssues').first().waitFor();
    return watched;
  };

  test('a field is ticked by keyboard in the explorer, and types are listed by name', async () => {
    const { page, problems } = await ask('query Example { kanbanIssues(where: {id: {eq: 1}}) { id } }');
    await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).press('Enter');
    const title = page.getByRole('checkbox', { name: 'title', exact: true });
    await title.press(' ');
    await page.locator('.graphiql-query-editor').getByText('title').first().waitFor();
    expect(await title.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'kanbanIssuesAggregate', exact: true }).press('Enter');
    await page.locator('.graphiql-query-editor').getByText('kanbanIssuesAggregate').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'kanbanIssuesAggregate', exact: true }).press('Enter');
    await page.getByRole('button', { name: /Execute query/ }).press('Enter');
    await page.locator('.result-window').getByText('Login fails with 100% CPU').waitFor();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).press('Enter');
    const types = page.getByText('All Schema Types').locator('..').locator('a');
    await types.first().waitFor();
    const names = await types.allTextContents();
    expect(names.length).toBeGreaterThan(20);
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
    expect(problems).toEqual([]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('a word is completed, and explained under the pointer: %s', async (look) => {
    const { page, problems } = await ask('{ kanbanIssues(where: {id: {eq: 1}}) { tit } }', look);
    const editor = page.locator('.graphiql-query-editor');
    // The page explains a word as soon as it has the schema, and what is wrong with another one.
    for (const [word, text] of [
      ['kanbanIssues', 'Query.kanbanIssues'],
      ['tit', 'View Problem'],
    ] as const) {
      const hover = page.locator('.monaco-hover', { hasText: text });
      for (let turn = 0; turn < 20 && !(await hover.isVisible()); turn += 1) {
        await page.mouse.move(10, 400);
        await editor.locator('.view-line span span', { hasText: word }).first().hover();
        await page.waitForTimeout(1_000);
      }
      expect(await hover.isVisible()).toBe(true);
      expect(await axeFindings(page)).toEqual([]);
    }
    await editor.locator('.view-line span span', { hasText: 'tit' }).first().click();
    await page.keyboard.press('End');
    for (let turn = 0; turn < 4; turn += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: /^title/ }).waitFor();
    // The policy refuses inline styles, without which the rows would not be where they are.
    expect(
      await editor
        .locator('.view-line')
        .first()
        .evaluate((line) => line.style.height),
    ).toBe('20px');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await editor.getByText('title').first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  const looks = [
    ['light', { colorScheme: 'light', viewport: { width: 1200, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1200, height: 800 } }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
    ['dark phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const;

  test.each(looks)('axe finds nothing serious or moderate: %s', async (_, options) => {
    const { page, problems } = await openTabs(options);
    const opened = await axeFindings(page);
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText('Login fails with 100% CPU').waitFor();
    const answered = await axeFindings(page);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('A GraphQL schema provides a root type').first().waitFor();
    const documented = await axeFindings(page);
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.getByRole('button', { name: 'Set active: Example' }).waitFor();
    expect([opened, answered, documented, await axeFindings(page)]).toEqual([[], [], [], []]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

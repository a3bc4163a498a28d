import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeInBrowser, openPage, seriousFindings, type WatchedPage } from '../../support/browser.js';
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
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
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

  const looks = [
    ['light', { colorScheme: 'light', viewport: { width: 1200, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1200, height: 800 } }],
    ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
    ['dark phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const;

  test.each(looks)('axe finds nothing serious: %s', async (_, options) => {
    const { page, problems } = await openTabs(options);
    const opened = await seriousFindings(page);
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText('Login fails with 100% CPU').waitFor();
    const answered = await seriousFindings(page);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('A GraphQL schema provides a root type').first().waitFor();
    const documented = await seriousFindings(page);
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.getByRole('button', { name: 'Set active: Example' }).waitFor();
    expect([opened, answered, documented, await seriousFindings(page)]).toEqual([[], [], [], []]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

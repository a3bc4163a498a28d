import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { createGraphiql } from '../../../runtime/src/http/graphiql.js';
import { createDriver } from '../../../runtime/src/server/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { boardRegistry, boardSql } from '../../support/registry.js';
import { schemaOf } from '../../support/sdl.js';

const browserPath = '/usr/bin/chromium';
const hasBrowser = existsSync(browserPath);

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createTestDatabase('graphql_graphiql');
  await loadSql(database.url, boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(boardRegistry), driver });
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
    expect(files).toHaveLength(5);
    for (const path of files) {
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
    ]) {
      expect((await fetch(new URL(path, server.url))).status).not.toBe(200);
    }
  });

  test('says what to install where its packages are missing, and serves none of its files', async () => {
    const graphiql = createGraphiql(pathToFileURL(join(tmpdir(), 'nowhere', 'main.js')).href);
    const get = (url: string) =>
      graphiql.answer({ method: 'GET', url, headers: { accept: 'text/html' } } as unknown as IncomingMessage);
    expect((await get('/graphql'))?.body).toContain('npm install --save-dev graphiql@3');
    expect(await get('/graphql/assets/graphiql.js')).toBeUndefined();
  });

  test('is not there in production', async () => {
    const production = await startGraphqlServer({
      registry: boardRegistry,
      schema: schemaOf(boardRegistry),
      driver,
      settings: { 'app.server.production': true },
    });
    const response = await fetch(production.url, { headers: { accept: 'text/html' } });
    await production.close();
    expect(response.status).toBe(406);
    expect(response.headers.get('server-timing')).toBeNull();
  });
});

describe('in a browser', () => {
  if (!hasBrowser) {
    test('does not run here', () => {
      console.warn(
        `GraphiQL was not tried in a browser: there is no ${browserPath}. apt-get install chromium brings it.`,
      );
      // Where it must run, its absence is a failure.
      expect(process.env['CI'] ?? '').toBe('');
    });
    return;
  }

  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
  });

  afterAll(() => browser.close());

  test('it loads, introspects, runs a query and shows the result, without an error', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    const problems: string[] = [];
    const foreign: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== new URL(server.url).origin) foreign.push(request.url());
    });
    const query = '{ kanbanIssues(where: {id: {eq: 1}}) { title } }';
    await page.goto(`${server.url}?query=${encodeURIComponent(query)}`);

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('A GraphQL schema provides a root type').first().waitFor();
    await page.locator('.graphiql-query-editor .CodeMirror').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(query);
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.locator('.result-window').getByText('Login fails with 100% CPU').waitFor();

    const picture = process.env['GRAPHIQL_SCREENSHOT'];
    if (picture !== undefined) await page.screenshot({ path: picture });
    expect(foreign).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

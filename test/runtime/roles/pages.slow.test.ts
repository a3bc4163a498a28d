import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, openPage, type WatchedPage } from '../../support/browser.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/** The pages of a server that shows each role an API of its own: another caller is another API. */

const [clerk, visitor] = ['pagesby_clerk', 'pagesby_visitor'];

const sql = `
  create schema shop; set search_path to shop;
  create table customers (id int primary key, name text not null);
  create table payroll (id int primary key, wage int not null);
  insert into customers values (1, 'Ada'); insert into payroll values (1, 9000);
  reset search_path;
  ${[clerk, visitor].map((role) => `do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$;`).join('')}
  grant usage on schema shop to ${clerk}, ${visitor};
  grant select on shop.customers to ${clerk}, ${visitor};
  grant select on shop.payroll to ${clerk};`;

let served: Served;
let server: ServedServer;
let expired: string;

beforeAll(async () => {
  served = await openServed({ name: 'pagesby', sql, schema: 'shop', config: { names: { schemaPrefix: 'never' } } });
  await served.query(`grant ${clerk}, ${visitor} to ${new URL(served.roleUrl).username}`);
  expired = await served.token('ada', { role: clerk, exp: 1_000_000 });
  const guide = join(served.folder, 'guide.json');
  await writeFile(
    guide,
    JSON.stringify({ users: [{ name: 'A clerk', token: await served.token('ada', { role: clerk }) }] }),
  );
  server = await served.start({
    APP_LOG_LEVEL: 'silent',
    APP_CONSOLE_GUIDE: guide,
    APP_SECURITY_ROLE_CLAIM: 'role',
    APP_SECURITY_ALLOWED_ROLES: `${clerk},${visitor}`,
    APP_SECURITY_ANONYMOUS_ROLE: visitor,
    APP_SECURITY_SCHEMA_BY_ROLE: 'true',
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await served.query(`drop owned by ${clerk}; drop owned by ${visitor}`);
  await served.drop();
});

describeInBrowser('pages with an API for each role', (browser) => {
  const open = async (path: string): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base);
    await watched.page.goto(server.base + path);
    return watched;
  };
  const become = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('Act as').selectOption(name);
    await page.waitForEvent('load');
    expect(await page.getByLabel('Act as').locator('option:checked').textContent()).toBe(name);
  };

  test('the console lists the tables of the chosen caller, and shows their rows', async () => {
    const { page, problems } = await open('/');
    const tables = page.getByRole('region', { name: 'Tables of shop' }).locator('tbody td:first-child a');
    await tables.first().waitFor();
    expect(await tables.allTextContents()).toEqual(['customers']);
    await become(page, 'A clerk');
    await tables.nth(1).waitFor();
    expect(await tables.allTextContents()).toEqual(['customers', 'payroll']);
    await tables.nth(1).click();
    await page.locator('[data-column=wage]', { hasText: '9000' }).waitFor();
    await become(page, 'Anonymous');
    // There is no such page for the visitor: the page is the first one.
    await tables.first().waitFor();
    expect(await tables.allTextContents()).toEqual(['customers']);
    // The page of rows, which the tab leaves, has asked once more.
    expect(problems.filter((each) => !each.includes('404'))).toEqual([]);
    await page.close();
  });

  test('so do GraphiQL and the REST explorer', async () => {
    const { page, problems } = await open('/graphql');
    const field = page.getByRole('button', { name: 'payrollAggregate', exact: true });
    const explorer = page.getByRole('button', { name: 'Show GraphiQL Explorer' });
    await explorer.click();
    await page.getByRole('button', { name: 'customersAggregate', exact: true }).waitFor();
    expect(await field.count()).toBe(0);
    await become(page, 'A clerk');
    await field.waitFor();
    await page.getByRole('link', { name: 'REST explorer' }).click();
    await page.getByLabel('Operations of').locator('option', { hasText: 'payroll' }).waitFor({ state: 'attached' });
    await become(page, 'Anonymous');
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.getByLabel('Operations of').locator('option', { hasText: 'payroll' }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a token that has expired while the tab was open is forgotten', async () => {
    const { page } = await open('/');
    await page.evaluate((token) => {
      sessionStorage.setItem('tablewright.token', token);
    }, expired);
    await page.reload();
    await page.getByRole('heading', { name: 'Tables', level: 1 }).waitFor();
    expect(await page.getByLabel('Act as').locator('option:checked').textContent()).toBe('Anonymous');
    await page.close();
  });
});

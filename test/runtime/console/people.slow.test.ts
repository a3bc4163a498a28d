import type { Locator, Page } from 'playwright-core';
import { axeFindings, describeInBrowser, openPage, type WatchedPage } from '../../support/browser.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';

/** The pages as people use them who have no mouse, need strong colours, or get sick of motion. */

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({
    environment: { APP_REST_POSTGREST: '/rest/v1', APP_REST_PLAN_ENABLED: 'true' },
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

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isFocused = (): Promise<boolean> => target.evaluate((node) => node === document.activeElement);
  await target.waitFor();
  for (let pressed = 0; pressed < 150; pressed += 1) {
    await page.keyboard.press('Tab');
    if (await isFocused()) return;
  }
  throw new Error(`Tab does not reach ${String(target)}.`);
}

const pages: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['home', '/', 'main h1'],
  ['table', '/#/table/kanbanIssues', '.policies'],
  ['rows', '/#/table/kanbanIssues/rows', '.rows tbody tr'],
  ['requests', '/#/table/kanbanIssues/requests', '.runner'],
  ['diagram', '/#/diagram', 'g.table'],
  ['explorer', '/console/explorer#/table/kanbanIssues', '.opblock'],
  ['graphiql', '/graphql', '.graphiql-query-editor .view-line'],
];

describeInBrowser('people', (browser) => {
  const open = async (path: string, options?: Parameters<typeof openPage>[2]): Promise<WatchedPage> => {
    const watched = await openPage(browser(), server.base, options);
    await watched.page.goto(server.base + path);
    return watched;
  };

  test('without a mouse: choose the caller, edit a row, be refused as another, and read why', async () => {
    const { page, problems } = await open('/#/table/kanbanProjects/rows');
    const caller = page.getByLabel('Act as');
    await tabTo(page, caller);
    await page.keyboard.type('Ada');
    await page.getByText(' — as Ada,').waitFor();
    const name = page.locator('[data-column=name]').first();
    const edit = async (text: string): Promise<void> => {
      await tabTo(page, page.locator('[role=gridcell][tabindex="0"]'));
      await page.keyboard.press('Home');
      while (!(await name.evaluate((node) => node === document.activeElement))) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await edit('By keyboard');
    await page.getByText('name is saved.').waitFor();
    await page.goto(`${server.base}/?again#/table/kanbanProjects/rows`);
    await tabTo(page, caller);
    await page.keyboard.type('Ben');
    await page.getByText(' — as Ben,').waitFor();
    await edit('Mine now');
    await page.locator('.notice .refusal', { hasText: 'Ben may not update this row.' }).waitFor();
    expect(await page.locator('.notice .refusal').textContent()).toContain('owner_id');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('without a mouse: read a plan, and copy the request as code from a menu that Escape closes', async () => {
    const { page, problems } = await open('/#/table/kanbanIssues/requests');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const first = page.locator('.runner').first();
    await tabTo(page, first.getByRole('button', { name: 'SQL and plan' }));
    await page.keyboard.press('Enter');
    await first.getByRole('list', { name: 'Plan' }).getByText(/ ms/).first().waitFor();
    const menu = first.locator('summary', { hasText: 'Copy as…' });
    await tabTo(page, menu);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await first.getByRole('button', { name: 'fetch' }).waitFor({ state: 'hidden' });
    expect(await menu.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page, first.getByRole('button', { name: 'fetch' }));
    await page.keyboard.press('Enter');
    await first.getByText('Copied as fetch.').waitFor();
    await expect(page.evaluate<string>('navigator.clipboard.readText()')).resolves.toContain('/api/v1/issues');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('forced colours: axe has no finding, and what is chosen or focused has an outline', async () => {
    for (const [name, path, ready] of pages) {
      const { page, problems } = await open(path, { forcedColors: 'active' });
      await page.locator(ready).first().waitFor();
      const outlines = await page
        .locator('[aria-current=page]')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).outlineStyle));
      expect([name, outlines.filter((style) => style === 'none')]).toEqual([name, []]);
      await tabTo(page, page.getByLabel('Act as'));
      const focus = await page.getByLabel('Act as').evaluate((each) => getComputedStyle(each).outlineStyle);
      expect([name, focus]).toEqual([name, 'solid']);
      expect([name, await axeFindings(page)]).toEqual([name, []]);
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  test('forced colours: tables and lines of the diagram have the colours of the system', async () => {
    const { page } = await open('/#/diagram', { forcedColors: 'active' });
    await page.locator('g.table').first().waitFor();
    const colours = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('p'));
      const system = getComputedStyle(probe).color;
      const of = (selector: string, property: 'fill' | 'stroke'): string =>
        getComputedStyle(document.querySelector(selector) ?? probe)[property];
      return { system, text: of('.diagram text', 'fill'), line: of('path.line', 'stroke'), box: of('.box', 'stroke') };
    });
    expect(colours).toEqual({ ...colours, text: colours.system, line: colours.system, box: colours.system });
    await page.close();
  });

  test('reduced motion: nothing moves on any page', async () => {
    for (const [name, path, ready] of pages) {
      const { page } = await open(path, { reducedMotion: 'reduce' });
      await page.locator(ready).first().waitFor();
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((each) => {
            const { transitionDuration, animationName } = getComputedStyle(each);
            return animationName !== 'none' || transitionDuration.split(', ').some((time) => parseFloat(time) > 0);
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 100)),
      );
      expect([name, moving]).toEqual([name, []]);
      await page.close();
    }
  });
});

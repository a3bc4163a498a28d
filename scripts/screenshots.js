/**
 * Takes the pictures of docs/images: each page of a running demo, light and dark, wide and narrow.
 * `npm run screenshots`, or `npm run screenshots -- NAME…` for some pages. It needs Chromium at
 * /usr/bin/chromium, or at the path of the environment variable CHROMIUM.
 */
/* global sessionStorage */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { smallPng } from './small-png.js';

const root = join(import.meta.dirname, '..');

/**
 * The pages by the names of their pictures: an address, and what to wait for or to do there.
 * docs/console.md shows each of them.
 */
export const pages = {
  home: ['/#/', (page) => page.getByText(/≈ \d/).first().waitFor()],
  table: ['/#/table/kanbanIssues', (page) => page.locator('.policies').waitFor()],
  rows: ['/#/table/kanbanIssues/rows', (page) => page.getByText(/^Rows 1–25/).waitFor()],
  row: ['/#/table/kanbanProjects/rows', openRow],
  refusal: ['/#/table/kanbanProjects/rows', refuse],
  requests: ['/#/table/kanbanIssues/requests', readPlan],
  diagram: ['/#/diagram', (page) => page.locator('g.table').nth(1).waitFor()],
  graphiql: ['/graphql', runQuery],
  explorer: ['/console/explorer#/table/kanbanIssues', (page) => page.locator('.opblock').nth(4).waitFor()],
  board: ['/board.html', (page) => page.locator('#done li').first().waitFor()],
};

export const looks = {
  'wide-light': { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  'wide-dark': { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  'narrow-light': { colorScheme: 'light', viewport: { width: 390, height: 780 } },
  'narrow-dark': { colorScheme: 'dark', viewport: { width: 390, height: 780 } },
};

export const pictureOf = (page, look) => `console-${page}-${look}.png`;

async function openRow(page) {
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/ and \d+ more/)
    .waitFor();
}

async function refuse(page) {
  await page.getByLabel('Act as').selectOption('Bruno Keller');
  await page.getByText(' — as Bruno Keller,').waitFor();
  await page.locator('[data-column=name]').first().dblclick();
  await page.locator('[data-column=name] :is(input, textarea)').fill('Mine now');
  await page.keyboard.press('Enter');
  await page.locator('.notice .refusal').waitFor();
}

async function readPlan(page) {
  await page.getByRole('button', { name: 'SQL and plan' }).first().click();
  await page.getByRole('list', { name: 'Plan' }).first().waitFor();
}

async function runQuery(page) {
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page.locator('.result-window').getByText('"data"').waitFor();
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
}

/** Starts the demo in a folder of its own. Answers where it is, with its token, and how to end it. */
async function startDemo(folder) {
  const args = ['bin/tablewright.js', 'demo', '--folder', join(folder, 'demo-server'), '--port', '4183', '--json'];
  const demo = spawn(execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  demo.stdout.on('data', (data) => (printed += data));
  while (!printed.trimEnd().endsWith('}')) {
    if (demo.exitCode !== null) throw new Error('The demo does not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = async () => {
    const ended = once(demo, 'exit');
    demo.kill('SIGINT');
    await ended;
  };
  return { ...JSON.parse(printed), stop };
}

export async function takePictures(browser, base, token, names, folder) {
  for (const [look, options] of Object.entries(looks))
    for (const name of names) {
      const [path, prepare] = pages[name];
      const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
      // Dalia Haddad is the caller.
      await page.addInitScript((kept) => sessionStorage.setItem('tablewright.token', kept), token);
      await page.goto(new URL(path, base).href);
      await prepare(page);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(500);
      await writeFile(join(folder, pictureOf(name, look)), await smallPng(browser, await page.screenshot()));
      await page.close();
      stdout.write(`${pictureOf(name, look)}\n`);
    }
}

async function main() {
  const names = argv.length > 2 ? argv.slice(2) : Object.keys(pages);
  await mkdir(join(root, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(root, '.tmp', 'screenshots-'));
  const demo = await startDemo(folder);
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await takePictures(browser, demo.console, demo.token, names, join(root, 'docs/images'));
  } finally {
    await browser.close();
    await demo.stop();
    await rm(folder, { recursive: true });
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) await main();

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTablewright, tablewright } from '../support/cli.js';
import { fakePostgres } from '../support/fake-postgres.js';
import { temporaryFolder, treeOf } from '../support/folders.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase('cli_stop');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await loadSql(
    database.url,
    `drop schema if exists kanban cascade;
     create schema kanban;
     create table kanban.users (id int primary key, name text);
     create table kanban.issues (id int primary key, assignee_id int references kanban.users);`,
  );
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const generate = (): ReturnType<typeof tablewright> =>
  tablewright(['generate', '--url', database.url, '--out', 'server'], { cwd: folder });

const start = (...args: string[]): ReturnType<typeof startTablewright> =>
  startTablewright(['generate', '--url', database.url, '--out', 'server', ...args], { cwd: folder });

/**
 * Makes a complete first run, and returns the interval in milliseconds between the moments at which
 * later runs are stopped.
 */
async function firstRun(): Promise<number> {
  const since = performance.now();
  await generate();
  // About 15 moments per run, however slow the machine is: with a fixed interval, the time of the
  // test grows with the square of the run's.
  return Math.max(90, Math.round((performance.now() - since) / 15));
}

/** The texts without modification times: two complete runs have the same texts. */
const texts = (tree: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).map(([path, value]) => [path, value.replace(/^[\d.]+ /, '')]));

test('Ctrl-C while the database does not answer: 130, nothing was touched', async () => {
  await generate();
  const before = await treeOf(folder);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const silent = await fakePostgres('silent');
    const run = startTablewright(['generate', '--url', silent.url, '--out', 'server'], { cwd: folder });
    await silent.connected;
    run.signal(signal);
    expect(await run.ended).toEqual({ code: 130, signal: null });
    await silent.close();
    expect(run.output()).toContain('error INTERRUPTED Interrupted.\n      Nothing was written.\n');
    expect(await treeOf(folder)).toEqual(before);
  }
});

test('Ctrl-C at any moment: all was written, or nothing was touched', async () => {
  const step = await firstRun();
  for (let milliseconds = 60, complete = false; !complete; milliseconds += step) {
    await loadSql(database.url, `alter table kanban.users add c${String(milliseconds)} int`);
    const before = await treeOf(folder);
    const run = start();
    await delay(milliseconds);
    run.signal('SIGINT');
    const { code } = await run.ended;
    if (code === 0) {
      complete = true;
      expect(await tablewright(['check', '--url', database.url, '--out', 'server'], { cwd: folder })).toMatchObject({
        code: 0,
      });
    } else {
      // Null: the signal came before the program handled signals, or after it had written all.
      expect([130, null]).toContain(code);
      const options = ['--url', database.url, '--out', 'server'];
      const isDone = code === null && (await tablewright(['check', ...options], { cwd: folder })).code === 0;
      if (!isDone) expect(await treeOf(folder)).toEqual(before);
    }
  }
});

test('killed at any moment: the next run puts everything right', async () => {
  const step = await firstRun();
  for (let milliseconds = 100, complete = false; !complete; milliseconds += step) {
    await loadSql(database.url, `alter table kanban.users add c${String(milliseconds)} int`);
    const run = start();
    await delay(milliseconds);
    run.signal('SIGKILL');
    complete = (await run.ended).code === 0;
    expect(await generate()).toMatchObject({ code: 0, stderr: '' });
  }
  const repaired = texts(await treeOf(join(folder, 'server')));
  await tablewright(['generate', '--url', database.url, '--out', 'fresh/server'], { cwd: folder });
  const fresh = texts(await treeOf(join(folder, 'fresh', 'server')));
  expect(Object.keys(repaired)).toEqual(Object.keys(fresh));
  expect({ ...repaired, 'package.json': '' }).toEqual({ ...fresh, 'package.json': '' });
});

test('--watch generates again when the schema changes; Ctrl-C is its proper end', async () => {
  const run = start('--watch', '--interval', '0.2');
  await run.says('Watching for changes');
  await loadSql(database.url, 'alter table kanban.users add email text');
  await run.says('change  src/generated/kanban/users.table.ts');
  await loadSql(database.url, 'create table kanban.labels (id int primary key)');
  await run.says('add     src/generated/kanban/labels.table.ts');
  run.signal('SIGINT');
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(await tablewright(['check', '--url', database.url, '--out', 'server'], { cwd: folder })).toMatchObject({
    code: 0,
  });
});

test('--watch tells of a failure once, and goes on', async () => {
  const run = start('--watch', '--interval', '0.1');
  await run.says('Watching for changes');
  await loadSql(database.url, 'alter schema kanban rename to gone; drop schema gone cascade');
  await run.says('error NOTHING_TO_GENERATE');
  await delay(600);
  expect(run.output().split('error NOTHING_TO_GENERATE')).toHaveLength(2);
  await loadSql(database.url, 'create schema kanban; create table kanban.users (id int primary key, nick text)');
  await run.says('delete  src/generated/kanban/issues.table.ts');
  run.signal('SIGINT');
  expect(await run.ended).toEqual({ code: 0, signal: null });
});

test('a PGlite database cannot be watched', async () => {
  const outcome = await tablewright(['generate', '--watch', '--url', 'pglite:data', '--out', 'server'], {
    cwd: folder,
  });
  expect(outcome).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('error USAGE A PGlite database') as string,
  });
});

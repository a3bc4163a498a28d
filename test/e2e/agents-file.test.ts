import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../support/cli.js';
import { createFilledDatabase, type TestDatabase } from '../support/postgres.js';
import type { Outcome } from '../support/program.js';
import { scratchFolder } from '../support/scratch-folder.js';

let database: TestDatabase;
let project: string;

beforeAll(async () => {
  database = await createFilledDatabase(
    'agents_file',
    'create schema shop; create table shop.orders (id int primary key, note text)',
  );
  project = await scratchFolder('agents-file');
});
afterAll(async () => {
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<Outcome> =>
  tablewright(args, { cwd: project, env: { DATABASE_URL: database.url } });
const configure = (options: object): Promise<void> =>
  writeFile(join(project, 'tablewright.config.json'), JSON.stringify(options));
const read = (path: string): Promise<string | undefined> =>
  readFile(join(project, path), 'utf8').catch(() => undefined);
const generated = 'src/generated/AGENTS.md';

test('is not written by default', async () => {
  await configure({});
  expect(await run('generate')).toMatchObject({ code: 0 });
  expect(await Promise.all([read('AGENTS.md'), read(generated)])).toEqual([undefined, undefined]);
});

test('names what is generated, what to edit and the commands, and is checked', async () => {
  await configure({ agentsFile: true });
  expect(await run('check')).toMatchObject({ code: 2 });
  expect(await run('generate')).toMatchObject({ code: 0 });
  const text = (await read(generated)) ?? '';
  for (const part of [
    '- `src/generated/shop/`: the schema `shop`',
    '@Resolver(() => ShopOrders)',
    '`src/custom/`',
    '`npm run generate`',
    'node_modules/tablewright/docs/llms.txt',
  ])
    expect(text).toContain(part);
  expect(await read('AGENTS.md')).toContain('(src/generated/AGENTS.md)');
  expect(await run('check')).toMatchObject({ code: 0 });
  await run('generate');
  expect(await read(generated)).toBe(text);
  await appendFile(join(project, generated), 'edited\n');
  expect((await run('check', '--offline')).code).not.toBe(0);
  expect(await run('generate', '--force')).toMatchObject({ code: 0 });
  expect(await read(generated)).toBe(text);
});

test('the file of the owner stays as it is', async () => {
  await appendFile(join(project, 'AGENTS.md'), '\nAsk before you change prices.\n');
  await run('generate');
  expect(await read('AGENTS.md')).toContain('Ask before you change prices.');
  await configure({});
  expect(await run('generate')).toMatchObject({ code: 0 });
  expect(await read(generated)).toBeUndefined();
  expect(await read('AGENTS.md')).toContain('Ask before you change prices.');
});

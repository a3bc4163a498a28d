import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { tablewright } from '../support/cli.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { succeed, type Outcome } from '../support/program.js';
import { startGeneratedServer } from '../support/running-server.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { repository, transpile } from '../support/transpile.js';

/**
 * `apiDocuments: false`: openapi.json and schema.graphql are not in the project. They follow from
 * catalog.json, for the server and for the commands.
 */

const schema = `
  create schema shop;
  create type shop.state as enum ('open', 'paid');
  create table shop.customers (id int primary key, name text not null, balance numeric(10, 2));
  create table shop.orders (
    id bigint primary key, state shop.state not null, customer_id int not null references shop.customers);
  create function shop.total(customer int) returns numeric language sql stable as 'select 1.5';
`;

let database: TestDatabase;
let project: string;

beforeAll(async () => {
  database = await createTestDatabase('api_documents');
  await loadSql(database.url, schema);
  project = await scratchFolder('api-documents');
});

afterAll(async () => {
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<Outcome> =>
  tablewright(args, { cwd: project, env: { DATABASE_URL: database.url } });

const configure = (options: object): Promise<void> =>
  writeFile(
    join(project, 'tablewright.config.json'),
    JSON.stringify({ functions: ['shop.total'], 'app.types.bigint': 'string', ...options }),
  );

const generated = (name: string): string => join(project, 'src/generated', name);

const git = (...args: readonly string[]) =>
  succeed('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: project });

const documents = ['openapi.json', 'schema.graphql'];

/** The documents as `generate` writes them by default. */
let openapi: string;

test('generate removes them, and writes them again', async () => {
  await configure({});
  expect(await run('generate')).toMatchObject({ code: 0 });
  openapi = await readFile(generated('openapi.json'), 'utf8');
  await configure({ apiDocuments: false });
  const { code, stdout } = await run('generate');
  expect(code).toBe(0);
  for (const name of documents) expect(stdout).toMatch(new RegExp(`delete +src/generated/${name}`));
  expect(await readdir(generated(''))).toEqual(expect.not.arrayContaining(documents));
  await configure({ apiDocuments: true });
  expect(await run('check')).toMatchObject({ code: 2 });
  expect(await run('generate')).toMatchObject({ code: 0 });
  expect(await readFile(generated('openapi.json'), 'utf8')).toBe(openapi);
  await configure({ apiDocuments: false });
  expect(await run('generate')).toMatchObject({ code: 0 });
  expect(await run('check')).toMatchObject({ code: 0 });
  expect(await run('check', '--offline')).toMatchObject({ code: 0 });
});

test('the server makes openapi.json from catalog.json, byte for byte', async () => {
  const program = await transpile({ [join(relative(repository, project), 'src')]: 'dist' });
  try {
    await mkdir(join(program.folder, 'src/generated'), { recursive: true });
    const env = { DATABASE_URL: database.url, APP_LOG_LEVEL: 'error' };
    const without = await startGeneratedServer(program.folder, env);
    expect((await fetch(`${without.base}/api/v1/openapi.json`)).status).toBe(500);
    expect(await without.stop()).toBe(0);
    await copyFile(generated('catalog.json'), join(program.folder, 'src/generated/catalog.json'));
    const server = await startGeneratedServer(program.folder, env);
    const answers = await Promise.all(
      ['/api/v1', '/api/v1/openapi.json'].map(async (path) => (await fetch(server.base + path)).text()),
    );
    expect(answers).toEqual([openapi, openapi]);
    const sdl = await (await fetch(`${server.base}/schema.graphql`)).text();
    expect(sdl).toContain('type ShopOrders');
    expect(await server.stop()).toBe(0);
  } finally {
    await program.remove();
  }
});

test('diff --api compares with catalog.json, and a column changes at most four lines of code', async () => {
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'before');
  await loadSql(database.url, 'alter table shop.customers add nickname text');
  const diff = await run('diff', '--api', '--json');
  expect(diff.code).toBe(0);
  const { changes } = JSON.parse(diff.stdout) as { readonly changes: readonly { readonly description: string }[] };
  expect(changes.map(({ description }) => description)).toContain('ShopCustomers.nickname was added.');
  expect(await run('check')).toMatchObject({ code: 2 });
  expect(await run('generate')).toMatchObject({ code: 0 });
  const changed = await git('diff', '--numstat', '--', 'src/generated', ':!src/generated/catalog.json');
  const lines = changed
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(lines).toEqual([
    ['1', '0', 'src/generated/database.ts'],
    ['2', '0', 'src/generated/shop/customers.table.ts'],
  ]);
  expect(await run('diff', '--api', '--offline', '--since', 'HEAD')).toMatchObject({ code: 0 });
});

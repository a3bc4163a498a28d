import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTablewright, tablewright, type RunningCli } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';

/**
 * Runs `dev` on a project with its own build and server: other tests cover the behaviour of the
 * generated server. This server answers with the catalogue that it was built from.
 */
const manifest = { type: 'module', scripts: { build: 'node build.js' } };

const build = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  if (existsSync('broken')) { console.error('main.ts(1,1): it is broken'); process.exit(2); }
  const answer = readFileSync('src/generated/catalog.json', 'utf8') + readFileSync('src/main.ts', 'utf8');
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/main.js', \`
    import { createServer } from 'node:http';
    const server = createServer((_, response) => response.end(\${JSON.stringify(answer)}));
    server.listen(process.env.PORT, '127.0.0.1', () => console.log('serving'));
    process.on('SIGTERM', () => { console.log('closing'); server.close(); server.closeAllConnections(); });
    process.on('SIGINT', () => {});
  \`);
`;

let database: TestDatabase;
let folder: string;
let remove: () => Promise<void>;
let port: number;
let run: RunningCli | undefined;

beforeAll(async () => {
  database = await createTestDatabase('cli_dev');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await loadSql(
    database.url,
    'drop schema if exists kanban cascade; create schema kanban; create table kanban.users (id int primary key);',
  );
  ({ folder, remove } = await temporaryFolder());
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'tablewright.config.json'), '{}');
  await writeFile(join(folder, 'build.js'), build);
  await writeFile(join(folder, 'src', 'main.ts'), 'first');
  port = await freePort();
});
afterEach(async () => {
  run?.signal('SIGKILL');
  await run?.ended;
  await remove();
});

function dev(): RunningCli {
  run = startTablewright(['dev', '--interval', '0.2'], {
    cwd: folder,
    env: { DATABASE_URL: database.url, PORT: String(port) },
  });
  return run;
}

async function answer(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${String(port)}/`);
  return response.text();
}

/** Repeats the request until the answer contains the text. */
async function answers(text: string): Promise<void> {
  for (;;) {
    const body = await answer().catch(() => '');
    if (body.includes(text)) return;
    await delay(50);
  }
}

test('serves, and serves anew after a change of the schema, of the code, of the configuration', async () => {
  const running = dev();
  await running.says('serving');
  await answers('"users"');
  await loadSql(database.url, 'alter table kanban.users add email text');
  await answers('"email"');
  await writeFile(join(folder, 'src', 'main.ts'), 'second');
  await answers('second');
  await loadSql(database.url, 'create schema shop; create table shop.orders (id int primary key)');
  try {
    await answers('"orders"');
    await writeFile(join(folder, 'tablewright.config.json'), '{"schemas": ["shop"]}');
    for (let body = await answer(); body.includes('"users"'); body = await answer().catch(() => '"users"'))
      await delay(50);
  } finally {
    await loadSql(database.url, 'drop schema shop cascade');
  }
  running.signal('SIGINT');
  expect(await running.ended).toEqual({ code: 0, signal: null });
  expect(running.output()).toContain('closing');
  await expect(answer()).rejects.toThrow();
});

test('a failed regeneration or build keeps the old server serving', async () => {
  const running = dev();
  await running.says('serving');
  await writeFile(join(folder, 'broken'), '');
  await loadSql(database.url, 'alter table kanban.users add email text');
  await running.says('error OUTPUT_FAILED The project does not build');
  await running.says('it is broken');
  expect(await answer()).not.toContain('"email"');

  await writeFile(join(folder, 'src', 'generated', 'index.ts'), 'mine');
  await loadSql(database.url, 'alter table kanban.users add phone text');
  await running.says('error OUTPUT_EDITED');
  expect(await answer()).not.toContain('"phone"');
  expect(running.output()).not.toContain('closing');
  running.signal('SIGINT');
  expect(await running.ended).toEqual({ code: 0, signal: null });
});

test('what fails before anything is served ends the command', async () => {
  await writeFile(join(folder, 'broken'), '');
  const running = dev();
  expect(await running.ended).toEqual({ code: 1, signal: null });
  expect(running.output()).toContain('run `npm install`');
});

test('a server that dies is told of, and started again after the next change', async () => {
  await writeFile(
    join(folder, 'build.js'),
    build.replace("console.log('serving')", "console.log('serving') || process.exit(7)"),
  );
  const running = dev();
  await running.says('The server ended by itself (exit code 7)');
  await writeFile(join(folder, 'build.js'), build);
  await loadSql(database.url, 'alter table kanban.users add email text');
  await answers('"email"');
  running.signal('SIGTERM');
  expect(await running.ended).toEqual({ code: 0, signal: null });
});

test('a PGlite database cannot be developed against', async () => {
  const outcome = await tablewright(['dev', '--url', 'pglite:data'], { cwd: folder });
  expect(outcome).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('error USAGE A PGlite database') as string,
  });
});

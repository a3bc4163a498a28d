import { readFileSync } from 'node:fs';
import { cp, lstat, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runDockerfile } from '../support/dockerfile.js';
import { texts } from '../support/folders.js';
import { installPacked } from '../support/packed.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { markdownBlocks } from '../support/readme.js';
import { runProgram, succeed } from '../support/program.js';
import { startGeneratedServer } from '../support/running-server.js';

const checkout = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { readonly version: string };
const quiet = ['--no-audit', '--no-fund'];

/** Uses the published packages as a new user does, in an empty folder far from this checkout. */
describe('the packed tool, installed in an empty folder', () => {
  let folder: string;
  let server: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablewright-packed-'));
    server = join(folder, 'server');
    database = await demoDatabase('demo_packed');
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('generates a project that installs, builds and serves both protocols', async () => {
    const tarballs = await installPacked(folder);
    expect(tarballs).toEqual([
      `tablewright-${version}.tgz`,
      `tablewright-console-${version}.tgz`,
      `tablewright-runtime-${version}.tgz`,
    ]);
    // The commands of the README, up to the command that starts the server.
    const [block] = markdownBlocks('README.md', 'Your own database');
    const lines = (block?.text ?? '').split('\n');
    expect(lines.at(-1)).toBe('DATABASE_URL=postgres://me@localhost/shop npm start');
    const commands = lines.slice(0, -1).map((line) => line.replace('postgres://me@localhost/shop', database.url));
    await succeed('sh', ['-ec', commands.join('\n')], { cwd: folder });

    const [tool = '', browser = '', runtime = ''] = tarballs;
    expect(JSON.parse(await readFile(join(server, 'package.json'), 'utf8'))).toMatchObject({
      dependencies: { '@tablewright/runtime': `file:../${runtime}` },
      devDependencies: { tablewright: `file:../${tool}`, '@tablewright/console': `file:../${browser}` },
    });
    const [check] = markdownBlocks('README.md', 'Commit it');
    await succeed('sh', ['-ec', check?.text ?? 'false'], { cwd: server });

    // The test runs with and without a database.
    await succeed('npm', ['test'], { cwd: server });
    await succeed('npm', ['test'], { cwd: server, env: { DATABASE_URL: database.url } });
    await expectServing(server, database);
  }, 600_000);

  test('has the console in development, and nothing of it in the production image', async () => {
    // Apart from the folder of the tool, whose packages Node would find in a parent folder.
    const apart = await mkdtemp(join(tmpdir(), 'tablewright-image-'));
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.tgz')))
      await cp(join(folder, name), join(apart, name));
    const image = join(apart, 'image');
    await runDockerfile(server, join(apart, 'build'), image);
    expect(await readdir(image)).toEqual(['dist', 'node_modules', 'package.json', 'src']);
    const development = await pages(server, database, {});
    const production = await pages(image, database, { NODE_ENV: 'production', APP_CONSOLE: 'true' });
    expect(development).toEqual({ '/': 200, '/console/explorer': 200, '/graphql': 200 });
    expect(production).toEqual({ '/': 404, '/console/explorer': 404, '/graphql': 406 });
    const modules = await readdir(join(image, 'node_modules/@tablewright'));
    expect(modules).toEqual(['runtime']);
    const all = await readdir(join(image, 'node_modules'));
    expect(all.filter((name) => /dagre|swagger|graphiql|monaco|^react$/.test(name))).toEqual([]);
    await rm(apart, { recursive: true });
  }, 600_000);

  test('nothing but public packages and ours: no link to a folder, no path of this machine', async () => {
    const lock = await readFile(join(server, 'package-lock.json'), 'utf8');
    expect(lock).not.toContain(checkout);
    expect(lock).not.toContain('"link": true');
    expect(await readdir(server)).not.toContain('.npmrc');
  });

  test('the runtime leads a debugger to its sources', async () => {
    const modules = join(server, 'node_modules/@tablewright/runtime');
    const map = JSON.parse(await readFile(join(modules, 'dist/extensions/create-server.js.map'), 'utf8')) as {
      sources: readonly string[];
    };
    const [source = ''] = map.sources;
    expect(await readFile(join(modules, 'dist/extensions', source), 'utf8')).toContain('export function createServer');
    expect((await readdir(join(modules, 'dist'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('nothing deeper than the entries of the runtime can be imported, and lint complains of that alone', async () => {
    const deep =
      "import { codes } from '@tablewright/runtime/dist/errors.js';\nexport const all = Object.keys(codes);\n";
    const path = join(server, 'src/custom/deep.ts');
    await writeFile(path, deep);
    const lint = await runProgram('npm', ['run', 'lint'], { cwd: server });
    expect(lint.stdout).toContain('no-restricted-imports');
    // The generated project and the templates have no problem of their own.
    expect(lint.stdout.match(/^\/.*\.\w+$/gm)).toEqual([path]);
    const build = await runProgram('npm', ['run', 'build'], { cwd: server });
    expect(build.stdout).toContain(
      "src/custom/deep.ts(1,23): error TS2307: Cannot find module '@tablewright/runtime/dist",
    );
    await rm(path);
    expect({ lint: lint.code, build: build.code === 0 }).toEqual({ lint: 1, build: false });
  });

  test('ejected: the sources of the runtime are in the project, and it builds, lints and serves as before', async () => {
    const before = await generatedTexts(server);
    const said = await succeed('npx', ['tablewright', 'eject'], { cwd: server });
    expect(said).toContain('Next:\n  npm install\n  npm run build\n');
    await succeed('npm', ['install', ...quiet], { cwd: server });
    await succeed('npm', ['run', 'build'], { cwd: server });
    await succeed('npm', ['run', 'check', '--', '--offline'], { cwd: server });
    await succeed('npx', ['tablewright', 'generate'], { cwd: server, env: { DATABASE_URL: database.url } });
    expect(JSON.parse(await readFile(join(server, 'package.json'), 'utf8'))).toMatchObject({
      dependencies: { '@tablewright/runtime': 'file:./runtime' },
    });
    expect(await generatedTexts(server)).toEqual(before);
    await succeed('npm', ['run', 'lint'], { cwd: server });
    // The server runs the owner's edited copy.
    const page = join(server, 'runtime/src/http/health.ts');
    const text = await readFile(page, 'utf8');
    await writeFile(page, `process.title = 'mine';\n${text}`);
    await succeed('npm', ['test'], { cwd: server, env: { DATABASE_URL: database.url } });
    expect(await readFile(join(server, 'node_modules/@tablewright/runtime/dist/http/health.js'), 'utf8')).toContain(
      "process.title = 'mine';",
    );
    await expectServing(server, database);
  }, 600_000);
});

describe('the tool, run from its checkout', () => {
  let folder: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tablewright-checkout-')));
    database = await demoDatabase('demo_checkout');
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('generates a project that installs copies of our packages, builds and serves', async () => {
    const server = join(folder, 'server');
    const program = join(checkout, 'bin/tablewright.js');
    await succeed(process.execPath, [program, 'generate', '--url', database.url, '--out', 'server'], { cwd: folder });
    const way = relative(server, checkout);
    const manifest = await readFile(join(server, 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({
      dependencies: { '@tablewright/runtime': `file:${way}/runtime` },
      devDependencies: { tablewright: `file:${way}`, '@tablewright/console': `file:${way}/console` },
    });
    expect(manifest).not.toContain(`"file:${checkout}`);
    await succeed('npm', ['install', ...quiet], { cwd: server });
    for (const name of ['@tablewright/runtime', '@tablewright/console', 'tablewright']) {
      expect((await lstat(join(server, 'node_modules', name))).isSymbolicLink()).toBe(false);
    }
    await succeed('npm', ['run', 'build'], { cwd: server });
    // The installed copy knows the package that it came from.
    await succeed('npm', ['run', 'check', '--', '--offline'], { cwd: server });
    await expectServing(server, database);
  }, 600_000);
});

async function demoDatabase(name: string): Promise<TestDatabase> {
  const database = await createTestDatabase(name);
  for (const script of ['schema.sql', 'seed.sql']) {
    await loadSql(database.url, await readFile(join(checkout, 'demo', script), 'utf8'));
  }
  return database;
}

/** Starts the server of a built project, and sends it requests over both protocols. */
async function expectServing(server: string, database: TestDatabase): Promise<void> {
  const running = await startGeneratedServer(server, { DATABASE_URL: database.url }, ['npm', 'start']);
  try {
    const rest = await fetch(`${running.base}/api/v1/issues?id=eq.1&select=title`, {
      headers: { 'Accept-Profile': 'kanban' },
    });
    expect(await rest.json()).toMatchObject({ data: [{ title: 'Show a clear error when the checkout form fails' }] });
    const graphql = await fetch(`${running.base}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ shopProductsByPk(id: 1) { name price } }' }),
    });
    expect(await graphql.json()).toEqual({ data: { shopProductsByPk: { name: 'Oak desk 140', price: 489 } } });
  } finally {
    await running.stop();
  }
}

/** The status of each page for browsers. */
async function pages(
  server: string,
  database: TestDatabase,
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const running = await startGeneratedServer(server, { DATABASE_URL: database.url, ...environment });
  const found: Record<string, number> = {};
  try {
    for (const path of ['/', '/console/explorer', '/graphql'])
      found[path] = (await fetch(running.base + path, { headers: { accept: 'text/html' } })).status;
  } finally {
    await running.stop();
  }
  return found;
}

const generatedTexts = (server: string): Promise<Record<string, string>> => texts(join(server, 'src/generated'));

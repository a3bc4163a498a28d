import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { markdownBlocks } from '../support/readme.js';
import { succeed } from '../support/program.js';
import { startGeneratedServer } from '../support/running-server.js';

const checkout = join(import.meta.dirname, '../..');

/** What a stranger does with the published package, in an empty folder far from this checkout. */
describe('the packed tool, installed in an empty folder', () => {
  let folder: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablewright-packed-'));
    database = await createTestDatabase('demo_packed');
    for (const name of ['schema.sql', 'seed.sql']) {
      await loadSql(database.url, await readFile(join(checkout, 'demo', name), 'utf8'));
    }
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('generates a project that installs, builds and serves both protocols', async () => {
    // --ignore-scripts: prepack builds, and other suites read dist/ at the same time. `npm test` has built it.
    await succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: checkout });
    const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await succeed('npm', ['install', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
    // The README's own commands, up to the one that starts the server.
    const [block] = markdownBlocks('README.md', 'Your own database');
    const lines = (block?.text ?? '').split('\n');
    expect(lines.at(-1)).toBe('DATABASE_URL=postgres://me@localhost/shop npm start');
    const commands = lines.slice(0, -1).map((line) => line.replace('postgres://me@localhost/shop', database.url));
    await succeed('sh', ['-ec', commands.join('\n')], { cwd: folder });

    const server = join(folder, 'server');
    const written = await readFile(join(server, 'package.json'), 'utf8');
    expect(JSON.parse(written)).toMatchObject({ devDependencies: { tablewright: `file:../${tarball}` } });
    const [check] = markdownBlocks('README.md', 'Commit it');
    await succeed('sh', ['-ec', check?.text ?? 'false'], { cwd: server });

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
  }, 600_000);

  test('nothing but public packages and itself: no link to a folder, no path of this machine', async () => {
    const lock = await readFile(join(folder, 'server/package-lock.json'), 'utf8');
    expect(lock).not.toContain(checkout);
    expect(lock).not.toContain('"link": true');
  });
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../support/cli.js';
import { temporaryFolder, treeOf } from '../support/folders.js';
import { keepProject, type KeptProject } from '../support/kept-project.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { runProgram, succeed, type Outcome } from '../support/program.js';

const schema = `
  create schema kanban;
  create schema shop;
  create table kanban.users (id int primary key, name text not null);
  create table kanban.issues (id int primary key, title text, assignee_id int references kanban.users);
  create view kanban.titles as select title from kanban.issues;
  create table shop.products (id int primary key, price numeric(10, 2));
`;

let database: TestDatabase;
let folder: string;
let remove: () => Promise<void>;
let kept: KeptProject;

beforeAll(async () => {
  database = await createTestDatabase('cli');
  await loadSql(database.url, schema);
  kept = await keepProject(database.url);
});
afterAll(async () => {
  await database.drop();
  await kept.remove();
});
beforeEach(async () => {
  await loadSql(database.url, `drop schema if exists kanban, shop cascade; ${schema}`);
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const run = (...args: string[]): Promise<Outcome> =>
  tablewright(args, { cwd: folder, env: { DATABASE_URL: database.url } });

const generateFirst = (): Promise<void> => kept.copyTo(folder);

const json = ({ stdout }: Outcome): unknown => JSON.parse(stdout);

const generated = (path: string): string => join(folder, 'server', 'src', 'generated', path);

describe('generate', () => {
  test('writes a project, says what to do next, and nothing on standard error', async () => {
    const outcome = await run('generate', '--out', 'server');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^server written: 4 tables, files \d+ added\.\nYours from now on: .*package\.json/);
    expect(outcome.stdout).toContain('  cd server\n  npm install\n  npm run build\n');
    const tree = await treeOf(join(folder, 'server'));
    for (const path of ['package.json', 'tsconfig.json', 'src/main.ts', '.gitignore', 'src/generated/catalog.json']) {
      expect(tree).toHaveProperty([path]);
    }
    expect(Object.keys(tree).filter((path) => path.includes('.tablewright'))).toEqual([]);
  });

  test('leaves no address, password or machine path behind', async () => {
    const url = new URL(database.url);
    url.searchParams.set('application_name', 'sesame');
    await tablewright(['generate', '--url', url.href, '--out', 'server'], { cwd: folder });
    for (const [path, text] of Object.entries(await treeOf(join(folder, 'server')))) {
      expect([path, text.includes('sesame') || text.includes(folder) || text.includes(url.host)]).toEqual([
        path,
        false,
      ]);
    }
  });

  test('after a merge with conflicts it says so, and writes what the database is', async () => {
    await generateFirst();
    const git = (...args: string[]): Promise<Outcome> =>
      runProgram('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: join(folder, 'server') });
    const commit = async (sql: string, branch: string): Promise<void> => {
      await git('checkout', '-q', '-b', branch, 'first');
      await loadSql(database.url, `drop schema kanban, shop cascade; ${schema}; ${sql}`);
      expect(await run('generate', '--out', 'server')).toMatchObject({ code: 0, stderr: '' });
      await git('commit', '-qam', branch);
    };
    await git('init', '-q', '-b', 'first');
    await git('add', '.');
    await git('commit', '-qm', 'first');
    await commit('alter table shop.products add one int; alter table kanban.users add a int', 'ours');
    await commit('alter table shop.products add two int; alter table kanban.issues add b int', 'theirs');
    expect(await git('merge', 'ours')).toMatchObject({ code: 1 });
    const checked = await run('check', '--offline', '--out', 'server');
    expect(checked).toMatchObject({ code: 1, stdout: '' });
    expect(checked.stderr).toContain('catalog.json has conflict markers.');
    expect(checked.stderr).toContain('Run `tablewright generate`');
    await loadSql(database.url, 'alter table shop.products add one int; alter table kanban.users add a int');
    const { code, stdout, stderr } = await run('generate', '--out', 'server');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('change  src/generated/shop/products.table.ts  (conflict markers)\n');
    expect(await readFile(generated('catalog.json'), 'utf8')).not.toContain('<<<<<<<');
    expect(await run('check', '--out', 'server')).toMatchObject({ code: 0 });
  });

  test('a second run touches nothing', async () => {
    await generateFirst();
    const before = await treeOf(join(folder, 'server'));
    const outcome = await run('generate', '--out', 'server');
    expect(outcome.stdout).toMatch(/^server is up to date: 4 tables, \d+ files\.\n$/);
    expect(await treeOf(join(folder, 'server'))).toEqual(before);
  });

  test('a second run touches nothing for facts that few schemas have', async () => {
    await loadSql(
      database.url,
      `create function shop.dearest() returns setof shop.products rows 1 language sql stable
         as 'select * from shop.products order by price desc limit 1';
       create view shop.names as select id, price from shop.products;
       create domain shop."image/png" as bytea;
       create function shop.to_png(shop."image/png", shop.names) returns shop."image/png" language sql as 'select $1';
       create aggregate shop.png (shop.names) (sfunc = shop.to_png, stype = shop."image/png");`,
    );
    expect(await run('generate', '--out', 'server')).toMatchObject({ code: 0 });
    const before = await treeOf(join(folder, 'server'));
    expect(await run('check', '--offline', '--out', 'server')).toMatchObject({ code: 0 });
    expect(await run('generate', '--out', 'server')).toMatchObject({ code: 0, stderr: '' });
    expect(await treeOf(join(folder, 'server'))).toEqual(before);
  });

  test('remembers the schemas that were chosen', async () => {
    await run('generate', '--schemas', 'kanban', '--out', 'server');
    expect(await readFile(join(folder, 'server', 'tablewright.config.ts'), 'utf8')).toContain("schemas: ['kanban']");
    const again = await tablewright(['generate'], { cwd: join(folder, 'server'), env: { DATABASE_URL: database.url } });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('. is up to date') as string });
  });

  test('never replaces what is the user’s', async () => {
    await generateFirst();
    const own = ['package.json', 'src/main.ts', 'src/custom/index.ts'].map((path) => join(folder, 'server', path));
    for (const path of own) await writeFile(path, 'mine');
    await loadSql(database.url, 'alter table shop.products add weight int');
    expect(await run('generate', '--out', 'server')).toMatchObject({ code: 0 });
    for (const path of own) expect(await readFile(path, 'utf8')).toBe('mine');
  });

  test('lists what a change of the database changes, and removes what is stale', async () => {
    await generateFirst();
    await loadSql(database.url, 'drop table shop.products; create table shop.orders (id int primary key)');
    const { stdout } = await run('generate', '--out', 'server');
    expect(stdout).toContain('  add     src/generated/shop/orders.table.ts\n');
    expect(stdout).toContain('  delete  src/generated/shop/products.table.ts\n');
    expect(stdout).toContain('  change  src/generated/catalog.json\n');
    expect(stdout).toContain(' unchanged.\n');
  });

  test('--dry-run writes nothing', async () => {
    const outcome = await run('generate', '--out', 'server', '--dry-run');
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('server would be written: 4 tables');
    expect(await treeOf(folder)).toEqual({});
  });

  test('--json prints one document', async () => {
    const outcome = await run('generate', '--out', 'server', '--json');
    expect(json(outcome)).toMatchObject({
      folder: 'server',
      written: true,
      counts: { change: 0, delete: 0, keep: 0 },
      files: expect.arrayContaining([
        { path: 'package.json', action: 'add', edited: false },
        { path: 'src/generated/manifest.json', action: 'add', edited: false },
      ]) as unknown[],
    });
    expect(json(await run('generate', '--out', 'server', '--json'))).toMatchObject({ files: [], counts: { add: 0 } });
  });

  test('--verbose tells the time of each stage on standard error', async () => {
    const { stderr } = await run('generate', '--out', 'server', '--verbose');
    expect(stderr).toMatch(/✔ Read the database \d+\.\d\d s\n/);
    expect(stderr).toMatch(/✔ Write the files \d+\.\d\d s\n/);
  });

  test('--force replaces an edited file', async () => {
    await generateFirst();
    const before = await readFile(generated('index.ts'), 'utf8');
    await writeFile(generated('index.ts'), `${before}// mine\n`);
    expect(await run('generate', '--out', 'server', '--force')).toMatchObject({ code: 0 });
    expect(await readFile(generated('index.ts'), 'utf8')).toBe(before);
  });
});

describe('check', () => {
  beforeEach(generateFirst);

  test('0: nothing differs', async () => {
    expect(await run('check', '--out', 'server')).toEqual({ code: 0, stdout: 'server is up to date.\n', stderr: '' });
    expect(json(await run('check', '--out', 'server', '--json'))).toMatchObject({ upToDate: true, differences: [] });
  });

  test('2: something differs that breaks no client; the command that mends it', async () => {
    await loadSql(database.url, 'alter table kanban.issues add priority int');
    const outcome = await run('check', '--out', 'server');
    expect(outcome.code).toBe(2);
    expect(outcome.stdout).toContain('change  src/generated/kanban/issues.table.ts\n');
    expect(outcome.stdout).toContain('  harmless  ');
    expect(outcome.stdout).toContain('To update them: npx tablewright generate --out server\n');
    await run('generate', '--out', 'server');
    expect(await run('check', '--out', 'server')).toMatchObject({ code: 0 });
  });

  test('3: something differs that may break a client', async () => {
    await loadSql(database.url, 'alter table kanban.users drop column name');
    const outcome = await run('check', '--out', 'server', '--json');
    expect(outcome.code).toBe(3);
    expect(json(outcome)).toMatchObject({
      upToDate: false,
      breaking: true,
      changes: [{ type: 'COLUMN_REMOVED', breaking: true }],
      command: 'npx tablewright generate --out server',
    });
  });

  test('writes nothing, whatever it finds', async () => {
    await loadSql(database.url, 'drop table shop.products');
    const before = await treeOf(folder);
    await run('check', '--out', 'server');
    await run('diff', '--out', 'server');
    expect(await treeOf(folder)).toEqual(before);
  });

  test('an edited file is a difference, also without a database', async () => {
    await writeFile(generated('index.ts'), 'mine');
    for (const args of [['check'], ['check', '--offline', '--url', 'postgres://nobody@127.0.0.1:1/x']]) {
      const outcome = await run(...args, '--out', 'server');
      expect(outcome.code).toBe(2);
      expect(outcome.stdout).toContain('change  src/generated/index.ts  (edited by hand)\n');
      expect(outcome.stdout).toContain('--force\n');
    }
  });

  test('--offline does not notice the database', async () => {
    await loadSql(database.url, 'drop table shop.products');
    expect(await run('check', '--offline', '--out', 'server')).toMatchObject({ code: 0 });
  });

  test('a change of the configuration is a difference', async () => {
    await writeFile(join(folder, 'server', 'tablewright.config.ts'), "export default { exclude: ['shop.*'] };\n");
    expect(await run('check', '--offline', '--out', 'server')).toMatchObject({ code: 2 });
  });

  test('a project that was never generated differs wholly', async () => {
    expect(await run('check', '--out', 'other')).toMatchObject({ code: 2 });
    expect(await run('check', '--out', 'other', '--offline')).toMatchObject({ code: 1 });
  });
});

describe('diff', () => {
  beforeEach(generateFirst);

  test('nothing to show', async () => {
    expect(await run('diff', '--out', 'server')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('is a patch that makes what generate would write', async () => {
    await loadSql(database.url, 'alter table kanban.users add email text; drop table shop.products');
    const { code, stdout } = await run('diff', '--out', 'server');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^--- a\/src\/generated\/catalog\.json$/m);
    expect(stdout).toMatch(/^\+\+\+ \/dev\/null$/m);
    expect(stdout).toMatch(/^\+.*email/m);
    await writeFile(join(folder, 'changes.patch'), stdout);
    const patched = await runProgram('git', ['apply', '--directory=server', 'changes.patch'], { cwd: folder });
    expect(patched).toMatchObject({ code: 0 });
    expect(await run('check', '--out', 'server')).toMatchObject({ code: 0 });
  });

  test('colours only where asked', async () => {
    await loadSql(database.url, 'alter table kanban.users add email text');
    expect((await run('diff', '--out', 'server')).stdout).not.toContain('\u001b[');
    const colored = await tablewright(['diff', '--out', 'server'], {
      cwd: folder,
      env: { DATABASE_URL: database.url, FORCE_COLOR: '1' },
    });
    expect(colored.stdout).toContain('\u001b[32m+');
  });

  test('--json has the diff of each file', async () => {
    await loadSql(database.url, 'alter table kanban.users add email text');
    const outcome = await run('diff', '--out', 'server', '--json');
    expect(outcome.code).toBe(2);
    expect(json(outcome)).toMatchObject({
      differences: expect.arrayContaining([
        {
          path: 'src/generated/catalog.json',
          action: 'change',
          edited: false,
          diff: expect.stringContaining('"email"') as string,
        },
      ]) as unknown[],
    });
  });
});

describe('inspect', () => {
  test('a table a person can read', async () => {
    const { code, stdout, stderr } = await run('inspect');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^table +kind +columns +key +refs +policies +rights\n/);
    expect(stdout).toMatch(/^kanban\.issues +table +3 +id +1 +- +rawd$/m);
    expect(stdout).toMatch(/^kanban\.titles +view +1 +- +- +-/m);
    expect(await treeOf(folder)).toEqual({});
  });

  test('one schema, one table, and the nearest name', async () => {
    const schema = await run('inspect', '--schema', 'shop');
    expect(schema.stdout).toContain('shop.products');
    expect(schema.stdout).not.toContain('kanban.');
    const table = await run('inspect', '--table', 'kanban.issues');
    expect(table.stdout).toMatch(/^kanban\.issues: table, /);
    expect(table.stdout).toMatch(/^id +integer +key, not null$/m);
    expect(table.stdout).toContain('→ kanban.users');
    expect(await run('inspect', '--table', 'isues')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "issues"?') as string,
    });
    for (const line of `${schema.stdout}${table.stdout}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('the catalogue as JSON', async () => {
    const outcome = await run('inspect', '--json', '--schemas', 'shop');
    expect(json(outcome)).toMatchObject({
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      catalog: { dialect: 'postgres', tables: [{ schema: 'shop', name: 'products' }] },
    });
  });

  test('--offline shows the committed one', async () => {
    await generateFirst();
    const outcome = await run('inspect', '--offline', '--out', 'server', '--url', 'postgres://nobody@127.0.0.1:1/x');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('shop.products') as string });
  });
});

describe('diagram', () => {
  test('Mermaid on standard output, of the database or of the committed catalogue', async () => {
    const { code, stdout, stderr } = await run('diagram');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^erDiagram\n/);
    expect(stdout).toContain('["kanban.issues"]');
    expect(stdout).toMatch(/ \|o--o\{ t\d+ : "assignee_id"$/m);
    await generateFirst();
    const offline = await run('diagram', '--offline', '--out', 'server', '--url', 'postgres://nobody@127.0.0.1:1/x');
    expect(offline).toMatchObject({ code: 0, stdout });
  });

  test('a file in the form that its name says', async () => {
    const svg = await run('diagram', '--output', 'all.svg');
    expect(svg).toMatchObject({ code: 0, stderr: '', stdout: 'all.svg: 4 tables, 1 foreign keys\n' });
    expect(await readFile(join(folder, 'all.svg'), 'utf8')).toMatch(/^<svg [\s\S]*data-table[\s\S]*<\/svg>\n$/);
    const dbml = await run('diagram', '--output', 'all.dbml', '--schema', 'kanban', '--json');
    expect(json(dbml)).toEqual({ format: 'dbml', tables: 3, references: 1 });
    expect(await readFile(join(folder, 'all.dbml'), 'utf8')).toContain('Table "kanban"."users" {');
  });

  test('a table with its neighbours', async () => {
    const users = await run('diagram', '--table', 'users', '--format', 'dbml');
    expect(users.stdout.match(/^Table .*$/gm)).toEqual(['Table "kanban"."issues" {', 'Table "kanban"."users" {']);
    expect((await run('diagram', '--table', 'products')).stdout.match(/\["/g)).toHaveLength(1);
  });

  test('what it cannot do, it says', async () => {
    expect(await run('diagram', '--output', 'all.png')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('End it in .svg, .mmd or .dbml') as string,
    });
    expect(await run('diagram', '--output', 'nowhere/all.svg')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('OUTPUT_FAILED') as string,
    });
    expect(await run('diagram', '--format', 'png')).toMatchObject({ code: 1 });
    expect(await run('diagram', '--table', 'isues')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "issues"?') as string,
    });
  });
});

test('a package.json with TypeScript 7 and graphql 17 gets no ESLint, and hears of graphql', async () => {
  const own = { dependencies: { graphql: '^17.1.0' }, devDependencies: { typescript: '^7.0.2' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', type: 'module', ...own }));
  const { code, stdout, stderr } = await run('generate', '--out', '.');
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /versions that the server is not made for: graphql \^17\.1\.0 instead of \^16\.\S+\.\n +Run `npm install graphql@\^16/,
    ) as string,
  });
  expect(stdout).not.toContain('eslint@');
  expect(await readFile(join(folder, 'package.json'), 'utf8')).not.toContain('"lint"');
  expect(await run('generate', '--out', '.')).toMatchObject({ code: 0, stderr: '' });
});

describe('init', () => {
  test('writes a project without a database, asks nothing when nobody can answer, and replaces nothing', async () => {
    await writeFile(join(folder, 'package.json'), 'mine');
    const outcome = await run('init');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^\. written: .*tablewright\.config\.ts/);
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('mine');
    // The SQL for subscriptions has the names of the database's own tables, so it can be pasted as
    // it is.
    expect(outcome.stdout).toContain("  alter system set wal_level = 'logical';");
    expect(outcome.stdout).toContain('  create publication tablewright for table ');
    expect(outcome.stdout).toContain('  create role tablewright_changes login replication ');
    expect(outcome.stdout).toContain('--source notify');
    expect((await run('init')).stdout).toContain('has all the files of a project already');
  });

  test('writes a workflow for GitHub, which generate does not', async () => {
    const workflow = '.github/workflows/tablewright.yml';
    await generateFirst();
    expect(await treeOf(join(folder, 'server'))).not.toHaveProperty([workflow]);
    const { stdout } = await run('init', '--out', 'server');
    expect(stdout).toContain('add your migrations to package.json as the script "migrate".');
    expect(await treeOf(join(folder, 'server'))).toHaveProperty([workflow]);
  });

  test('names the folder of the workflow from the root of the repository', async () => {
    const project = join(folder, 'packages/api');
    await mkdir(project, { recursive: true });
    await succeed('git', ['init', '--quiet'], { cwd: folder });
    const { stdout } = await tablewright(['init', '--yes'], { cwd: project });
    expect(stdout).toContain('move it there, and name packages/api in it.');
  });

  test('flags answer its questions', async () => {
    const outcome = await run('init', '--out', 'My Server', '--schemas', 'kanban,shop', '--yes', '--json');
    expect(json(outcome)).toMatchObject({ folder: 'My Server', written: expect.any(Array) as unknown[] });
    const project = join(folder, 'My Server');
    expect(await readFile(join(project, 'tablewright.config.ts'), 'utf8')).toContain("schemas: ['kanban', 'shop']");
    expect(await readFile(join(project, 'package.json'), 'utf8')).toContain('"name": "my-server"');
  });

  test('writes nothing for schemas that are empty', async () => {
    const outcome = await run('init', '--out', 'empty', '--schemas', '', '--yes', '--json');
    expect(outcome.code).toBe(1);
    expect(JSON.stringify(outcome)).toContain('CONFIG_INVALID');
    expect(existsSync(join(folder, 'empty'))).toBe(false);
  });

  test('makes a folder that is in use a project', async () => {
    await writeFile(join(folder, 'index.html'), '');
    expect(await run('generate')).toMatchObject({ code: 1 });
    await run('init', '--yes');
    expect(await run('generate')).toMatchObject({ code: 0 });
  });
});

describe('help', () => {
  test.each(['init', 'generate', 'check', 'diff', 'inspect', 'dev', 'demo', 'eject'])(
    '%s --help shows an example',
    async (name) => {
      const outcome = await run(name, '--help');
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout).toContain(`Examples:\n  tablewright ${name}`);
      expect(outcome.stdout).toContain('Exit codes:\n  0 ');
    },
  );

  test('the version, and the help itself', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Commands:') as string });
    expect(await run()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Commands:') as string });
  });
});

import { chmod, mkdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, tablewright, tablewrightProcess } from '../support/cli.js';
import { fakePostgres, type FakePostgres } from '../support/fake-postgres.js';
import { temporaryFolder, treeOf } from '../support/folders.js';
import { keepProject, type KeptProject } from '../support/kept-project.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { runProgram, type Outcome } from '../support/program.js';

/**
 * Mistakes that users make. Each ends with exit code 1, an error code and a hint, and changes no
 * file.
 */

let database: TestDatabase;
let folder: string;
let remove: () => Promise<void>;
let fake: FakePostgres | undefined;
let kept: KeptProject;

beforeAll(async () => {
  database = await createTestDatabase('cli_bad');
  await loadSql(
    database.url,
    `create schema kanban;
     create table kanban.users (id int primary key, name text);
     create table kanban.issues (id int primary key, title text);
     create schema empty;`,
  );
  kept = await keepProject(database.url);
});
afterAll(async () => {
  await database.drop();
  await kept.remove();
});
beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  fake = undefined;
});
afterEach(async () => {
  await fake?.close();
  await remove();
});

interface Failure {
  readonly code: string;
  readonly message: RegExp;
  readonly hint: RegExp;
}

function assertFailure(outcome: Outcome, { code, message, hint }: Failure): void {
  expect(outcome.code).toBe(1);
  expect(outcome.stdout).toBe('');
  const [first = '', ...lines] = outcome.stderr.split('\n');
  // The quoted lines of a file around its mistake come before the hint.
  const second = lines.find((line) => !/^ {6}[> ] +\d* \|/.test(line)) ?? '';
  expect(first).toMatch(new RegExp(`^error ${code} `));
  expect(first).toMatch(message);
  expect(second).toMatch(hint);
  expect(outcome.stderr).not.toContain('    at ');
  expect(outcome.stderr).not.toContain('sesame');
}

/** Runs `generate`, and asserts its failure and that no file on the disk has changed. */
async function fails(args: readonly string[], failure: Failure, url = database.url): Promise<void> {
  const before = await treeOf(folder);
  const outcome = await tablewright(['generate', '--url', url, '--out', 'server', ...args], { cwd: folder });
  assertFailure(outcome, failure);
  expect(await treeOf(folder)).toEqual(before);
}

const generateFirst = (): Promise<void> => kept.copyTo(folder);

const generated = (path: string): string => join(folder, 'server', 'src', 'generated', path);

describe('the database', () => {
  const unreachable = { code: 'DATABASE_UNREACHABLE', message: /127\.0\.0\.1:1/, hint: /server runs/ };

  test('nobody listens', async () => {
    await fails([], unreachable, 'postgres://me:sesame@127.0.0.1:1/shop');
  });

  test('an existing project survives that', async () => {
    await generateFirst();
    await fails([], unreachable, 'postgres://me:sesame@127.0.0.1:1/shop');
  });

  test('an unknown host', async () => {
    const failure = { code: 'DATABASE_UNREACHABLE', message: /nowhere\.invalid/, hint: /host/ };
    await fails([], failure, 'postgres://me:sesame@nowhere.invalid/shop');
  });

  test('a wrong password', async () => {
    fake = await fakePostgres('wrong password');
    await fails([], { code: 'DATABASE_AUTHENTICATION', message: /refused/, hint: /password/ }, fake.url);
  });

  test('an unknown database', async () => {
    const url = new URL(database.url);
    url.pathname = '/there_is_no_such_database';
    const failure = { code: 'DATABASE_UNKNOWN', message: /"there_is_no_such_database"/, hint: /createdb/ };
    await fails([], failure, url.href);
  });

  test('an unsupported version', async () => {
    fake = await fakePostgres('version 12');
    await fails([], { code: 'DATABASE_UNSUPPORTED', message: /12/, hint: /13/ }, fake.url);
  });

  test('another kind of database', async () => {
    await fails(
      [],
      { code: 'DATABASE_UNSUPPORTED', message: /oracle/, hint: /postgres:\/\// },
      'oracle://me:sesame@host/x',
    );
  });

  test('an address that is none', async () => {
    await fails([], { code: 'USAGE', message: /address/, hint: /postgres:\/\// }, 'shop');
  });

  test('no address', async () => {
    const outcome = await tablewright(['generate', '--out', 'server'], { cwd: folder });
    assertFailure(outcome, { code: 'USAGE', message: /No database/, hint: /--url.*DATABASE_URL/ });
    expect(await treeOf(folder)).toEqual({});
  });

  test('an unknown schema', async () => {
    await fails(['--schemas', 'kanbam'], { code: 'SCHEMA_UNKNOWN', message: /kanbam/, hint: /kanban/ });
  });

  test('no table', async () => {
    await fails(['--schemas', 'empty'], { code: 'NOTHING_TO_GENERATE', message: /empty/, hint: /--schemas/ });
  });

  test('no readable table', async () => {
    const role = `cli_bad_${String(process.pid)}`;
    await loadSql(database.url, `create role ${role} login`);
    try {
      const url = new URL(database.url);
      url.username = role;
      const failure = { code: 'NOTHING_TO_GENERATE', message: /may read none of the 2 tables/, hint: /GRANT SELECT/ };
      await fails([], failure, url.href);
    } finally {
      await loadSql(database.url, `drop role ${role}`);
    }
  });
});

describe('the configuration', () => {
  const withConfig = async (text: string, failure: Failure): Promise<void> => {
    await writeFile(join(folder, 'tablewright.config.json'), text);
    await fails([], failure);
  };

  test('an unknown key', () =>
    withConfig('{"app.max-row": 5}', {
      code: 'CONFIG_UNKNOWN_KEY',
      message: /"app\.max-row" in tablewright\.config\.json/,
      hint: /"app\.max-rows"/,
    }));

  test('a wrong value', () =>
    withConfig('{"app.max-rows": "many"}', {
      code: 'CONFIG_INVALID',
      message: /app\.max-rows .* whole number, 1 or more, but is text/,
      hint: /docs\/configuration\.md/,
    }));

  test('a misspelt value', () =>
    withConfig('{"enumOutput": "uper"}', {
      code: 'CONFIG_INVALID',
      message: /enumOutput .* one of label, upper/,
      hint: /Did you mean "upper"/,
    }));

  test('a file that is not JSON', () =>
    withConfig('{"url": "postgres://me:sesame@host/x"', {
      code: 'CONFIG_UNREADABLE',
      message: /not JSON/,
      hint: /--config/,
    }));

  test('a file that is not there', () =>
    fails(['--config', 'absent.ts'], {
      code: 'CONFIG_UNREADABLE',
      message: /absent\.ts.*no such file/,
      hint: /--config/,
    }));

  test('a name in exclude that matches nothing, unless it is marked', async () => {
    const exclude = ['kanban.isues', 'kanban.users.nam', 'kanban.gone_*'];
    await withConfig(JSON.stringify({ exclude: [...exclude, { name: 'kanban.old', ifExists: true }] }), {
      code: 'CONFIG_INVALID',
      message: /kanban\.isues, kanban\.users\.nam, kanban\.gone_\*, but/,
      hint: /ifExists: true/,
    });
    const marked = [
      { name: 'kanban.users.name', ifExists: true },
      ...exclude.map((name) => ({ name, ifExists: true })),
    ];
    await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify({ exclude: marked }));
    const args = ['generate', '--url', database.url, '--out', 'server', '--schemas', 'kanban'];
    const outcome = await tablewright(args, { cwd: folder });
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.not.stringContaining('gone')]);
    expect(await readFile(generated('schema.graphql'), 'utf8')).not.toMatch(/^ {2}name: /m);
  });

  test('schemas that are none: an unset variable of a pipeline', async () => {
    const failure = { code: 'CONFIG_INVALID', message: /is empty/, hint: /./ };
    await fails(['--schemas', ''], failure);
    const args = ['generate', '--url', database.url, '--out', 'server'];
    assertFailure(await tablewright(args, { cwd: folder, env: { APP_SCHEMAS: '' } }), failure);
    expect(await treeOf(folder)).toEqual({});
  });

  test('a file in a form that is not read', async () => {
    await writeFile(join(folder, 'tablewright.config.toml'), 'exclude = ["kanban.users"]');
    await fails([], { code: 'CONFIG_UNREADABLE', message: /tablewright\.config\.toml/, hint: /--config/ });
  });

  test('two tables of one name', () =>
    withConfig('{"rename": {"kanban.users": {"name": "Thing"}, "kanban.issues": {"name": "Thing"}}}', {
      code: 'NAME_COLLISION',
      message: /Thing/,
      hint: /rename/,
    }));
});

describe('the folder', () => {
  test('a folder with something else in it', async () => {
    await mkdir(join(folder, 'server'));
    await writeFile(join(folder, 'server', 'thesis.doc'), 'years of work');
    await fails([], { code: 'OUTPUT_FOREIGN', message: /thesis\.doc/, hint: /--out.*init/ });
    await fails(['--force'], { code: 'OUTPUT_FOREIGN', message: /thesis\.doc/, hint: /--out.*init/ });
  });

  test('src/generated of another tool', async () => {
    await mkdir(join(folder, 'server', 'src', 'generated'), { recursive: true });
    await writeFile(join(folder, 'server', 'tablewright.config.json'), '{}');
    await writeFile(generated('client.ts'), 'export {};');
    await fails(['--force'], { code: 'OUTPUT_FOREIGN', message: /client\.ts/, hint: /--out/ });
  });

  test('a file where the folder should be', async () => {
    await writeFile(join(folder, 'server'), '');
    await fails([], { code: 'OUTPUT_FOREIGN', message: /is a file/, hint: /--out/ });
  });

  test('a file of the user’s where one of ours must go', async () => {
    await generateFirst();
    await loadSql(database.url, 'create table kanban.notes (id int primary key)');
    try {
      await writeFile(generated('kanban/notes.table.ts'), 'my notes');
      await fails(['--force'], { code: 'OUTPUT_FOREIGN', message: /kanban\/notes\.table\.ts/, hint: /Move it/ });
      await unlink(generated('kanban/notes.table.ts'));
      await symlink('/etc/passwd', generated('kanban/notes.table.ts'));
      await fails(['--force'], { code: 'OUTPUT_FOREIGN', message: /kanban\/notes\.table\.ts/, hint: /Move it/ });
    } finally {
      await loadSql(database.url, 'drop table kanban.notes');
    }
  });

  test('a generated file that was edited', async () => {
    await generateFirst();
    await writeFile(generated('index.ts'), 'mine');
    await fails([], { code: 'OUTPUT_EDITED', message: /src\/generated\/index\.ts/, hint: /--force/ });
  });

  test('no permission to write', async () => {
    await mkdir(join(folder, 'server'));
    await chmod(join(folder, 'server'), 0o555);
    const before = await treeOf(folder);
    const args = [bin, 'generate', '--url', database.url, '--out', 'server'];
    const outcome = await asOrdinaryUser(args);
    assertFailure(outcome, { code: 'OUTPUT_PERMISSION', message: /permission denied/, hint: /--out/ });
    expect(await treeOf(folder)).toEqual(before);
    await chmod(join(folder, 'server'), 0o755);
  });

  test('no permission below, discovered midway', async () => {
    await generateFirst();
    await loadSql(database.url, 'alter table kanban.users add email text');
    try {
      await chmod(generated('kanban'), 0o555);
      const before = await treeOf(folder);
      const outcome = await asOrdinaryUser([bin, 'generate', '--url', database.url, '--out', 'server']);
      assertFailure(outcome, { code: 'OUTPUT_PERMISSION', message: /permission denied/, hint: /No|Give/ });
      expect(await treeOf(folder)).toEqual(before);
    } finally {
      await chmod(generated('kanban'), 0o755);
      await loadSql(database.url, 'alter table kanban.users drop column email');
    }
  });

  test('a disk that is full midway', async () => {
    // A file size limit stops the largest files, after others are written, as a full disk does.
    const args = ['--fsize=8192', process.execPath, bin, 'generate', '--url', database.url, '--out', 'server'];
    const outcome = await runProgram('prlimit', args, { cwd: folder });
    assertFailure(outcome, { code: 'OUTPUT_DISK_FULL', message: /no space left/, hint: /Free disk space/ });
    expect(await treeOf(folder)).toEqual({});
  });

  test('two runs at once', async () => {
    await generateFirst();
    fake = await fakePostgres('silent');
    const controller = new AbortController();
    const first = tablewrightProcess(['generate', '--url', fake.url, '--out', 'server'], { cwd: folder });
    await fake.connected;
    const second = await tablewright(['generate', '--url', database.url, '--out', 'server'], { cwd: folder });
    assertFailure(second, { code: 'OUTPUT_LOCKED', message: /Another run.*process \d+/, hint: /\.tablewright\.lock/ });
    await fake.close();
    fake = undefined;
    controller.abort();
    assertFailure(await first, { code: 'DATABASE_UNREACHABLE', message: /./, hint: /./ });
    expect(Object.keys(await treeOf(folder)).filter((path) => path.includes('.tablewright'))).toEqual([]);
  });

  test('the lock of a run that was killed is taken over', async () => {
    await generateFirst();
    const lock = join(folder, 'server', '.tablewright.lock');
    const { stdout } = await runProgram('hostname', []);
    await writeFile(lock, JSON.stringify({ pid: 4_000_000, host: stdout.trim(), run: 'gone' }));
    const outcome = await tablewright(['generate', '--url', database.url, '--out', 'server'], { cwd: folder });
    expect(outcome.code).toBe(0);
    await rm(lock, { force: true });
  });
});

describe('the command line', () => {
  test.each([
    [['generate', '--schema', 'a'], /Unknown option '--schema'/, /--schemas/],
    [['generat'], /Unknown command 'generat'/, /generate/],
    [['generate', 'stray'], /too many arguments/i, /--help/],
    [['generate', '--url'], /argument missing/, /--help/],
    [['generate', '--watch', '--json'], /--json.*--watch/, /Leave one/],
    [['generate', '--watch', '--interval', 'often'], /--interval.*'often' is invalid/, /--help/],
    [['demo', '--port', '70000'], /--port.*invalid/, /--help/],
  ])('%j', async (args, message, hint) => {
    const outcome = await tablewright(args, { cwd: folder });
    const json = args.includes('--json');
    if (json) {
      expect(outcome.code).toBe(1);
      const { error } = JSON.parse(outcome.stdout) as { error: { code: string; message: string; hint: string } };
      expect(error.code).toBe('USAGE');
      expect(error.message).toMatch(message);
      expect(error.hint).toMatch(hint);
    } else {
      assertFailure(outcome, { code: 'USAGE', message, hint });
    }
    expect(await treeOf(folder)).toEqual({});
  });

  test('an error as JSON', async () => {
    const url = 'postgres://me:sesame@127.0.0.1:1/shop';
    const outcome = await tablewright(['inspect', '--url', url, '--json'], { cwd: folder });
    expect(outcome).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'DATABASE_UNREACHABLE' } });
    expect(outcome.stdout).not.toContain('sesame');
  });

  test('an address that can be read in two ways is neither used nor shown', async () => {
    for (const scheme of ['postgres', 'mysql']) {
      const url = `${scheme}://me:top@sesame/x@127.0.0.1/db`;
      for (const more of [[], ['--verbose']]) {
        const { code, stderr, stdout } = await tablewright(['inspect', '--url', url, ...more], { cwd: folder });
        expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringMatching(/cannot be read[^]*%40/)]);
        expect(`${stdout}${stderr}`).not.toMatch(/sesame|top@/);
      }
    }
  });

  test('--verbose shows the stack, and still no password', async () => {
    const url = 'postgres://me:sesame@127.0.0.1:1/shop';
    for (const [args, env] of [
      [['inspect', '--url', url, '--verbose'], {}],
      [['inspect', '--url', url], { DEBUG: '1' }],
    ] as const) {
      const outcome = await tablewright(args, { cwd: folder, env });
      expect(outcome.stderr).toContain('    at ');
      expect(outcome.stderr).not.toContain('sesame');
    }
  });
});

/**
 * Root may write anywhere, so where the tests run as root the program runs without that privilege.
 */
function asOrdinaryUser(args: readonly string[]): Promise<Outcome> {
  const options = { cwd: folder, env: { NO_COLOR: '1' } };
  return process.getuid?.() === 0
    ? runProgram('setpriv', ['--bounding-set=-all', '--inh-caps=-all', process.execPath, ...args], options)
    : runProgram(process.execPath, args, options);
}

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { randomBytes } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright, tablewrightProcess } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import type { Outcome } from '../support/program.js';
import { runScript } from '../support/psql.js';

const role = `doctor_e2e_${randomBytes(4).toString('hex')}`;

/** Problems of many kinds, in objects whose names need quotes. */
const schema = `
  create role ${role} login;
  create schema "My App";
  set search_path = "My App";
  create table "Users" (id int primary key, "E-Mail" text);
  create table projects (id int generated always as identity primary key, "Owner" int references "Users", title text);
  create table tasks (id int primary key, project int references projects, words tsvector, note text);
  create index on tasks (note); create index on tasks (note);
  create table log (line text);
  alter table projects enable row level security;
  create policy "own ones" on projects using ("Owner" = current_setting('request.user_id', true)::int);
  create policy titles on tasks using (true);
  create view "All" as select * from projects;
  create function f() returns int language sql security definer as 'select 1';
  create function title(project projects) returns text language sql as 'select project.title';
  select setval('projects_id_seq', 2000000000);
  grant usage on schema "My App" to ${role};
  grant select, insert, update, delete on all tables in schema "My App" to ${role};`;

let database: TestDatabase;
let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  database = await createTestDatabase('doctor_cli');
});
afterAll(async () => {
  await database.drop();
  await loadSql(new URL('/postgres', database.url).href, `drop role if exists ${role}`);
});
beforeEach(async () => {
  await loadSql(database.url, `drop schema if exists "My App" cascade; drop role if exists ${role}; ${schema}`);
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const run = (...args: string[]): Promise<Outcome> =>
  tablewright(['doctor', '--role', role, ...args], { cwd: folder, env: { DATABASE_URL: database.url } });

interface Report {
  readonly counts: Readonly<Record<'error' | 'warning' | 'info' | 'silenced', number>>;
  readonly findings: readonly {
    readonly rule: string;
    readonly object: string;
    readonly remedy: { readonly run: string; readonly note: string | null };
  }[];
  readonly silenced: readonly unknown[];
  readonly unusedSilences: readonly unknown[];
}

const report = async (...args: string[]): Promise<Report> =>
  JSON.parse((await run('--json', ...args)).stdout) as Report;

const everything = [
  'view-bypasses-policies My App.All',
  'policies-not-enabled My App.tasks',
  'policy-cast-without-nullif My App.projects.own ones',
  'sequence-near-end My App.projects_id_seq',
];

test('finds every kind, the most severe first, in at most 80 columns', async () => {
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const { findings, counts } = await report();
  const [errors, others] = [findings.slice(0, 4), findings.slice(4)];
  expect(new Set(errors.map(({ rule, object }) => `${rule} ${object}`))).toEqual(new Set(everything));
  expect(others.map(({ rule }) => rule)).toEqual([
    'definer-search-path',
    'policy-call-per-row',
    'policy-without-index',
    'foreign-key-without-index',
    'foreign-key-without-index',
    'tsvector-without-index',
    'duplicate-index',
    'table-without-key',
    'row-security-off',
    'row-security-off',
    'volatile-row-function',
  ]);
  expect(counts).toEqual({ error: 4, warning: 8, info: 3, silenced: 0 });
  expect(await report()).toMatchObject({ findings });
});

test('--sql is one script that can be run, and mends all that needs no decision', async () => {
  const before = (await report()).findings;
  const { code, stdout } = await run('--sql');
  expect(code).toBe(2);
  await runScript(database.url, stdout);
  const { findings } = await report();
  expect(findings.map(({ object }) => object)).toEqual(
    before.filter(({ remedy }) => remedy.run === 'review').map(({ object }) => object),
  );
  // The remaining findings need a decision. Their SQL runs without its dashes once the view is
  // dropped, as the script says.
  expect(findings.map(({ remedy }) => remedy.note).join()).toContain('Views and policies of the columns');
  await loadSql(database.url, 'drop view "My App"."All"');
  const rest = (await run('--sql')).stdout;
  await runScript(database.url, rest.replace(/^-- (?=(alter|create|drop|grant|revoke) )/gm, ''));
  expect(await report()).toMatchObject({ findings: [], counts: { error: 0, warning: 0, info: 0 } });
  expect((await run('--sql')).stdout).toContain('-- Nothing to fix.\n');
});

test('exit codes follow --fail-on', async () => {
  const rule = ['--rule', 'row-security-off,foreign-key-without-index'];
  const codes = await Promise.all(
    ['error', 'warning', 'info', 'never'].map(async (threshold) => (await run(...rule, '--fail-on', threshold)).code),
  );
  expect(codes).toEqual([0, 2, 2, 0]);
});

test('--rule shows all of one rule with the SQL; without it three are shown', async () => {
  const tables = Array.from({ length: 5 }, (_, at) => `create table "My App".t${at} (a text);`);
  await loadSql(database.url, tables.join(''));
  const brief = (await run()).stdout;
  expect(brief).toContain('table-without-key (6)\n');
  expect(brief).toContain('  and 3 more: tablewright doctor --rule table-without-key\n');
  const whole = (await run('--rule', 'table-without-key')).stdout;
  expect(whole.match(/alter table "My App"/g)).toHaveLength(6);
  expect(whole).not.toContain('foreign-key');
});

test('what the configuration silences is counted, and a silence of nothing is told', async () => {
  const ignore = [
    { rule: 'table-without-key', objects: ['My App.l*'], reason: 'Append only.' },
    { rule: 'row-security-off', reason: 'Later.' },
    { rule: 'duplicate-index', objects: ['gone.*'], reason: 'Was so.' },
  ];
  await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify({ doctor: { ignore } }));
  const { silenced, unusedSilences, counts, findings } = await report();
  expect(counts).toMatchObject({ silenced: 3 });
  expect(silenced).toContainEqual({ rule: 'table-without-key', object: 'My App.log', reason: 'Append only.' });
  expect(unusedSilences).toEqual([ignore[2]]);
  expect(findings.map(({ rule }) => rule)).not.toContain('row-security-off');
  const { stdout } = await run();
  expect(stdout).toContain('; 3 silenced by the configuration.\n');
  expect(stdout.replaceAll('\n', ' ')).toContain(
    'The configuration silences duplicate-index of gone.*, which the doctor no longer finds. ',
  );
});

test.each([
  [{ rule: 'table-without-ky', reason: 'x' }, 'ignore[0].rule', 'Did you mean "table-without-key"?'],
  [{ rule: 'table-without-key' }, 'ignore[0].reason in tablewright.config.json must be text that says why', ''],
  [{ rule: 'table-without-key', reasons: 'x', reason: 'y' }, 'Unknown key "reasons"', 'Did you mean "reason"?'],
])('a mistake in the configuration is told: %j', async (silence, message, hint) => {
  await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify({ doctor: { ignore: [silence] } }));
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});

test.each([
  [['--rule', 'foreign-key'], 'There is no rule "foreign-key".'],
  [['--json', '--sql'], '--sql and --json exclude each other.'],
  [['--fail-on', 'fatal'], 'Allowed choices are error, warning, info, never.'],
  [['--schemas', 'nowhere'], 'The database has no schema "nowhere".'],
  [['--role', 'nobody'], 'The database has no role "nobody".'],
])('%j is an error', async (args, message) => {
  const { code, stderr, stdout } = await run(...args);
  expect(code).toBe(1);
  expect(`${stderr}${stdout}`).toContain(message.replaceAll('"', args[0] === '--json' ? '\\"' : '"'));
});

test('a role of the settings, a verified token and `exclude` count', async () => {
  await loadSql(
    database.url,
    `drop policy "own ones" on "My App".projects; drop policy titles on "My App".tasks;
    alter table "My App".projects disable row level security`,
  );
  const settings = { 'app.security.jwt-enabled': true, 'app.datasource.username': role, exclude: ['My App.log'] };
  await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify(settings));
  const env = { DATABASE_URL: database.url };
  const { stdout } = await tablewright(['doctor', '--json'], { cwd: folder, env });
  const { findings } = JSON.parse(stdout) as Report;
  expect(findings.map(({ rule }) => rule)).not.toContain('role-bypasses-policies');
  expect(findings.filter(({ rule }) => rule === 'row-security-off')).toMatchObject([
    { object: 'My App', message: expect.stringContaining('(3 served)') as string },
  ]);
  const off = await tablewright(['doctor', '--json'], {
    cwd: folder,
    env: { ...env, APP_SECURITY_JWT_ENABLED: 'false' },
  });
  expect((JSON.parse(off.stdout) as Report).findings.map(({ rule }) => rule)).not.toContain('row-security-off');
});

test('nothing is found in the demo database: what is meant there is said in its configuration', async () => {
  const demo = join(import.meta.dirname, '../../demo');
  const data = join(folder, 'data');
  const lite = await PGlite.create(data, { extensions: { vector } });
  for (const name of ['schema.sql', 'vector.sql', 'seed.sql', 'changes.sql'])
    await lite.exec(await readFile(join(demo, name), 'utf8'));
  await lite.close();
  await copyFile(join(demo, 'tablewright.config.ts'), join(folder, 'tablewright.config.ts'));
  const outcome = await tablewrightProcess(['doctor', '--url', 'pglite:data'], { cwd: folder });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toMatch(/^Nothing found; 1 silenced by the configuration\.$/m);
});

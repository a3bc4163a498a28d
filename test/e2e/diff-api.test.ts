import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { tablewright } from '../support/cli.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { runProgram, succeed, type Outcome } from '../support/program.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { startServerHere } from '../support/server-here.js';
import { query } from '../support/served-database.js';
import { repository, transpile } from '../support/transpile.js';

/**
 * A project whose server records its requests, then a migration, and the effect of the migration on
 * the recorded clients.
 */

const schema = `
  create schema kanban;
  create type kanban.status as enum ('open', 'in_review', 'closed');
  create table kanban.users (id int primary key, name text not null, email text);
  create table kanban.issues (
    id int primary key, title text not null, status kanban.status not null default 'open',
    assignee_id int references kanban.users, note text);
  insert into kanban.users values (1, 'Ada', 'ada@example.com');
  insert into kanban.issues values (1, 'Slow', 'open', 1);
`;

const migration = `
  alter table kanban.issues rename column title to headline;
  alter type kanban.status rename value 'in_review' to 'reviewing';
  alter table kanban.users drop column email;
  alter table kanban.users add nickname text;
`;

const documents = {
  'app/board.graphql': `query Board {
  kanbanIssues(where: { status: { eq: in_review } }) {
    ...Card
  }
}
`,
  'app/card.graphql': `fragment Card on KanbanIssues {
  id
  title
}
`,
  'app/people.ts': `const people = gql\`
  query People {
    kanbanUsers { id email }
  }
\`;
`,
  'app/persisted.json': JSON.stringify(
    { one: 'query Ids { kanbanIssues { id } }', two: 'query Old { kanbanIssues { title } }' },
    undefined,
    2,
  ),
};

let database: TestDatabase;
let project: string;
let usage: string;

beforeAll(async () => {
  database = await createTestDatabase('diff_api');
  await loadSql(database.url, schema);
  project = await scratchFolder('diff-api');
  await run('generate');
  await mkdir(join(project, 'app'));
  for (const [path, text] of Object.entries(documents)) await writeFile(join(project, path), text);
  await recordUse();
  const git = (...args: readonly string[]) =>
    succeed('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: project });
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'before');
  await loadSql(database.url, migration);
});

afterAll(async () => {
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<Outcome> =>
  tablewright(args, { cwd: project, env: { DATABASE_URL: database.url } });

const diff = (...args: readonly string[]): Promise<Outcome> => run('diff', '--api', ...args);

const json = ({ stdout }: Outcome): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/**
 * Sends the generated server the same requests twice, as after a restart, and with other values.
 */
async function recordUse(): Promise<void> {
  const log = join(project, 'usage.jsonl');
  const program = await transpile({ [join(relative(repository, project), 'src')]: 'dist' });
  await mkdir(join(program.folder, 'src/generated'), { recursive: true });
  for (const name of ['openapi.json', 'catalog.json'])
    await copyFile(join(project, 'src/generated', name), join(program.folder, 'src/generated', name));
  try {
    for (const secret of ['Slow', 'Other']) {
      const server = await startServerHere(program.folder, {
        DATABASE_URL: database.url,
        APP_USAGE_LOG: log,
        APP_LOG_LEVEL: 'warn',
      });
      await query(server, `{ kanbanIssues(where: { title: { eq: "${secret}" } }) { id } }`);
      await query(server, '{ kanbanIssues { nothing } }');
      await query(server, `mutation { updateKanbanUsers(id: 1, input: { name: "${secret}" }) { id } }`);
      await fetch(`${server.base}/api/v1/issues?select=id,users(name)&note=eq.${secret}&order=title`);
      await fetch(`${server.base}/api/v1/users?id=eq.1`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', Prefer: 'return=minimal' },
        body: JSON.stringify({ email: secret }),
      });
      expect(await server.stop()).toBe(0);
    }
    usage = await readFile(log, 'utf8');
  } finally {
    await program.remove();
  }
}

test('the usage log has each kind of request once, by names and without values', () => {
  expect(usage).not.toMatch(/Slow|Other|nothing/);
  const lines = usage.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { graphql: '{ kanbanIssues(where: {title: {eq: ""}}) { id } }' },
    { graphql: 'mutation { updateKanbanUsers(id: 0, input: {name: ""}) { id } }' },
    {
      rest: {
        method: 'GET',
        table: 'kanban.issues',
        uses: { 'kanban.issues': ['id', 'kanbanAssigneeId', 'note', 'title'], 'kanban.users': ['name'] },
      },
    },
    { rest: { method: 'PATCH', table: 'kanban.users', uses: { 'kanban.users': ['email', 'id'] } } },
  ]);
});

test('text: by table and column, with the renames, and 3', async () => {
  const outcome = await diff();
  expect(outcome).toMatchObject({ code: 3, stderr: '' });
  expect(outcome.stdout).toContain(
    "breaking  kanban.issues.title is renamed to headline: it has the old column's place in the table, and added columns come last.\n" +
      '  GraphQL  KanbanIssues.title was removed.\n',
  );
  expect(outcome.stdout).toContain(
    "breaking  kanban.status.in_review is renamed to reviewing: it has the old label's place.",
  );
  expect(outcome.stdout).toContain(
    "breaking  kanban.users.email may be renamed to nickname: it has the old column's place and type.",
  );
  expect(outcome.stdout).toMatch(/^\d+ breaking, \d+ dangerous and \d+ safe changes\.$/m);
});

test('--json: every change with table, column and reason', async () => {
  const outcome = await diff('--json');
  expect(outcome.code).toBe(3);
  expect(json(outcome)).toMatchObject({
    breaking: true,
    renames: [
      { kind: 'column', from: { object: 'kanban.issues', member: 'title' }, to: { member: 'headline' }, certain: true },
      { kind: 'column', from: { member: 'email' }, to: { member: 'nickname' }, certain: false },
      { kind: 'enumValue', from: { member: 'in_review' }, to: { member: 'reviewing' }, certain: true },
    ],
    changes: expect.arrayContaining([
      expect.objectContaining({
        severity: 'breaking',
        protocol: 'rest',
        code: 'COLUMN_REMOVED',
        table: 'kanban.issues',
        column: 'title',
      }),
    ]) as unknown[],
  });
});

test('--documents: the operations that break, by file and line', async () => {
  const outcome = await diff('--json', '--documents', 'app/**/*,usage.jsonl');
  const { operations } = json(outcome) as {
    operations: { broken: { file: string; line: number; operation: string }[] };
  };
  expect(operations).toMatchObject({ checked: 8, breaking: 6 });
  expect(operations.broken.map(({ file, line, operation }) => `${file}:${line} ${operation}`).sort()).toEqual([
    'app/board.graphql:2 query Board',
    'app/card.graphql:3 query Board',
    'app/people.ts:3 query People',
    'app/persisted.json:3 query Old',
    'usage.jsonl:1 query { kanbanIssues }',
    'usage.jsonl:3 GET kanban.issues',
    'usage.jsonl:4 PATCH kanban.users',
  ]);
});

test('--markdown is a comment, --stat a line for each table', async () => {
  const comment = await diff('--markdown', '--documents', 'app/*.graphql');
  expect(comment.stdout).toMatch(/^<!-- tablewright diff --api -->\n### API: ❌ \d+ breaking/);
  expect(comment.stdout).toContain('- `app/card.graphql:3` query Board: ');
  const stat = await diff('--stat');
  expect(stat).toMatchObject({ code: 3, stdout: expect.stringMatching(/^kanban\.issues +\d+ +\d+ +\d+$/m) as string });
});

test('what is asked wrongly is said', async () => {
  for (const [args, message] of [
    [['--documents', 'nowhere/*.graphql'], 'No file is called nowhere/*.graphql.'],
    [['--stat', '--json'], '--json, --stat and --markdown exclude each other.'],
    [['--since', 'nowhere'], 'git knows no commit "nowhere"'],
  ] as const) {
    const outcome = await diff(...args);
    expect(outcome.code).toBe(1);
    expect(`${outcome.stdout}${outcome.stderr}`).toContain(message);
  }
  expect(await run('diff', '--stat')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--stat is for --api.') as string,
  });
});

test('--since compares commits, without a database; what nobody sees is 0', async () => {
  expect(await runProgram('git', ['status', '--porcelain', 'src'], { cwd: project })).toMatchObject({ stdout: '' });
  await run('generate');
  const offline = ['--offline', '--url', 'postgres://nobody@127.0.0.1:1/x'];
  expect(await diff(...offline, '--since', 'main')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('kanban.issues.title is renamed to headline') as string,
  });
  await succeed('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'rm', '-rq', '--cached', '.'], {
    cwd: project,
  });
  await succeed(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '--allow-empty', '-m', 'nothing'],
    { cwd: project },
  );
  expect(await diff(...offline, '--since', 'HEAD')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('kanban.issues is served now.') as string,
  });
  expect(await diff()).toMatchObject({ code: 0, stdout: 'Clients of the API see no difference.\n' });
  await loadSql(database.url, "comment on table kanban.issues is 'Work.'");
  expect(await diff()).toMatchObject({ code: 0 });
});

test('global identifiers are safe to switch on, and break clients when they are switched off', async () => {
  const configuration = join(project, 'tablewright.config.ts');
  await writeFile(configuration, 'export default { relay: {} };\n');
  const on = await diff('--offline');
  expect(on).toMatchObject({ code: 0, stdout: expect.stringContaining('Query.node was added.') as string });
  expect(on.stdout).toMatch(/^0 breaking, 0 dangerous and \d+ safe changes\.$/m);
  expect((await run('generate')).code).toBe(0);
  expect(await diff()).toMatchObject({ code: 0, stdout: 'Clients of the API see no difference.\n' });
  await rm(configuration);
  const off = await diff('--verbose');
  expect(off.code).toBe(3);
  for (const change of ['Query.node was removed.', 'KanbanIssues no longer implements interface Node.'])
    expect(off.stdout).toContain(change);
  expect((await run('generate')).code).toBe(0);
});

test('a change of the configuration is a change of the API', async () => {
  await writeFile(
    join(project, 'tablewright.config.ts'),
    "export default { rename: { 'kanban.users': { name: 'Person' } } };\n",
  );
  const outcome = await diff('--offline');
  expect(outcome).toMatchObject({ code: 3, stdout: expect.stringContaining('KanbanUsers was removed.') as string });
});

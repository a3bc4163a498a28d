import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../../support/cli.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import type { Outcome } from '../../support/program.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/** A change of a project's naming rules: its effect on clients, and the effect of `--follow`. */

const schema = `
  create schema kanban;
  create type kanban.issue_status as enum ('open', 'closed');
  create table kanban.users (id int primary key, full_name text not null);
  create table kanban.issues (
    id int primary key, story_points int, issue_status kanban.issue_status not null default 'open',
    assignee_id int references kanban.users);
`;

const document = `query Board($status: KanbanIssueStatus!) {
  kanbanIssues(where: { issue_status: { eq: $status } }, orderBy: { story_points: DESC }) {
    story_points
    kanbanAssigneeId {
      full_name
    }
  }
}
`;

// The keys of the answer stay, so that code that reads the answer still works.
const followed = `query Board($status: IssueStatus!) {
  kanbanIssues: issues(where: { issueStatus: { eq: $status } }, orderBy: { storyPoints: DESC }) {
    story_points: storyPoints
    kanbanAssigneeId: assignee {
      full_name: fullName
    }
  }
}
`;

let database: TestDatabase;
let project: string;

const run = (...args: readonly string[]): Promise<Outcome> =>
  tablewright(args, { cwd: project, env: { DATABASE_URL: database.url } });

const configure = (config: object): Promise<void> =>
  writeFile(join(project, 'tablewright.config.json'), JSON.stringify(config));

const short = { names: { schemaPrefix: 'several', columns: 'camel', relations: 'simple' } };

interface Change {
  readonly severity: string;
  readonly protocol: string;
  readonly code: string;
  readonly table: string | null;
  readonly column: string | null;
  readonly description: string;
  readonly reason: string;
}

interface Report {
  readonly breaking: boolean;
  readonly renames: readonly { kind: string; from: { member?: string }; to: { member?: string }; certain: boolean }[];
  readonly changes: readonly Change[];
}

const report = async (): Promise<Report> => JSON.parse((await run('diff', '--api', '--json')).stdout) as Report;

beforeAll(async () => {
  database = await createTestDatabase('names_diff');
  await loadSql(database.url, schema);
  project = await scratchFolder('names-diff');
  await configure({});
  expect(await run('generate')).toMatchObject({ code: 0 });
  await mkdir(join(project, 'app'));
  await writeFile(join(project, 'app/board.graphql'), document);
});

afterAll(async () => {
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

test('without a change of the configuration there is none of the API', async () => {
  expect(await report()).toMatchObject({ breaking: false, renames: [], changes: [] });
});

test('columns alone: fields of GraphQL and names of REST, each by its column', async () => {
  await configure({ names: { columns: 'camel' } });
  const { breaking, renames, changes } = await report();
  expect([breaking, renames]).toEqual([true, []]);
  const renamed = changes.filter(({ protocol }) => protocol === 'rest');
  expect(renamed.map(({ code, table, column, description }) => [code, table, column, description])).toEqual(
    [
      ['kanban.issues', 'story_points', 'storyPoints'],
      ['kanban.issues', 'issue_status', 'issueStatus'],
      ['kanban.issues', 'assignee_id', 'assigneeId'],
      ['kanban.users', 'full_name', 'fullName'],
    ].map(([table, column = '', name = '']) => [
      'COLUMN_RENAMED',
      table,
      column,
      `${column} in select, order, filters and bodies is refused with 400: the column is called ${name}.`,
    ]),
  );
  expect(changes).toContainEqual(
    expect.objectContaining({
      severity: 'breaking',
      protocol: 'graphql',
      column: 'story_points',
      description: 'KanbanIssues.story_points was removed.',
      reason: 'The column kanban.issues.story_points was the field story_points and is now storyPoints.',
    }),
  );
});

test('relations and the prefix: renames, and every change has its table', async () => {
  await configure(short);
  const { breaking, renames, changes } = await report();
  expect(breaking).toBe(true);
  expect(renames).toMatchObject([
    {
      kind: 'relation',
      from: { object: 'kanban.issues', member: 'kanbanAssigneeId' },
      to: { member: 'assignee' },
      certain: true,
    },
    {
      kind: 'relation',
      from: { object: 'kanban.users', member: 'kanbanIssues' },
      to: { member: 'issues' },
      certain: true,
    },
  ]);
  expect(changes.filter(({ table }) => table === null)).toEqual([]);
  const reasons = new Set(changes.map(({ reason }) => reason));
  expect([...reasons].join('\n')).toContain('kanban.issues was called KanbanIssues in GraphQL and is now Issues.');
  expect([...reasons].join('\n')).toContain(
    'kanban.issue_status was called KanbanIssueStatus in GraphQL and is now IssueStatus.',
  );
  expect(changes.map(({ code }) => code)).not.toContain('COLUMN_TYPE_CHANGED');
});

test('documents follow, and afterwards nothing differs', async () => {
  const outcome = await run('generate', '--follow', '--yes', '--documents', 'app/*.graphql');
  expect(outcome).toMatchObject({ code: 0 });
  expect(await readFile(join(project, 'app/board.graphql'), 'utf8')).toBe(followed);
  expect(await readFile(join(project, 'src/generated/index.ts'), 'utf8')).toContain(
    "names: { schemaPrefix: 'several', columns: 'camel', relations: 'simple' }",
  );
  expect(await report()).toMatchObject({ breaking: false, changes: [] });
  expect(await run('check')).toMatchObject({ code: 0 });
});

test('a second schema brings the prefix of `several` back, which the report says', async () => {
  await loadSql(database.url, 'create schema shop; create table shop.orders (id int primary key)');
  const { breaking, changes } = await report();
  expect(breaking).toBe(true);
  expect(changes.map(({ reason }) => reason).join('\n')).toContain(
    'kanban.issues was called Issues in GraphQL and is now KanbanIssues.',
  );
});

test('a rule that is not there is refused with the one that is meant', async () => {
  await configure({ names: { columns: 'camle' } });
  const wrong = await run('diff', '--api');
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('names.columns in tablewright.config.json must be one of database, camel');
  expect(wrong.stderr).toContain('Did you mean "camel"?');
  await configure({ names: { column: 'camel' } });
  expect((await run('diff', '--api')).stderr).toContain('Did you mean "columns"?');
});

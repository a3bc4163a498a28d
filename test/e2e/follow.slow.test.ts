import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../support/cli.js';
import { texts } from '../support/folders.js';
import { describeOnTerminal, onTerminal, type OnTerminal } from '../support/on-terminal.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { succeed, tsc, type Outcome } from '../support/program.js';
import { scratchFolder } from '../support/scratch-folder.js';

/**
 * `generate --follow` on a project with every kind of use, before and after the used objects are
 * renamed.
 */

const schema = `
  create schema kanban;
  create type kanban.status as enum ('open', 'in_review', 'closed');
  create table kanban.users (id int primary key, name text not null);
  create table kanban.labels (id int primary key, name text not null);
  create table kanban.issues (
    id int primary key, title text not null, status kanban.status not null default 'open',
    assignee_id int references kanban.users, note text);
`;

const migration = `
  alter table kanban.issues rename column title to headline;
  alter table kanban.issues rename column assignee_id to worker_id;
  alter table kanban.issues rename column note to remark;
  alter table kanban.labels rename to tags;
  alter type kanban.status rename value 'in_review' to 'reviewing';
`;

const code = `import type { Context, Hooks } from '@tablewright/runtime';
import { sql, type Kysely } from 'kysely';
import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../generated/database.js';
import { KanbanStatus } from '../generated/kanban/enums.js';
import { KanbanIssues } from '../generated/kanban/issues.table.js';
import { KanbanLabels, KanbanLabelsResolver } from '../generated/kanban/labels.table.js';

const document = \`query ($key: String!) {
  kanbanIssues(where: { title: { eq: $key }, status: { eq: in_review } }) { title kanbanAssigneeId { name } }
  kanbanLabels { name }
}\`;

@Resolver(() => KanbanIssues)
export class IssueResolver {
  @FieldResolver(() => Int)
  size(@Root() issue: KanbanIssues): number {
    const { title } = issue;
    return title.length + issue.title.length + (issue.kanbanAssigneeId?.name.length ?? 0);
  }

  @FieldResolver(() => Boolean)
  reviewed(@Root() issue: KanbanIssues): boolean {
    return issue.status === KanbanStatus.in_review;
  }

  @Query(() => [KanbanLabels])
  async labels(@Arg('key', () => String) key: string, @Ctx() context: Context): Promise<unknown> {
    return context.query(document, { key });
  }
}

export const resolver = KanbanLabelsResolver;

export const hooks: Hooks<Database> = {
  'kanban.issues': {
    beforeInsert({ rows }) {
      return rows.map((row) => ({ ...row, title: row.title.trim() }));
    },
  },
  'kanban.labels': { beforeInsert: ({ rows }) => rows.map(({ name, ...row }) => ({ ...row, name: name.trim() })) },
};

export async function titles(database: Kysely<Database>): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('kanban.issues as i')
    .select(['i.title', 'status'])
    .where('status', '=', 'in_review')
    .execute();
  await sql\`select title from kanban.issues\`.execute(database);
  await fetch('/api/v1/labels?select=name');
  return rows.map((row) => row.title);
}

export const card = (issue: KanbanIssues) => ({ title: issue.title });
export const other = { title: 'Not of this table' }.title;

export const lists = (database: Kysely<Database>) => [
  database.selectFrom('kanban.issues').select(['id', 'title']),
  database.selectFrom('kanban.issues').select(['title', 'id']),
  database.selectFrom('kanban.issues').select('id').groupBy('title'),
];
`;

const documents = {
  'app/board.graphql': `query Board($where: KanbanIssuesWhereInput) {
  kanbanIssues(where: $where, orderBy: { title: ASC }) {
    ...Card
    headline: title
    status
  }
}

fragment Card on KanbanIssues {
  title
}
`,
  'app/page.ts': `export const query = gql\`
  query Labels { kanbanLabels { name } }
\`;
`,
};

let database: TestDatabase;
let project: string;

beforeAll(async () => {
  database = await createTestDatabase('follow');
  await loadSql(database.url, schema);
  project = await scratchFolder('follow');
  await run('generate');
  await mkdir(join(project, 'app'));
  await writeFile(join(project, 'src/custom/issues.ts'), code);
  for (const [path, text] of Object.entries(documents)) await writeFile(join(project, path), text);
  const git = (...args: readonly string[]) =>
    succeed('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: project });
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'before');
  await loadSql(database.url, migration);
  // `dev` generates in the same way, so the old names are in the commit only.
  await run('generate');
});

afterAll(async () => {
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<Outcome> =>
  tablewright(args, { cwd: project, env: { DATABASE_URL: database.url } });

const follow = (...args: readonly string[]): Promise<Outcome> =>
  run('generate', '--follow', '--since', 'main', '--documents', 'app/**/*', ...args);

const read = (path: string): Promise<string> => readFile(join(project, path), 'utf8');

test('without a yes each file is shown as a diff, what is left with file and line, and nothing is touched', async () => {
  const before = await texts(project);
  const { code: exit, stdout } = await follow('--json');
  expect(exit).toBe(2);
  const found = JSON.parse(stdout) as {
    written: boolean;
    files: readonly { path: string }[];
    left: readonly { file: string; line: number; message: string }[];
  };
  expect(found.written).toBe(false);
  expect(await texts(project)).toEqual(before);
  expect(found.files.map(({ path }) => path)).toEqual(['src/custom/issues.ts', 'app/board.graphql', 'app/page.ts']);
  expect(found.left.map(({ file, line, message }) => `${file}:${line} ${message}`).sort()).toEqual([
    'app/board.graphql:1 The values of $where come from elsewhere, and KanbanIssuesWhereInput has other names.',
    'app/board.graphql:5 status answers other values of KanbanStatus.',
    'src/custom/issues.ts:50 The text has the old name title in it.',
    'src/custom/issues.ts:51 The text has the old name labels in it.',
    'src/custom/issues.ts:55 title may be the column kanban.issues.headline.',
    'src/custom/issues.ts:56 title may be the column kanban.issues.headline.',
  ]);
});

describeOnTerminal('on a terminal', () => {
  test('a rename that is not certain is asked about, the diff comes before the question, and no is no', async () => {
    const before = await texts(project);
    const { code: exit, output } = await ask(
      ['--since', 'main', '--documents', 'app/**/*'],
      [
        [`${proposal} Was it? (no): `, '\n'],
        [`${writing} (no): `, 'no\n'],
      ],
    );
    expect(exit).toBe(2);
    expect(output).toContain(`Not followed: ${proposal}\n`);
    const diff = output.indexOf('\n-    return issue.status === KanbanStatus.in_review;\n');
    expect(diff).toBeGreaterThan(0);
    expect(output.indexOf(writing)).toBeGreaterThan(diff);
    expect(output).toContain('Nothing was written');
    expect(await texts(project)).toEqual(before);
  });

  test('Ctrl-C at the last question leaves everything as it was', async () => {
    const before = await texts(project);
    const { code: exit, output } = await ask(
      ['--since', 'main', '--documents', 'app/**/*'],
      [
        [`${proposal} Was it? (no): `, '\n'],
        [`${writing} (no): `, '\u0003'],
      ],
    );
    expect(exit).toBe(130);
    expect(output).toContain('error INTERRUPTED');
    expect(await texts(project)).toEqual(before);
  });
});

const proposal = "kanban.issues.note may be renamed to remark: it has the old column's place and type.";
const writing = 'Write these 3 files, and the generated ones?';

const ask = (args: readonly string[], answers: readonly (readonly [string, string])[]): Promise<OnTerminal> =>
  onTerminal(project, ['generate', '--follow', ...args], answers, { DATABASE_URL: database.url });

test('with --yes code and documents have the new names, and TypeScript agrees', async () => {
  const outcome = await follow('--yes');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('kanban.labels → kanban.tags\n');
  expect(outcome.stdout).toContain(
    "Not followed: kanban.issues.note may be renamed to remark: it has the old column's place and type.",
  );
  expect(outcome.stdout).toContain('\n-    return issue.status === KanbanStatus.in_review;\n');
  const after = await read('src/custom/issues.ts');
  for (const line of [
    "import { KanbanTags, KanbanTagsResolver } from '../generated/kanban/tags.table.js';",
    '  kanbanIssues(where: { headline: { eq: $key }, status: { eq: reviewing } }) { title: headline kanbanAssigneeId: kanbanWorkerId { name } }',
    '  kanbanLabels: kanbanTags { name }',
    '    const { headline: title } = issue;',
    '    return title.length + issue.headline.length + (issue.kanbanWorkerId?.name.length ?? 0);',
    '    return issue.status === KanbanStatus.reviewing;',
    '  @Query(() => [KanbanTags])',
    'export const resolver = KanbanTagsResolver;',
    '      return rows.map((row) => ({ ...row, headline: row.headline.trim() }));',
    "  'kanban.tags': { beforeInsert: ({ rows }) => rows.map(({ name, ...row }) => ({ ...row, name: name.trim() })) },",
    "    .select(['i.headline', 'status'])",
    "    .where('status', '=', 'reviewing')",
    '  await sql`select title from kanban.issues`.execute(database);',
    '  return rows.map((row) => row.headline);',
    'export const card = (issue: KanbanIssues) => ({ title: issue.headline });',
    "export const other = { title: 'Not of this table' }.title;",
    "  database.selectFrom('kanban.issues').select(['id', 'headline']),",
    "  database.selectFrom('kanban.issues').select(['headline', 'id']),",
    "  database.selectFrom('kanban.issues').select('id').groupBy('headline'),",
  ]) {
    expect(after.split('\n')).toContain(line);
  }
  expect(await read('app/board.graphql')).toBe(`query Board($where: KanbanIssuesWhereInput) {
  kanbanIssues(where: $where, orderBy: { headline: ASC }) {
    ...Card
    headline
    status
  }
}

fragment Card on KanbanIssues {
  title: headline
}
`);
  expect(await read('app/page.ts')).toContain('query Labels { kanbanLabels: kanbanTags { name } }');
  const checked = await tsc('--noEmit', '-p', project);
  expect(checked).toMatchObject({ code: 0, stdout: '' });
  expect(await run('check')).toMatchObject({ code: 0 });
});

describeOnTerminal('on a terminal, later', () => {
  test('what is confirmed is followed: the answer yes to both questions writes code and generated files', async () => {
    await loadSql(database.url, 'alter table kanban.users rename column name to full_name');
    const { code: exit, output } = await ask(
      [],
      [
        ['kanban.users.name may be renamed to full_name', 'yes\n'],
        ['Write this file, and the generated ones? (no): ', 'y\n'],
      ],
    );
    expect(output).toContain('kanban.users.name → kanban.users.full_name\n');
    expect(exit).toBe(0);
    expect(await read('src/custom/issues.ts')).toContain('(issue.kanbanWorkerId?.full_name.length ?? 0)');
    expect(await read('src/generated/schema.graphql')).toContain('full_name: String!');
    expect(await run('check')).toMatchObject({ code: 0 });
  });
});

test('what is asked wrongly is said', async () => {
  for (const [args, message] of [
    [['--yes'], '--yes is for --follow.'],
    [['--follow', '--watch'], '--follow asks before it writes'],
  ] as const) {
    const outcome = await run('generate', ...args);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(message) as string });
  }
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contractNames, similarTo, type BoardNames } from './commands.js';
import { demoToken, demoUserId } from './token.js';

/** Something to try in the console: see `app.console-guide`. */
export interface GuideTask {
  readonly title: string;
  readonly text: string;
  readonly graphql?: string;
  readonly rest?: { readonly path: string; readonly schema?: string };
  readonly users?: readonly (string | null)[];
}

/**
 * Where the server of a demo finds its guide, in its folder. The folder of the keys stays out of
 * git.
 */
export const guidePath = 'keys/console.json';

/** Whom the console offers to become: their ids in the demo's rows. */
const users = [
  { id: demoUserId, name: 'Dalia Haddad' },
  { id: '1', name: 'Ada Okafor' },
  { id: '2', name: 'Bruno Keller' },
] as const;

/**
 * Writes the guide, with tokens of the users.
 * @param token the printed token, by which the console knows its user
 * @param board whether the header links to the board
 */
export async function writeGuide(
  folder: string,
  tasks: readonly GuideTask[],
  { token, board }: { readonly token: string; readonly board: boolean },
): Promise<void> {
  const withTokens = await Promise.all(
    users.map(async ({ id, name }) => ({ name, token: id === demoUserId ? token : await demoToken(folder, id) })),
  );
  const guide = { pages: board ? [{ name: 'Board', path: '/board.html' }] : [], users: withTokens, tasks };
  await writeFile(join(folder, guidePath), JSON.stringify(guide, undefined, 2), { mode: 0o600 });
}

/** The tasks of a demo on PostgreSQL, in their order. `near` is the embedding of `similarTo`. */
export const postgresTasks = (near: readonly number[]): readonly GuideTask[] => [
  readTask(contractNames('kanban')),
  filterTask('kanban'),
  {
    title: 'Search by words: slow connections, but not the login',
    text: 'A tsvector column takes the syntax of web search engines: words, "phrases", and -words to exclude.',
    rest: {
      path: `/api/v1/issues?select=number,title&limit=5&search_vector=${encodeURIComponent('wfts.slow connection -login')}`,
      schema: 'kanban',
    },
    graphql:
      'query FullTextSearch {\n  kanbanIssues(where: {search_vector: {webSearch: "slow connection -login"}}, limit: 5) {\n    number\n    title\n  }\n}',
  },
  {
    title: `Search by similarity: issues like “${similarTo}”`,
    text: 'A search of a pgvector column returns the nearest neighbours.',
    graphql: `query VectorSearch {\n  kanbanIssues(vector: {column: "embedding", near: [${near.join(', ')}], limit: 3}) {\n    number\n    title\n  }\n}`,
  },
  actAsTask('notifications', 'Row level security of the database decides', 'kanban'),
];

/** Those of a demo on MariaDB, which has neither tsvector nor these vectors. */
export const mysqlTasks = (names: BoardNames): readonly GuideTask[] => [
  readTask(names),
  filterTask(undefined),
  {
    title: 'Search by words: slow connections, but not the login',
    text: 'Two patterns on one column: a title that is like the first, and not like the second.',
    rest: {
      path: '/api/v1/issues?select=number,title&limit=5&title=ilike.*slow*connections*&title=not.ilike.*login*',
    },
  },
  {
    title: 'Search in JSON: bugs that are about performance',
    text: 'The filter selects rows whose JSON column contains a value.',
    rest: {
      path: `/api/v1/issues?select=number,title,labels&limit=5&labels=${encodeURIComponent('cs.["bug","performance"]')}`,
    },
  },
  actAsTask('my_notifications', 'A view that filters by the user decides', undefined),
];

const readTask = ({ projects, issues, assignee }: BoardNames): GuideTask => ({
  title: 'Read: a project with its issues and their assignees',
  text: 'One request reads related tables together, in one statement. Change the selection and run it again.',
  graphql: `query Read {\n  ${projects}(where: {key: {eq: "WEB"}}) {\n    name\n    ${issues}(where: {status: {eq: in_review}}, orderBy: {number: ASC}, limit: 3) {\n      number\n      title\n      ${assignee} {\n        name\n      }\n    }\n  }\n}`,
});

const filterTask = (schema: string | undefined): GuideTask => ({
  title: 'Filter: urgent work in progress, the first due first',
  text: 'Over REST a table is a path, and each filter is a parameter: column=operator.value.',
  rest: {
    path: '/api/v1/issues?status=eq.in_progress&priority=in.(high,urgent)&select=number,title,due_on&order=due_on.asc.nullslast&limit=5',
    ...(schema === undefined ? {} : { schema }),
  },
  ...(schema === undefined
    ? {}
    : {
        graphql: `query Filter {\n  ${schema}Issues(where: {status: {eq: in_progress}, priority: {in: [high, urgent]}}, orderBy: {due_on: ASC_NULLS_LAST}, limit: 5) {\n    number\n    title\n    due_on\n  }\n}`,
      }),
});

const actAsTask = (table: string, guard: string, schema: string | undefined): GuideTask => ({
  title: 'Act as another user: whose notifications are these?',
  text: `${guard} who sees which row, over both protocols. An anonymous caller sees no row; each user sees their own rows.`,
  rest: {
    path: `/api/v1/${table}?select=message,created_at&order=created_at.desc&limit=3`,
    ...(schema === undefined ? {} : { schema }),
  },
  ...(schema === undefined
    ? {}
    : {
        graphql: `query ActAsAUser {\n  ${schema}Notifications(orderBy: {created_at: DESC}, limit: 3) {\n    message\n    created_at\n  }\n}`,
      }),
  users: [null, ...users.map(({ name }) => name)],
});

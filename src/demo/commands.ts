/** A request that the demo prints for its reader to paste, and that `--check` sends. */
export interface DemoCommand {
  readonly title: string;
  /** One line for a POSIX shell. */
  readonly line: string;
  /** Why an answer is not the promised one, or undefined when it is. */
  readonly wrong: (answer: unknown) => string | undefined;
}

export interface CommandInputs {
  /** Where the server listens, without a slash at the end. */
  readonly base: string;
  /** A bearer token of the demo user. */
  readonly token: string;
  /** The embedding of `similarTo`. */
  readonly near: readonly number[];
}

/** The text whose nearest neighbours the vector search looks for. */
export const similarTo = 'Login page times out on slow connections';

/** The commands of the demo, in the order in which they are shown. */
export function demoCommands({ base, token, near }: CommandInputs): readonly DemoCommand[] {
  const kanban = `curl -s -H 'Accept-Profile: kanban'`;
  const notifications = `'${base}/api/v1/notifications?select=message,created_at&order=created_at.desc&limit=3'`;
  const document =
    '{ kanbanProjects(where: {key: {eq: \\"WEB\\"}}) { name kanbanIssues(where: {status: {eq: in_review}}, ' +
    'orderBy: {number: ASC}, limit: 3) { number title kanbanAssigneeId { name } } } }';
  return [
    {
      title: 'REST: urgent work in progress, the first due first',
      line: `${kanban} '${base}/api/v1/issues?status=eq.in_progress&priority=in.(high,urgent)&select=number,title,due_on&order=due_on.asc.nullslast&limit=5'`,
      wrong: (answer) => expectRows(answer, (rows) => rows.length > 0 && rows.every((row) => 'due_on' in row)),
    },
    {
      title: 'GraphQL: a project, what waits for review in it, and whose it is',
      line: `curl -s ${base}/graphql -H 'Content-Type: application/json' -d '{"query":"${document}"}'`,
      wrong: (answer) => {
        const [project] = listAt(answer, 'data', 'kanbanProjects');
        return listAt(project, 'kanbanIssues').length > 0 ? undefined : 'no issue came back';
      },
    },
    {
      title: `Vector search: issues like "${similarTo}"`,
      line: `${kanban} -G '${base}/api/v1/issues?select=number,title' --data-urlencode 'embedding=vector.{"near":[${near.join(',')}],"limit":3}'`,
      wrong: (answer) => expectRows(answer, (rows) => rows[0]?.['title'] === similarTo && rows.length === 3),
    },
    {
      title: 'Full-text search: slow connections, but not the login',
      line: `${kanban} -G '${base}/api/v1/issues?select=number,title&limit=3' --data-urlencode 'search_vector=wfts.slow connection -login'`,
      wrong: (answer) =>
        expectRows(
          answer,
          (rows) => rows.length > 0 && rows.every((row) => String(row['title']).includes('slow connections')),
        ),
    },
    {
      title: 'Row level security: notifications are personal, and nobody is logged in. No rows',
      line: `${kanban} ${notifications}`,
      wrong: (answer) => expectRows(answer, (rows) => rows.length === 0),
    },
    {
      title: 'The same with the token of Dalia Haddad, valid for seven days. Her rows',
      line: `${kanban} -H 'Authorization: Bearer ${token}' ${notifications}`,
      wrong: (answer) => expectRows(answer, (rows) => rows.length === 3),
    },
  ];
}

function expectRows(answer: unknown, holds: (rows: readonly Record<string, unknown>[]) => boolean): string | undefined {
  const rows = listAt(answer, 'data');
  return isRecord(answer) && Array.isArray(answer['data']) && holds(rows) ? undefined : 'other rows were expected';
}

function listAt(value: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  let at = value;
  for (const key of path) at = isRecord(at) ? at[key] : undefined;
  return Array.isArray(at) ? at.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isRecord } from '../json.js';
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
}

/** Additional inputs for the commands of a demo on PostgreSQL. */
export interface SearchInputs extends CommandInputs {
  /** The embedding of `similarTo`. */
  readonly near: readonly number[];
}

/** The text whose nearest neighbours the vector search looks for. */
export const similarTo = 'Login page times out on slow connections';

/** The commands of the demo, in the order in which they are shown. */
export function demoCommands({ base, token, near }: SearchInputs): readonly DemoCommand[] {
  const kanban = `curl -s -H 'Accept-Profile: kanban'`;
  return [
    urgentWork(base, kanban),
    waitingForReview(base, contractNames('kanban')),
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
    ...ownNotifications(kanban, { base, token }, 'Row level security', 'notifications'),
  ];
}

/** @param curl how a request over REST begins */
export const urgentWork = (base: string, curl: string): DemoCommand => ({
  title: 'REST: urgent work in progress, the first due first',
  line: `${curl} '${base}/api/v1/issues?status=eq.in_progress&priority=in.(high,urgent)&select=number,title,due_on&order=due_on.asc.nullslast&limit=5'`,
  wrong: (answer) => expectRows(answer, (rows) => rows.length > 0 && rows.every((row) => 'due_on' in row)),
});

/** Fields of the board in GraphQL: roots, and relations that lead there. */
export interface BoardNames {
  readonly projects: string;
  readonly issues: string;
  readonly assignee: string;
}

/** The fields by the contract. */
export const contractNames = (prefix: string): BoardNames => ({
  projects: `${prefix}Projects`,
  issues: `${prefix}Issues`,
  assignee: `${prefix}AssigneeId`,
});

/** The fields with `schemaPrefix: 'several'` and `relations: 'simple'`, for one schema. */
export const plainNames: BoardNames = { projects: 'projects', issues: 'issues', assignee: 'assignee' };

export function waitingForReview(base: string, { projects, issues, assignee }: BoardNames): DemoCommand {
  const document =
    `{ ${projects}(where: {key: {eq: \\"WEB\\"}}) { name ${issues}(where: {status: {eq: in_review}}, ` +
    `orderBy: {number: ASC}, limit: 3) { number title ${assignee} { name } } } }`;
  return {
    title: 'GraphQL: a project, its issues in review, and their assignees',
    line: `curl -s ${base}/graphql -H 'Content-Type: application/json' -d '{"query":"${document}"}'`,
    wrong: (answer) => {
      const [project] = listAt(answer, 'data', projects);
      return listAt(project, issues).length > 0 ? undefined : 'no issue came back';
    },
  };
}

/** The same request without a token, and as the demo's user. */
export function ownNotifications(
  curl: string,
  { base, token }: CommandInputs,
  guard: string,
  table: string,
): readonly DemoCommand[] {
  const notifications = `'${base}/api/v1/${table}?select=message,created_at&order=created_at.desc&limit=3'`;
  return [
    {
      title: `${guard}: notifications are private, and this request has no token. No rows`,
      line: `${curl} ${notifications}`,
      wrong: (answer) => expectRows(answer, (rows) => rows.length === 0),
    },
    {
      title: 'The same with the token of Dalia Haddad, valid for seven days. Her rows',
      line: `${curl} -H 'Authorization: Bearer ${token}' ${notifications}`,
      wrong: (answer) => expectRows(answer, (rows) => rows.length === 3),
    },
  ];
}

export function expectRows(
  answer: unknown,
  holds: (rows: readonly Record<string, unknown>[]) => boolean,
): string | undefined {
  const rows = listAt(answer, 'data');
  return isRecord(answer) && Array.isArray(answer['data']) && holds(rows) ? undefined : 'other rows were expected';
}

function listAt(value: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  let at = value;
  for (const key of path) at = isRecord(at) ? at[key] : undefined;
  return Array.isArray(at) ? at.filter(isRecord) : [];
}

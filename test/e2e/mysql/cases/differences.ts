/*
 * All differences between the two databases in cases with the same schema, each with its reason.
 * The suite also fails when a listed difference no longer exists.
 */

/** Cases that exist for PostgreSQL only. */
export const absentCases: Readonly<Record<string, string>> = {
  board: 'It is the fixture of unit tests, and has an array and full-text search.',
  functions: 'Functions are called in PostgreSQL alone.',
  hostile:
    'Arrays, ranges, composites and domains make most of it; ../hostile.test.ts has its names and texts for MariaDB.',
  'no-extension': 'It is about an array beside no pgvector.',
  vector: 'It is about vectors.',
};

const noKey =
  'MariaDB 10.11 has no UPDATE … RETURNING, and nothing finds a changed row without a key again: TW017, with nothing changed.';

/** Requests with different answers, by case and name of the request. */
export const answers: Readonly<Record<string, string>> = {
  'keyless: a change that answers its rows': noKey,
  'keyless: a change over GraphQL': noKey,
  'types: a truth value': 'tinyint(1) is Int, so that true is no value of it (decision 002).',
};

interface ApiDifference {
  /** Matches `PostgreSQL Type.field: Type`, or `MariaDB …`, which the other side does not have. */
  readonly line: RegExp;
  readonly reason: string;
}

/** Parts of the API that only one side has. */
export const api: readonly ApiDifference[] = [
  { line: /Constraint\.\w+$/, reason: 'The database names its keys: each primary key of MariaDB is called PRIMARY.' },
  {
    line: /^MariaDB ABadgesKeyInput\.person_id: Int$/,
    reason: 'A unique index without a constraint names no row in PostgreSQL; in MariaDB each is a constraint.',
  },
  {
    line: /^PostgreSQL .*(\.labels\b|\.a_\w+|ArrayFilterInput\b|\bTEverythingAMood)/,
    reason: 'MariaDB has no arrays.',
  },
  { line: /^PostgreSQL (Date|Int|Float|Numeric)\w*Range\w*\./, reason: 'MariaDB has no ranges.' },
  { line: /^PostgreSQL (TShape|TPoint3)/, reason: 'MariaDB has no composites.' },
  { line: /^PostgreSQL (Tsvector|TextSearch)/, reason: 'Full-text search is PostgreSQL’s alone (decision 012).' },
  {
    line: /^PostgreSQL (TEverything.*\.(c_(money|interval|timetz|cidr|macaddr|varbit|xml|shape|matrix|speed|\w*range|tsvector)|i_always)\b|Interval)/,
    reason: 'Types that MariaDB does not have, and a second counter beside the key.',
  },
  {
    line: /\bT(Everything.*\.c_bool\b|EverythingCBool)|^PostgreSQL BooleanFilterInput/,
    reason: 'tinyint(1) is Int: it holds 2, too (decision 002).',
  },
  {
    line: /\b(TMood|TEverythingCMood|KanbanStatus|KanbanIssuesStatus)(\.\w+$|\b)/,
    reason: 'An enum is a type of the schema in PostgreSQL, and of its column in MariaDB.',
  },
  {
    line: /^PostgreSQL \w+(AggregateDistinct|AggregateKey|Column|HavingDistinctInput|OrderByInput)\.(metadata|c_jsonb)\b/,
    reason: 'jsonb can be compared and ordered by. JSON of MariaDB is text, whose order says nothing.',
  },
  {
    line: /\bKanbanOpenIssues\w*\.id: Int|^PostgreSQL \w+\.(delete|update)KanbanOpenIssues\(id: Int\)|^PostgreSQL Query\.kanbanOpenIssuesByPk\b/,
    reason: 'The key of a view is found in PostgreSQL’s parse tree; for MariaDB the configuration names it.',
  },
  { line: /^PostgreSQL KanbanIssues\w*\.reference\b/, reason: 'A function of a row is a field in PostgreSQL alone.' },
  {
    line: /^PostgreSQL MySchemaCon\w*(\.|\(|: )\w*/,
    reason: 'MariaDB 10.11 takes no foreign key to a table called `con` (errno 150), so con_routes references nothing.',
  },
];

/*
 * All differences between the two databases in cases with the same schema, each with its reason
 * and the beginning of its row, or a sentence, in docs/mysql.md. The suite also fails when a listed
 * difference no longer exists.
 */

interface Difference {
  readonly reason: string;
  readonly listed: string;
}

/** Cases that exist for PostgreSQL only. */
export const absentCases: Readonly<Record<string, Difference>> = {
  board: {
    reason: 'It is the fixture of unit tests, and has an array and full-text search.',
    listed: '| vector search',
  },
  functions: { reason: 'Functions are called in PostgreSQL alone.', listed: '| functions' },
  hostile: {
    reason:
      'Arrays, ranges, composites and domains make most of it; ../hostile.test.ts has its names and texts for MariaDB.',
    listed: '| arrays, ranges, composites',
  },
  'no-extension': { reason: 'It is about an array beside no pgvector.', listed: '| arrays, ranges, composites' },
  vector: { reason: 'It is about vectors.', listed: '| vector search' },
};

const noKey: Difference = {
  reason:
    'MariaDB 10.11 has no UPDATE … RETURNING, and nothing finds a changed row without a key again: TW017, with nothing changed.',
  listed: '- A table without a key accepts inserts',
};

/** Requests with different answers, by case and name of the request. */
export const answers: Readonly<Record<string, Difference>> = {
  'keyless: a change that answers its rows': noKey,
  'keyless: a change over GraphQL': noKey,
  'types: a truth value': {
    reason: 'tinyint(1) is Int, so that true is no value of it (decision 002).',
    listed: '| truth values',
  },
};

interface ApiDifference extends Difference {
  /** Matches `PostgreSQL Type.field: Type`, or `MariaDB …`, which the other side does not have. */
  readonly line: RegExp;
}

/** Parts of the API that only one side has. */
export const api: readonly ApiDifference[] = [
  {
    line: /Constraint\.\w+$/,
    reason: 'The database names its keys: each primary key of MariaDB is called PRIMARY.',
    listed: '| names of keys',
  },
  {
    line: /^PostgreSQL .*(\.labels\b|\.a_\w+|ArrayFilterInput\b|\bTEverythingAMood)/,
    reason: 'MariaDB has no arrays.',
    listed: '| arrays, ranges, composites',
  },
  {
    line: /^PostgreSQL (Date|Int|Float|Numeric)\w*Range\w*\./,
    reason: 'MariaDB has no ranges.',
    listed: '| arrays, ranges, composites',
  },
  {
    line: /^PostgreSQL (TShape|TPoint3)/,
    reason: 'MariaDB has no composites.',
    listed: '| arrays, ranges, composites',
  },
  {
    line: /^PostgreSQL (Tsvector|TextSearch)/,
    reason: 'Full-text search needs an index in MariaDB, which the column has not (decision 011).',
    listed: '| full-text search',
  },
  {
    line: /^PostgreSQL (TEverything.*\.(c_(money|interval|timetz|cidr|macaddr|varbit|xml|shape|matrix|speed|\w*range|tsvector)|i_always)\b|Interval)/,
    reason: 'Types that MariaDB does not have, and a second counter beside the key.',
    listed: '| types without a counterpart',
  },
  {
    line: /\bT(Everything.*\.c_bool\b|EverythingCBool)|^PostgreSQL BooleanFilterInput/,
    reason: 'tinyint(1) is Int: it holds 2, too (decision 002).',
    listed: '| truth values',
  },
  {
    line: /\b(TMood|TEverythingCMood|KanbanStatus|KanbanIssuesStatus)(\.\w+$|\b)/,
    reason: 'An enum is a type of the schema in PostgreSQL, and of its column in MariaDB.',
    listed: '| enums',
  },
  {
    line: /^PostgreSQL \w+(AggregateDistinct|AggregateKey|Column|HavingDistinctInput|OrderByInput)\.(metadata|c_jsonb)\b/,
    reason: 'jsonb can be compared and ordered by. JSON of MariaDB is text, whose order says nothing.',
    listed: '| order, groups of JSON',
  },
  {
    line: /^PostgreSQL KanbanIssues\w*\.reference\b/,
    reason: 'A function of a row is a field in PostgreSQL alone.',
    listed: '| functions',
  },
  {
    line: /^PostgreSQL MySchemaCon\w*(\.|\(|: )\w*/,
    reason: 'MariaDB 10.11 takes no foreign key to a table called `con` (errno 150), so con_routes references nothing.',
    listed: '| names of tables',
  },
];

/** Differences that the requests by chance avoid (../by-chance, ../differential). */
export const avoided: readonly string[] = [
  '| averages',
  '| `ilike`',
  '| `eq`, `in`, order of text',
  '| order, groups of JSON',
];

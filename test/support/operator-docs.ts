import type { FilterKind, Operator } from '../../runtime/src/plan/operator.js';
import { operators } from '../../runtime/src/plan/operators.js';
import { operators as mysqlOperators } from '../../runtime/src/dialect/mysql/read/operators.js';

/** docs/operators.md: every filter operator of both protocols, from the operator table. */
export function renderOperatorDocs(): string {
  const rows = operators.map((operator) => [
    code(operator.graphql === undefined ? [] : [operator.graphql]),
    code(operator.rest ?? []),
    kindsOf(operator),
    operand(operator),
    operator.description.replaceAll('|', '\\|'),
  ]);
  return `${introduction}\n${table([['GraphQL', 'REST', 'Columns', 'Operand', 'Matches when'], ...rows])}${notes}${elsewhere}`;
}

const introduction = `# Filter operators

A filter is a column, an operator and an operand:

| protocol | filter                                        | negated                                                |
| -------- | --------------------------------------------- | ------------------------------------------------------ |
| GraphQL  | \`where: { priority: { in: [high, urgent] } }\` | \`where: { not: { priority: { in: [high, urgent] } } }\` |
| REST     | \`?priority=in.(high,urgent)\`                  | \`?priority=not.in.(high,urgent)\`                       |

<!-- Made from the operator table: run \`UPDATE_DOCS=1 npm test -- operators\` after changing it. -->

The same operators serve both protocols. A name may be in several rows: the type of the column decides which row applies.
`;

const notes = `
## Notes

- An operand over REST is text, converted by the column's type. JSON, array, range and vector literals are checked first: a malformed literal
  is 400.
- A null operand over GraphQL is an error, never "no filter".
- A JSON path (REST \`column->a->>b\`) compares text after \`->>\`, and JSON after \`->\`.
- A type without rules of its own is compared by its text; \`inet\`, \`cidr\`, \`macaddr\`, \`macaddr8\`, \`bit\`, \`varbit\`, \`oid\`, \`pg_lsn\`,
  \`xid8\` and the built-in multiranges are compared as themselves.
- \`vector\` is not a filter but an order: see the vector search of either protocol.
`;

const absent = operators.filter(({ id }) => !mysqlOperators.ids.has(id));

/**
 * MariaDB has no column types for these operators: they are not in the schema, and REST answers
 * 400.
 */
const elsewhere = `
## MariaDB

The operators of ranges, and full-text search without an index, are absent on MariaDB: ${absent.map(({ id }) => `\`${id}\``).join(', ')}. The operators of arrays are those of the members of a \`SET\`. See [MariaDB](mysql.md).
`;

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function kindsOf({ graphql, kinds, restKinds, restTypes }: Operator): string {
  if (restTypes !== undefined) return restTypes.join(', ');
  if (graphql === undefined || restKinds === undefined) return listOf(restKinds ?? kinds);
  return `${listOf(kinds)}; REST: ${restKinds === 'any' ? 'any' : `also ${listOf(restKinds.filter((kind) => !kinds.includes(kind)))}`}`;
}

/** Kinds that usually have the same operators. */
const groups: readonly (readonly [name: string, kinds: readonly FilterKind[]])[] = [
  ['numbers', ['int', 'bigint', 'numeric', 'money', 'float']],
  ['dates and times', ['date', 'time', 'timestamp', 'interval']],
];

function listOf(kinds: readonly FilterKind[] | 'any'): string {
  if (kinds === 'any') return 'any';
  const whole = groups.filter(([, members]) => members.every((kind) => kinds.includes(kind)));
  const grouped = new Set(whole.flatMap(([, members]) => members));
  // A searchable text takes the operators of texts, which are named once.
  const named = kinds.filter((kind) => !grouped.has(kind) && !(kind === 'searchable' && kinds.includes('text')));
  return [...whole.map(([name]) => name), ...named.map((kind) => (kind === 'searchable' ? searchable : kind))].join(
    ', ',
  );
}

const searchable = 'text with a full-text index (MariaDB)';

const operands: Readonly<Record<Operator['operand'], string>> = {
  none: 'nothing (GraphQL: `true`, or `false` for the opposite)',
  column: 'a value',
  list: 'a list; REST `(a,b)`',
  pair: 'a list of two',
  element: 'a value of the range’s type',
  elements: 'a list; REST `{a,b}`',
  text: 'text',
  texts: 'a list of texts; REST `{a,b}`',
  pattern: 'a pattern',
  regex: 'a regular expression',
  json: 'JSON',
  jsonpath: 'an SQL/JSON path',
  tsquery: 'a search; REST `fts(config).…`, GraphQL `{query, config}`',
  int: 'a whole number',
};

function operand(operator: Operator): string {
  if (operator.measures !== undefined) return `${operands[operator.operand]}; GraphQL: a filter of it`;
  if (operator.operand === 'none' && operator.graphql === undefined) return 'nothing';
  return operands[operator.operand];
}

/** A Markdown table in Prettier's format. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n') + '\n';
}

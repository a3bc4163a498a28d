import type { Table } from '@tablewright/runtime/model';
import { afterReview, type Found, type Rule } from '../finding.js';
import { listed, pathOf, quoted, quotedPath } from '../quote.js';
import { comparedColumns, readCondition } from '../sql/comparisons.js';
import { isMeantProtected, isTable, policiesOf, type Subject } from '../subject.js';

/**
 * If no table is protected and no token is verified, nothing is missing, nor where rules of the
 * configuration protect: table-without-rule says which are missing. Else a table that belongs
 * to protected ones, or has a column by which other policies decide, is a warning; any other may be
 * meant for everyone, such as a list of countries.
 */
export const rowSecurityOff: Rule = {
  code: 'row-security-off',
  severities: ['warning', 'info'],
  title: 'Served tables without row level security',
  why: 'Without row level security every role that may read the table sees every row. Clients reach it by REST and GraphQL like any other table.',
  find: (subject) => {
    const { ruled } = subject.serving;
    const open = subject.served.filter(
      (table) => isTable(table) && !isMeantProtected(table) && ruled?.has(pathOf(table)) !== true,
    );
    if (subject.catalog.tables.some(isMeantProtected)) {
      const columns = decidingColumns(subject);
      return open.map((table) => finding(table, evidence(subject, table, columns)));
    }
    return subject.serving.verification && ruled === undefined ? nothingProtected(subject, open) : [];
  },
};

/** Names of columns that policies compare with session values, and the tables of those policies. */
function decidingColumns(subject: Subject): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>();
  for (const { table, policy } of policiesOf(subject)) {
    const compared = comparedColumns(table, readCondition(policy) ?? policy.check ?? '') ?? [];
    for (const { column } of compared.flat().filter((each) => each.table === pathOf(table))) {
      columns.set(column, [...new Set([...(columns.get(column) ?? []), pathOf(table)])]);
    }
  }
  return columns;
}

function evidence(
  { tableOf }: Subject,
  table: Table,
  columns: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const parents = table.foreignKeys
    .map((key) => tableOf(key.references))
    .filter((parent) => parent !== undefined && restricts(parent))
    .map((parent) => (parent === undefined ? '' : pathOf(parent)));
  if (parents.length > 0) {
    return `it references ${listed([...new Set(parents)])}, whose rows policies hide`;
  }
  const primary = new Set(table.primaryKey?.columns ?? []);
  const column = table.columns.find(({ name }) => columns.has(name) && !primary.has(name));
  return column === undefined
    ? undefined
    : `it has a column ${column.name}, by which policies of ${listed(columns.get(column.name) ?? [])} decide`;
}

/**
 * Whether some row may be hidden: a table whose policy lets everyone read everything hides nothing.
 */
const restricts = ({ rowSecurity: { enabled, policies } }: Table): boolean =>
  enabled &&
  !policies.some(({ permissive, using, command }) => permissive && using === 'true' && /^(all|select)$/.test(command));

function finding(table: Table, reason: string | undefined): Found {
  const path = pathOf(table);
  return {
    severity: reason === undefined ? 'info' : 'warning',
    kind: 'table',
    object: path,
    message:
      reason === undefined
        ? `${path} has no row level security: every role that may read it sees every row.`
        : `${path} has no row level security, but ${reason}.`,
    remedy: afterReview(
      protect(table),
      'Write the right condition: with `true` everyone reads every row and writing is refused.',
    ),
  };
}

const protect = (table: Table): readonly string[] => [
  `alter table ${quotedPath(table)} enable row level security, force row level security;`,
  `create policy "readable" on ${quotedPath(table)} for select using (true);`,
];

/**
 * One finding for a schema, not one for each of its tables: tokens are verified, and no table uses
 * their claims.
 */
function nothingProtected({ catalog }: Subject, open: readonly Table[]): readonly Found[] {
  return catalog.schemas.flatMap(({ name }) => {
    const tables = open.filter((table) => table.schema === name);
    if (tables.length === 0) return [];
    return [
      {
        severity: 'warning',
        kind: 'schema',
        object: name,
        message: `Tokens are verified, but no table has row level security: the token makes no difference in ${quoted(name)} (${tables.length} served).`,
        remedy: afterReview(
          tables.flatMap(protect),
          'Write the right conditions: with `true` everyone reads every row and writing is refused.',
        ),
      },
    ];
  });
}

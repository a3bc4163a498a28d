import type { Table } from '@tablewright/runtime/model';
import { afterReview, type Found, type Rule } from '../../finding.js';
import { listed, pathOf } from '../../quote.js';
import { createRequestFunction } from '../request-function.js';
import { quoted, quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

/**
 * If no view filters and no token is verified, nothing is missing. A table that a filtering view
 * reads shows the rows that the view hides; any other may be meant for everyone.
 */
export const tableNotFiltered: Rule<MysqlSubject> = {
  code: 'row-security-off',
  severities: ['error', 'warning', 'info'],
  title: 'Served tables that no view filters',
  why: 'MariaDB has no row level security: everyone reads every row of a served table without a rule. Give it one with `rules` in the configuration, or serve a view that filters by user in its place, and leave the table out with `exclude`.',
  find: (subject) => {
    const { served, filters, serving } = subject;
    const { ruled } = serving;
    const tables = served.filter((table) => table.kind === 'table' && ruled?.has(pathOf(table)) !== true);
    if (filters.length > 0) return tables.map((table) => finding(subject, table));
    return serving.verification && ruled === undefined ? nothingFiltered(subject, tables) : [];
  },
};

function finding(subject: MysqlSubject, table: Table): Found {
  const path = pathOf(table);
  const filtered = subject.filters.filter(({ reads }) => reads.some((read) => pathOf(read) === path));
  return {
    severity: filtered.length > 0 ? 'error' : 'info',
    kind: 'table',
    object: path,
    message:
      filtered.length > 0
        ? `Everyone reads every row of ${path}, although ${listed(filtered.map((view) => pathOf(view)))}, which filters by user, reads it.`
        : `Everyone reads every row of ${path}.`,
    remedy: afterReview(filtered.length > 0 ? [] : protect(subject, table), excludeNote(path, filtered.length > 0)),
  };
}

const excludeNote = (path: string, hasView: boolean): string =>
  hasView
    ? `Do not serve the table: exclude: ['${path}'] in tablewright.config.ts. If everybody may see all rows, silence the finding.`
    : `Write the right condition, and leave the table out: exclude: ['${path}'] in tablewright.config.ts. If everybody may see all rows, silence the finding.`;

/** A view to begin with: everybody who is logged in sees every row. */
function protect({ requestFunctions }: MysqlSubject, table: Table): readonly string[] {
  const [known] = requestFunctions.filter(({ schema }) => schema === table.schema);
  const name = known?.name ?? 'request_user_id';
  const view = { schema: table.schema, name: `my_${table.name}` };
  return [
    ...(known === undefined ? [createRequestFunction(table.schema)] : []),
    `create view ${quotedPath(view)} as select * from ${quotedPath(table)} where ${quoted(table.schema)}.${quoted(name)}() is not null with check option;`,
  ];
}

/**
 * One finding for a schema, not one for each of its tables: tokens are verified, and nothing uses
 * their claims.
 */
function nothingFiltered(subject: MysqlSubject, tables: readonly Table[]): readonly Found[] {
  return subject.catalog.schemas.flatMap(({ name }) => {
    const open = tables.filter(({ schema }) => schema === name);
    if (open.length === 0) return [];
    return [
      {
        severity: 'warning',
        kind: 'schema',
        object: name,
        message: `Tokens are verified, but no view filters by user: ${listed(open.map((table) => pathOf(table)))} ${open.length === 1 ? 'shows' : 'show'} every row.`,
        remedy: afterReview(
          [...new Set(open.flatMap((table) => protect(subject, table)))],
          'Write the right conditions, and leave the tables out with exclude in tablewright.config.ts.',
        ),
      },
    ];
  });
}

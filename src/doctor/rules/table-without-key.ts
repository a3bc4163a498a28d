import type { Table } from '@tablewright/runtime/model';
import { afterReview, inTransaction, type Rule } from '../finding.js';
import { pathOf, quoted, quotedList, quotedPath } from '../quote.js';
import { isTable } from '../subject.js';

export const tableWithoutKey: Rule = {
  code: 'table-without-key',
  severities: ['warning', 'info'],
  title: 'Tables without a primary key',
  why: 'Without a primary key, clients cannot address one row: there is no request for one row, no stable paging, no Location of a new row, and logical replication cannot update or delete.',
  find: ({ catalog }) =>
    catalog.tables
      // PostgreSQL refuses a key over foreign partitions.
      .filter((table) => table.routingColumns === undefined)
      .filter((table) => isTable(table) && table.primaryKey === null && table.columns.length > 0)
      .map((table) => {
        const key = uniqueKey(table);
        const alter = `alter table ${quotedPath(table)} add`;
        return {
          severity: key === undefined ? 'warning' : 'info',
          kind: 'table',
          object: pathOf(table),
          message:
            key === undefined
              ? `${pathOf(table)} has no primary key, and no unique columns that could be one.`
              : `${pathOf(table)} has no primary key, though (${key.columns.join(', ')}) is unique and never null.`,
          remedy:
            key === undefined
              ? afterReview(
                  [`${alter} column "id" bigint generated always as identity primary key;`],
                  'It rewrites the table and locks it meanwhile. If existing columns are the key, name them instead.',
                )
              : inTransaction([
                  key.index === undefined
                    ? `${alter} primary key (${quotedList(key.columns)});`
                    : `${alter} primary key using index ${quoted(key.index)};`,
                ]),
        };
      }),
};

/**
 * Columns that are unique and never null, and the index that can become the key, which no
 * constraint uses yet.
 */
export function uniqueKey(
  table: Table,
): { readonly columns: readonly string[]; readonly index: string | undefined } | undefined {
  const required = new Set(table.columns.filter(({ nullable }) => !nullable).map(({ name }) => name));
  const constraint = table.uniques.find(
    (key) => !key.deferrable && key.columns.every((column) => required.has(column)),
  );
  if (constraint !== undefined) return { columns: constraint.columns, index: undefined };
  for (const index of table.indexes) {
    const columns = index.keys.map((key) => key.column).filter((column) => column !== null);
    const whole = index.unique && index.predicate === null && columns.length === index.keys.length;
    if (whole && columns.every((column) => required.has(column))) {
      return { columns, index: table.kind === 'partitionedTable' ? undefined : index.name };
    }
  }
  return undefined;
}

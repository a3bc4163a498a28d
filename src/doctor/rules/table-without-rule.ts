import type { Catalog, Table } from '@tablewright/runtime/model';
import { afterReview, type Rule } from '../finding.js';
import { pathOf } from '../quote.js';
import type { Serving } from '../serving.js';

/** The facts of either database. */
interface Facts {
  readonly catalog: Catalog;
  readonly served: readonly Table[];
  readonly serving: Serving;
}

/** A table whose rows policies decide about needs no rule. */
const hasPolicies = ({ rowSecurity }: Table): boolean => rowSecurity.enabled;

export const tableWithoutRule: Rule<Facts> = {
  code: 'table-without-rule',
  severities: ['warning'],
  title: 'Served tables without a rule',
  why: 'Other tables have rules in the configuration. Without one, everyone reads and writes every row of the table, also rows that the rules of other tables protect: a view shows the rows of the tables that it reads, regardless of their rules.',
  find: ({ served, serving: { ruled } }) =>
    ruled === undefined
      ? []
      : served
          .filter((table) => !ruled.has(pathOf(table)) && !hasPolicies(table))
          .map((table) => {
            const path = pathOf(table);
            return {
              severity: 'warning',
              kind: table.kind === 'table' || table.kind === 'partitionedTable' ? 'table' : 'view',
              object: path,
              message: `${path} has no rule in the configuration, though ${String(ruled.size)} of the others ${ruled.size === 1 ? 'has' : 'have'}.`,
              remedy: afterReview(
                [],
                `Add rules['${path}'] to the configuration; { read: true, write: false } where everyone reads. Or silence the finding.`,
              ),
            };
          }),
};

import { sql } from 'kysely';
import type { ReadPlan, SelectionPlan } from '../../../plan/read/plan.js';
import { comparedAs } from '../comparison.js';
import { compared } from './expression.js';
import { project } from './projection.js';
import { represented } from './represented.js';
import type { Scope } from './scope.js';
import { clauses, join, nothing, type Fragment } from '../sql.js';
import { holdsAggregate } from '../../sql/expression-facts.js';

/** Groups of rows as a FROM item `g`, with a column for each selection: `g.c0`, `g.c1`, … */
export interface Groups {
  readonly from: Fragment;
  readonly columns: readonly { readonly as: string; readonly value: Fragment }[];
}

/**
 * Groups by the positions of the selections: PostgreSQL does not recognize a repeated subselect as
 * the same expression.
 * @param selected a selection that is neither a column nor an aggregate
 * @param end ORDER BY and LIMIT
 */
export function groups(
  { select }: Pick<ReadPlan, 'select'>,
  scope: Scope,
  selected: (selection: SelectionPlan, scope: Scope) => Fragment,
  tail: Fragment,
  end: Fragment,
): Groups {
  const columns = select.map((selection, at) => ({
    value: groupValue(selection, scope, selected),
    name: sql.id(`c${String(at)}`),
  }));
  const keys = select.flatMap((selection, at) => (isAggregated(selection) ? [] : [sql.lit(at + 1)]));
  const by = keys.length === 0 ? nothing : sql`group by ${join(keys)}`;
  const list = columns.map(({ value, name }) => sql`${value} as ${name}`);
  return {
    from: sql`(${clauses(sql`select ${join(list)}`, tail, by, end)}) as g`,
    columns: select.map((selection, at) => ({
      as: selection.as,
      value: shown(selection, sql`g.${sql.id(`c${String(at)}`)}`, scope),
    })),
  };
}

/** The value as it is grouped: json, for example, has no equality and is grouped as jsonb. */
function groupValue(
  selection: SelectionPlan,
  scope: Scope,
  selected: (selection: SelectionPlan, scope: Scope) => Fragment,
): Fragment {
  if (isAggregated(selection)) return selected(selection, scope);
  if (selection.kind !== 'value') return sql`to_jsonb(${selected(selection, scope)})`;
  const { expression } = selection;
  return project(comparedAs(expression.type), compared(expression, scope), scope.style, scope.compiler.types);
}

/** A column that is grouped by its value is shown in the form of its domain. */
const shown = (selection: SelectionPlan, value: Fragment, scope: Scope): Fragment =>
  (selection.kind === 'value' ? represented(selection.expression, scope, value) : undefined) ?? value;

const isAggregated = (selection: SelectionPlan): boolean =>
  selection.kind === 'value' && holdsAggregate(selection.expression);

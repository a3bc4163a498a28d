import { sql } from 'kysely';
import type { ValuePlan } from '../../../plan/read/plan.js';
import { valueColumn } from '../../../descriptor/results.js';
import { callOf } from './call.js';
import { filterOf, where } from '../../sql/condition.js';
import { orderBy } from './expression.js';
import { page, pageLimit } from './limit.js';
import { clauses, columnOf, join, nothing, type Fragment } from '../sql.js';
import { project } from './projection.js';
import { attributes } from './read.js';
import type { Compiler, Scope } from './scope.js';

/**
 * A scalar subselect with the JSON of a function's result: its value, or the list of its values.
 */
export function compileValue(plan: ValuePlan, compiler: Compiler): Fragment {
  const { call, type, select, style } = plan;
  const from = plan.chosen === undefined ? sourceOf(plan, compiler) : chosenOf(plan, plan.chosen, compiler);
  if (type === undefined) return sql`(select to_json(true) ${from})`;
  const row = plan.columns === undefined ? sql`f.v` : sql`f.*`;
  const value =
    select === undefined ? project(type, row, style, compiler.types) : attributes(select, row, style, compiler);
  return call.returnsSet
    ? sql`(select coalesce(json_agg(${value}), '[]') ${from})`
    : sql`(select to_json(${value}) ${from})`;
}

/**
 * The columns are named here, because an OUT parameter may have no name. A value stays whole, so
 * that NULL does not become a row of NULLs.
 */
function sourceOf({ call, columns, limit }: ValuePlan, { types }: Compiler): Fragment {
  const rows = call.returnsSet ? sql`limit ${sql.lit(limit)}` : nothing;
  if (columns === undefined) return sql`from (${clauses(sql`select ${callOf(call, types)} as v`, rows)}) as f`;
  const names = join(columns.map((name) => sql.id(name)));
  return sql`from (${clauses(sql`select * from ${callOf(call, types)}`, rows)}) as f(${names})`;
}

/** Some of the values, sorted. The column of values without names is `value`. */
function chosenOf(
  { call, columns, style }: ValuePlan,
  rows: ValuePlan['chosen'] & object,
  compiler: Compiler,
): Fragment {
  const scope: Scope = { row: compiler.newRow(), style, compiler };
  const names = columns ?? [valueColumn];
  const source = sql`${callOf(call, compiler.types)} as ${sql.id(scope.row)}(${join(names.map((name) => sql.id(name)))})`;
  const wanted =
    columns === undefined
      ? sql`${columnOf(scope.row, valueColumn)} as v`
      : join(columns.map((name) => columnOf(scope.row, name)));
  const matching = filterOf(rows.where, scope);
  const order = orderBy(rows.order, scope);
  const select = clauses(sql`select ${wanted} from ${source}`, where([matching]), order, pageLimit(rows));
  return sql`from ${page(sql`(${select}) as f`, sql`f`, rows)}`;
}

import { sql } from 'kysely';
import type { ValuePlan } from '../../../plan/read/plan.js';
import { callOf } from './call.js';
import { clauses, join, nothing, type Fragment } from '../sql.js';
import { project } from './projection.js';
import { attributes } from './read.js';
import type { Compiler } from './scope.js';

/** A scalar subselect with the JSON of what a function answers: its value, or the list of its values. */
export function compileValue(plan: ValuePlan, compiler: Compiler): Fragment {
  const { call, type, select, style } = plan;
  const from = sourceOf(plan, compiler);
  if (type === undefined) return sql`(select to_json(true) ${from})`;
  const row = plan.columns === undefined ? sql`f.v` : sql`f.*`;
  const value =
    select === undefined ? project(type, row, style, compiler.types) : attributes(select, row, style, compiler);
  return call.returnsSet
    ? sql`(select coalesce(json_agg(${value}), '[]') ${from})`
    : sql`(select to_json(${value}) ${from})`;
}

/** Columns get their names here: an OUT parameter may have none. A value stays whole, so that NULL is not a row of NULLs. */
function sourceOf({ call, columns, limit }: ValuePlan, { types }: Compiler): Fragment {
  const rows = call.returnsSet ? sql`limit ${sql.lit(limit)}` : nothing;
  if (columns === undefined) return sql`from (${clauses(sql`select ${callOf(call, types)} as v`, rows)}) as f`;
  const names = join(columns.map((name) => sql.id(name)));
  return sql`from (${clauses(sql`select * from ${callOf(call, types)}`, rows)}) as f(${names})`;
}

import { sql } from 'kysely';
import type { AggregateCall, AggregatePlan, Expression } from '../../../plan/read/plan.js';
import { havingCondition } from '../../sql/aggregate.js';
import { tailOf } from '../../sql/source.js';
import type { Aggregates, GroupSelect } from '../../sql/words.js';
import { comparedAs } from '../comparison.js';
import { clauses, join, nothing, type Fragment } from '../sql.js';
import { aggregated, compared } from './expression.js';
import { listOf, rowsOf } from './object.js';
import { project } from './projection.js';
import type { Belonging, Compiler, Postgres, Scope } from './scope.js';

/** The aggregates of one select: columns `a0`, `a1`, … that the JSON object above refers to. */
export class AggregateColumns implements Aggregates<Postgres> {
  readonly scope: Scope;
  readonly #columns: Fragment[] = [];

  constructor(plan: AggregatePlan, compiler: Compiler) {
    this.scope = { row: compiler.newRow(), style: plan.style, compiler };
  }

  readonly call = (of: AggregateCall): Fragment => {
    const { style, compiler } = this.scope;
    return this.#add(project(of.type, aggregated(of, this.scope), style, compiler.types));
  };

  /** The value as it is grouped: json, for example, has no equality and is grouped as jsonb. */
  readonly key = (of: Expression): Fragment => {
    const { style, compiler } = this.scope;
    return project(comparedAs(of.type), this.#add(compared(of, this.scope)), style, compiler.types);
  };

  readonly from = (source: () => Fragment): Fragment => (this.#columns.length === 0 ? nothing : this.rows(source()));

  /** A row `g`, or one for each group of `tail`. */
  rows(tail: Fragment): Fragment {
    return sql`from (${clauses(sql`select ${join(this.#columns)}`, tail)}) as g`;
  }

  #add(value: Fragment): Fragment {
    const name = sql.id(`a${String(this.#columns.length)}`);
    this.#columns.push(sql`${value} as ${name}`);
    return sql`g.${name}`;
  }
}

/** One JSON object per combination of the grouping columns, in their order. */
export function groups(
  plan: AggregatePlan,
  select: GroupSelect<Postgres>,
  compiler: Compiler,
  belonging?: Belonging,
): Fragment {
  const aggregates = new AggregateColumns(plan, compiler);
  const { scope } = aggregates;
  const members = select(aggregates);
  const keys = plan.groupBy.map((key) => compared(key, scope));
  const grouped = keys.length === 0 ? nothing : sql`group by ${join(keys)}`;
  const order = keys.length === 0 ? nothing : sql`order by ${join(keys)}`;
  const having = plan.having === undefined ? nothing : sql`having ${havingCondition(plan.having, scope)}`;
  const tail = clauses(tailOf(plan, scope, belonging), grouped, having, order, sql`limit ${sql.lit(plan.limit)}`);
  const found = rowsOf(members, aggregates.rows(tail));
  return sql`(select ${listOf(found)} from ${found.from})`;
}

import { sql } from 'kysely';
import { comparedAs } from '../comparison.js';
import type { AggregateCall, AggregatePlan, AggregateSelectionPlan, HavingPlan } from '../../../plan/read/plan.js';
import { condition, operation, where } from './condition.js';
import { aggregated, compared } from './expression.js';
import { listOf, objectOf, rowsOf, type Entry } from './object.js';
import { project } from './projection.js';
import { joined, rowSource, type Belonging, type Compiler, type Scope } from './scope.js';
import { clauses, join, nothing, typeNameText, type Fragment } from '../sql.js';

/**
 * A scalar subselect with a JSON object of the aggregates over a table's rows, or over the rows
 * that belong to one.
 */
export function compileAggregate(plan: AggregatePlan, compiler: Compiler, belonging?: Belonging): Fragment {
  const computed = new Computed(compiler, plan);
  const members = plan.select.map((each) => entry(each, computed, () => groups(each, plan, compiler, belonging)));
  const tail =
    computed.columns.length === 0
      ? nothing
      : sql`from (${computed.select(source(plan, computed.scope, belonging))}) as g`;
  return objectOf(members, tail);
}

/**
 * The aggregates of one select, each a column `a0`, `a1`, … that the JSON object above it speaks
 * of.
 */
class Computed {
  readonly columns: Fragment[] = [];
  readonly scope: Scope;

  constructor(compiler: Compiler, plan: AggregatePlan) {
    this.scope = { row: compiler.newRow(), style: plan.style, compiler };
  }

  add(value: Fragment): Fragment {
    const name = sql.id(`a${String(this.columns.length)}`);
    this.columns.push(sql`${value} as ${name}`);
    return sql`g.${name}`;
  }

  select(tail: Fragment): Fragment {
    return clauses(sql`select ${join(this.columns)}`, tail);
  }
}

function entry(of: AggregateSelectionPlan, computed: Computed, nested: () => Fragment): Entry {
  const { as } = of;
  switch (of.kind) {
    case 'constant':
      return { as, value: typeNameText(of.text) };
    case 'call':
      return { as, value: computed.add(projectedCall(of.call, computed.scope)) };
    case 'calls':
    case 'key': {
      const members = of.kind === 'calls' ? of.calls : of.columns;
      return { as, value: objectOf(members.map((each) => member(each, computed))) };
    }
    case 'groups':
      return { as, value: nested() };
  }
}

type Member =
  | Extract<AggregateSelectionPlan, { kind: 'calls' }>['calls'][number]
  | Extract<AggregateSelectionPlan, { kind: 'key' }>['columns'][number];

function member(of: Member, computed: Computed): Entry {
  const { scope } = computed;
  switch (of.kind) {
    case 'constant':
      return { as: of.as, value: typeNameText(of.text) };
    case 'call':
      return { as: of.as, value: computed.add(projectedCall(of.call, scope)) };
    case 'column': {
      // As it is grouped: json, for one, has no equality and is grouped as jsonb.
      const key = computed.add(compared(of.expression, scope));
      return { as: of.as, value: project(comparedAs(of.expression.type), key, scope.style, scope.compiler.types) };
    }
  }
}

/** One JSON object per combination of the grouping columns, in their order. */
function groups(of: AggregateSelectionPlan, plan: AggregatePlan, compiler: Compiler, belonging?: Belonging): Fragment {
  if (of.kind !== 'groups') return nothing;
  const computed = new Computed(compiler, plan);
  const members = of.select.map((each) => entry(each, computed, () => nothing));
  const { scope } = computed;
  const keys = plan.groupBy.map((key) => compared(key, scope));
  const grouped = keys.length === 0 ? nothing : sql`group by ${join(keys)}`;
  const order = keys.length === 0 ? nothing : sql`order by ${join(keys)}`;
  const having = plan.having === undefined ? nothing : sql`having ${havingCondition(plan.having, scope)}`;
  const tail = clauses(source(plan, scope, belonging), grouped, having, order, sql`limit ${sql.lit(plan.limit)}`);
  const found = rowsOf(members, sql`from (${computed.select(tail)}) as g`);
  return sql`(select ${listOf(found)} from ${found.from})`;
}

function source(plan: AggregatePlan, scope: Scope, belonging?: Belonging): Fragment {
  const matching = plan.where === undefined ? undefined : condition(plan.where, scope);
  if (belonging === undefined)
    return clauses(sql`from ${rowSource(plan, scope.compiler.types)} as ${sql.id(scope.row)}`, where([matching]));
  const { from, on } = joined(belonging.join, belonging.outer, scope.row);
  return clauses(sql`from ${from}`, where([on, matching]));
}

const projectedCall = (call: AggregateCall, scope: Scope): Fragment =>
  project(call.type, aggregated(call, scope), scope.style, scope.compiler.types);

function havingCondition(of: HavingPlan, scope: Scope): Fragment {
  switch (of.kind) {
    case 'and':
    case 'or': {
      if (of.conditions.length === 0) return of.kind === 'and' ? sql`true` : sql`false`;
      const conditions = of.conditions.map((each) => havingCondition(each, scope));
      return sql`(${join(conditions, of.kind === 'and' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql`(not ${havingCondition(of.condition, scope)})`;
    case 'operation':
      return operation(of, aggregated(of.call, scope), of.call, scope.compiler.types);
  }
}

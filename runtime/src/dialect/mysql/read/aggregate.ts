import { sql } from 'kysely';
import type { AggregateCall, AggregatePlan, AggregateSelectionPlan, HavingPlan } from '../../../plan/read/plan.js';
import { project } from './projection.js';
import { condition, operation, where } from './condition.js';
import { aggregated, expression, orderBy, orderKeys, sortedInList } from './expression.js';
import { clauses, join, nothing, table, type Fragment } from '../sql.js';
import { linked } from './nested-list.js';
import { columnOf, joined, type Belonging, type Compiler, type Scope } from './scope.js';
import { jsonText, listOf, objectText, valueText, whole, type Entry, type Text } from './text.js';

/**
 * A scalar subselect with a JSON object of the aggregates over a table's rows, or over the rows
 * that belong to one.
 */
export function compileAggregate(plan: AggregatePlan, compiler: Compiler, belonging?: Belonging): Fragment {
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const members = plan.select.map((each) => entry(each, scope, () => groups(each, plan, compiler, belonging)));
  const object = objectText(members);
  // Groups and names alone need no row.
  const needsRows = plan.select.some(({ kind }) => kind === 'call' || kind === 'calls' || kind === 'key');
  return whole(needsRows ? sql`(${clauses(sql`select ${object}`, source(plan, scope, belonging))})` : object);
}

function entry(of: AggregateSelectionPlan, scope: Scope, nested: () => Fragment): Entry {
  const { as } = of;
  switch (of.kind) {
    case 'constant':
      return { as, value: name(of.text) };
    case 'call':
      return { as, value: call(of.call, scope) };
    case 'calls':
    case 'key': {
      const members = of.kind === 'calls' ? of.calls : of.columns;
      return { as, value: jsonText(objectText(members.map((each) => member(each, scope)))) };
    }
    case 'groups':
      return { as, value: jsonText(nested()) };
  }
}

/** A GraphQL type name: letters, digits and underscores only. */
const name = (text: string): Text => jsonText(sql.raw(`'"${text}"'`));

type Member =
  | Extract<AggregateSelectionPlan, { kind: 'calls' }>['calls'][number]
  | Extract<AggregateSelectionPlan, { kind: 'key' }>['columns'][number];

function member(of: Member, scope: Scope): Entry {
  switch (of.kind) {
    case 'constant':
      return { as: of.as, value: name(of.text) };
    case 'call':
      return { as: of.as, value: call(of.call, scope) };
    case 'column': {
      const value = project(
        of.expression.type,
        expression(of.expression, scope),
        true,
        scope.style,
        scope.compiler.types,
      );
      return { as: of.as, value };
    }
  }
}

/** An aggregate is written once: it is short, so that only a missing value is NULL. */
function call(of: AggregateCall, scope: Scope): Text {
  const value = project(of.type, aggregated(of, scope), false, scope.style, scope.compiler.types);
  return jsonText(of.name === 'count' ? valueText(value) : sql`coalesce(${valueText(value)}, 'null')`);
}

/** One JSON object per combination of the grouping columns, in their order. */
function groups(of: AggregateSelectionPlan, plan: AggregatePlan, compiler: Compiler, belonging?: Belonging): Fragment {
  if (of.kind !== 'groups') return nothing;
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const g = compiler.newRow();
  const row = objectText(of.select.map((each) => entry(each, scope, () => nothing)));
  const matching = plan.where === undefined ? undefined : condition(plan.where, scope);
  // A derived table cannot speak of the row around it: it has the groups of every such row, and
  // those of one are chosen.
  const links = belonging === undefined ? undefined : linked(belonging.join, scope.row, compiler);
  const from = links?.from ?? sql`${table(plan.table)} as ${sql.id(scope.row)}`;
  const keys = plan.groupBy.flatMap((by) => orderKeys({ by, direction: 'asc' }, scope));
  const grouped = [...(links?.columns ?? []), ...plan.groupBy.map((by) => expression(by, scope))];
  const columns = [
    sql`${row} as j`,
    ...keys.map(({ value }, at) => sql`${value} as ${sql.id(`k${String(at)}`)}`),
    ...(links?.columns ?? []).map((column, at) => sql`${column} as ${sql.id(`l${String(at)}`)}`),
  ];
  const found = clauses(
    sql`select ${join(columns)} from ${from}`,
    where([matching]),
    grouped.length === 0 ? nothing : sql`group by ${join(grouped)}`,
    plan.having === undefined ? nothing : sql`having ${havingCondition(plan.having, scope)}`,
    ...(belonging === undefined ? [orderBy(keys), sql`limit ${sql.lit(plan.limit)}`] : []),
  );
  const ofOuter = (belonging?.join.columns ?? []).map(
    (column, at) => sql`${columnOf(g, `l${String(at)}`)} = ${columnOf(belonging?.outer.row ?? '', column)}`,
  );
  const order = keys.flatMap((key, at) => sortedInList({ ...key, value: columnOf(g, `k${String(at)}`) }));
  const list = listOf(columnOf(g, 'j'), order);
  return whole(sql`(${clauses(sql`select ${list} from (${found}) as ${sql.id(g)}`, where(ofOuter))})`);
}

function source(plan: AggregatePlan, scope: Scope, belonging?: Belonging): Fragment {
  const matching = plan.where === undefined ? undefined : condition(plan.where, scope);
  if (belonging === undefined)
    return clauses(sql`from ${table(plan.table)} as ${sql.id(scope.row)}`, where([matching]));
  const { from, on } = joined(belonging.join, belonging.outer, scope.row);
  return clauses(sql`from ${from}`, where([on, matching]));
}

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

import type { AggregatePlan, AggregateSelectionPlan, HavingPlan } from '../../plan/read/plan.js';
import { sql } from 'kysely';
import { connected } from './condition.js';
import type { Fragment } from './fragment.js';
import { tailOf } from './source.js';
import type { Aggregates, Belonging, Compiler, Entry, Scope, Target } from './words.js';

/**
 * A scalar subselect with a JSON object of the aggregates over a table's rows, or over the rows
 * that belong to a row.
 */
export function compileAggregate<D extends Target>(
  plan: AggregatePlan,
  compiler: Compiler<D>,
  belonging?: Belonging<D>,
): D['value'] {
  const { words } = compiler;
  const source = (): Fragment => tailOf(plan, aggregates.scope, belonging);
  const aggregates: Aggregates<D> = words.aggregates(plan, compiler, source);
  const members = plan.select.map((each): Entry<D> => {
    if (each.kind !== 'groups') return entry(each, aggregates);
    const { as, select } = each;
    return { as, value: words.groups(plan, (of) => groupEntries(select, of), compiler, belonging) };
  });
  return words.objectFrom(members, aggregates.from(source));
}

/** The members of a group: groups have no groups inside. */
const groupEntries = <D extends Target>(
  select: readonly AggregateSelectionPlan[],
  aggregates: Aggregates<D>,
): readonly Entry<D>[] => select.flatMap((each) => (each.kind === 'groups' ? [] : [entry(each, aggregates)]));

type Member = Extract<AggregateSelectionPlan, { kind: 'calls' }>['calls'][number];
type KeyMember = Extract<AggregateSelectionPlan, { kind: 'key' }>['columns'][number];

function entry<D extends Target>(
  of: Exclude<AggregateSelectionPlan, { kind: 'groups' }> | Member | KeyMember,
  aggregates: Aggregates<D>,
): Entry<D> {
  const { words } = aggregates.scope.compiler;
  const { as } = of;
  switch (of.kind) {
    case 'constant':
      return { as, value: words.name(of.text) };
    case 'call':
      return { as, value: aggregates.call(of.call) };
    case 'column':
      return { as, value: aggregates.key(of.expression) };
    case 'calls':
      return { as, value: words.object(of.calls.map((each) => entry(each, aggregates))) };
    case 'key':
      return { as, value: words.object(of.columns.map((each) => entry(each, aggregates))) };
  }
}

/** `having …`, or nothing. */
export function havingCondition<D extends Target>(of: HavingPlan, scope: Scope<D>): Fragment {
  switch (of.kind) {
    case 'and':
    case 'or':
      return connected(of.kind, of.conditions, (each) => havingCondition(each, scope));
    case 'not':
      return sql`(not ${havingCondition(of.condition, scope)})`;
    case 'operation':
      return scope.compiler.words.operation(of, of.call, scope);
  }
}

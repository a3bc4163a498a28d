import type { ColumnType } from '../../descriptor/descriptor.js';
import { restNameOf, type Table } from '../../descriptor/registry.js';
import type { AggregateCall, AggregatePlan, AggregateSelectionPlan, HavingPlan } from './plan.js';
import { aggregateType } from '../aggregates.js';
import { planCall } from './call.js';
import { namedExpression, readTable } from './columns.js';
import { styleOf, type PlanContext } from '../context.js';
import { operatorFor, planAsked, planOperands } from './filters.js';
import type {
  AggregatedColumn,
  AggregateFunction,
  AggregateIntent,
  AggregateSelection,
  Having,
  RowValueName,
} from '../intent.js';
import { quoted, unknownOperator } from '../refuse.js';

/**
 * Counts and sums over a table, or over the rows related to one. Throws ServerError 400 for what
 * cannot be aggregated.
 */
export function planAggregate(intent: AggregateIntent, context: PlanContext): AggregatePlan {
  const { table } = intent;
  return {
    table: readTable(table, context),
    ...(intent.from === undefined ? {} : { from: planCall(intent.from) }),
    ...planAsked(intent.where, table, context),
    groupBy: (intent.groupBy ?? []).map((each) => namedExpression(table, each, context)),
    ...(intent.having === undefined ? {} : { having: planHaving(intent.having, table, context) }),
    select: intent.select.map((selection) => planSelection(selection, intent, context)),
    limit: context.settings['app.max-rows'],
    style: styleOf(intent.form, context),
  };
}

function planSelection(
  selection: AggregateSelection,
  intent: AggregateIntent,
  context: PlanContext,
): AggregateSelectionPlan {
  const { table } = intent;
  const { as } = selection;
  switch (selection.kind) {
    case 'typename':
      return { kind: 'constant', as, text: selection.type };
    case 'count':
      return { kind: 'call', as, call: { name: 'count', type: context.dialect.types.count } };
    case 'function':
      return {
        kind: 'calls',
        as,
        calls: selection.columns.map((each) =>
          'type' in each
            ? { kind: 'constant', as: each.as, text: each.type }
            : { kind: 'call', as: each.as, call: planAggregateCall(selection.function, nameOf(each), table, context) },
        ),
      };
    case 'key':
      return { kind: 'key', as, columns: selection.columns.map((each) => planKey(each, intent, context)) };
    case 'groups':
      return { kind: 'groups', as, select: selection.select.map((each) => planSelection(each, intent, context)) };
  }
}

function planKey(
  selected: AggregatedColumn,
  { table, groupBy }: AggregateIntent,
  context: PlanContext,
): Extract<AggregateSelectionPlan, { kind: 'key' }>['columns'][number] {
  if ('type' in selected) return { kind: 'constant', as: selected.as, text: selected.type };
  const { as } = selected;
  const named = nameOf(selected);
  const expression = namedExpression(table, named, context);
  if (groupBy?.some((each) => isSame(each, named)) !== true) {
    const name = shownName(table, named);
    throw unknownOperator(`The groups have no key ${quoted(name)}.`, `Add ${name} to groupBy.`);
  }
  return { kind: 'column', as, expression };
}

const nameOf = (selected: Exclude<AggregatedColumn, { type: string }>): RowValueName =>
  'column' in selected ? selected.column : selected;

const textOf = (named: RowValueName): string => (typeof named === 'string' ? named : named.computed);

/** As clients know it. */
const shownName = (table: Table, named: RowValueName): string =>
  typeof named === 'string' ? restNameOf(table, named) : named.computed;

const isSame = (one: RowValueName, other: RowValueName): boolean =>
  typeof one === typeof other && textOf(one) === textOf(other);

function planAggregateCall(
  name: AggregateFunction,
  named: RowValueName,
  table: Table,
  context: PlanContext,
): AggregateCall {
  const of = namedExpression(table, named, context);
  const result = aggregateType(name, of.type);
  if (result === undefined) throw unknownOperator(`${quoted(shownName(table, named))} has no ${name}.`);
  return { name, of, type: 'sql' in result ? result : derived(result.kind, context) };
}

function derived(kind: 'int' | 'numeric' | 'float', { dialect: { types } }: PlanContext): ColumnType {
  return kind === 'int' ? types.count : types[kind];
}

const havingName = ({ column = '', computed }: Extract<Having, { kind: 'compare' }>): RowValueName =>
  computed === undefined ? column : { computed };

function planHaving(having: Having, table: Table, context: PlanContext): HavingPlan {
  switch (having.kind) {
    case 'and':
    case 'or':
      return { kind: having.kind, conditions: having.conditions.map((each) => planHaving(each, table, context)) };
    case 'not':
      return { kind: 'not', condition: planHaving(having.condition, table, context) };
    case 'compare': {
      const call =
        having.function === 'count'
          ? { name: having.function, type: context.dialect.types.count }
          : planAggregateCall(having.function, havingName(having), table, context);
      const name = having.column === undefined ? (having.computed ?? 'count') : restNameOf(table, having.column);
      const operator = operatorFor(having.operator, call.type, name, context);
      return {
        kind: 'operation',
        operator: operator.id,
        call,
        parameters: planOperands(operator, call.type, having.values, name),
      };
    }
  }
}

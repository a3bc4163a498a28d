import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import type { AggregateCall, AggregatePlan, AggregateSelectionPlan, HavingPlan } from './plan.js';
import { aggregateType } from '../aggregates.js';
import { planCall } from './call.js';
import { columnExpression, findColumn } from './columns.js';
import { styleOf, tableName, type PlanContext } from '../context.js';
import { operatorFor, planFilter, planOperands } from './filters.js';
import type { AggregatedColumn, AggregateFunction, AggregateIntent, AggregateSelection, Having } from '../intent.js';
import { quoted, unknownOperator } from '../refuse.js';

/**
 * Counts and sums over a table, or over the rows related to one. Throws ServerError 400 for what cannot be aggregated.
 */
export function planAggregate(intent: AggregateIntent, context: PlanContext): AggregatePlan {
  const { table } = intent;
  return {
    table: tableName(table),
    ...(intent.from === undefined ? {} : { from: planCall(intent.from) }),
    ...(intent.where === undefined ? {} : { where: planFilter(intent.where, table, context) }),
    groupBy: (intent.groupBy ?? []).map((name) => columnExpression(table, name)),
    ...(intent.having === undefined ? {} : { having: planHaving(intent.having, table, context) }),
    select: intent.select.map((selection) => planSelection(selection, intent, context)),
    limit: context.settings['app.max-rows'],
    style: styleOf(intent.dialect, context),
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
            : { kind: 'call', as: each.as, call: planAggregateCall(selection.function, each.column, table, context) },
        ),
      };
    case 'key':
      return { kind: 'key', as, columns: selection.columns.map((each) => planKey(each, intent)) };
    case 'groups':
      return { kind: 'groups', as, select: selection.select.map((each) => planSelection(each, intent, context)) };
  }
}

function planKey(
  selected: AggregatedColumn,
  { table, groupBy }: AggregateIntent,
): Extract<AggregateSelectionPlan, { kind: 'key' }>['columns'][number] {
  if ('type' in selected) return { kind: 'constant', as: selected.as, text: selected.type };
  const { as, column } = selected;
  const expression = columnExpression(table, column);
  if (groupBy?.includes(column) !== true) {
    throw unknownOperator(`The groups have no key ${quoted(column)}.`, `Add ${column} to groupBy.`);
  }
  return { kind: 'column', as, expression };
}

function planAggregateCall(name: AggregateFunction, column: string, table: Table, context: PlanContext): AggregateCall {
  const { type } = findColumn(table, column);
  const result = aggregateType(name, type);
  if (result === undefined) throw unknownOperator(`${quoted(column)} has no ${name}.`);
  return { name, of: columnExpression(table, column), type: 'sql' in result ? result : derived(result.kind, context) };
}

function derived(kind: 'int' | 'numeric' | 'float', { dialect: { types } }: PlanContext): ColumnType {
  return kind === 'int' ? types.count : types[kind];
}

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
          : planAggregateCall(having.function, having.column ?? '', table, context);
      const name = having.column ?? 'count';
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

import { ServerError } from '../../errors.js';
import { noAggregate } from '../as-postgres-says.js';
import type { ColumnType, Kind } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import { restNameOf } from '../../descriptor/registry.js';
import { aggregateType } from '../aggregates.js';
import type { PlanContext } from '../context.js';
import type { Order, ReadIntent, Selection } from '../intent.js';
import { quoted, unknownOperator, unsupported } from '../refuse.js';
import { castExpression, findRelation, joinOf, relatedTable } from './columns.js';
import { allOf, planFilter } from './filters.js';
import { planOrder } from './orders.js';
import type { AggregateCall, Expression, OrderPlan } from './plan.js';
import { selectedColumn } from './selections.js';

type Aggregated = Extract<Selection, { kind: 'aggregated' }>;

/**
 * An aggregate beside other selections, which its rows are grouped by. Throws ServerError 400 where
 * the column has no such aggregate.
 */
export function groupExpression(selection: Aggregated, table: Table, context: PlanContext): Expression {
  if (!context.settings['app.rest.aggregates-enabled'])
    throw new ServerError(400, 'PGRST123', 'Use of aggregate functions is not allowed');
  const call = groupCall(selection, table, context);
  const expression: Expression = { kind: 'aggregated', call, type: call.type };
  return selection.cast === undefined ? expression : castExpression(expression, selection.cast, context);
}

function groupCall(
  { function: name, of, as, through = [] }: Aggregated,
  table: Table,
  context: PlanContext,
): AggregateCall {
  const { types } = context.dialect;
  const operand = of === undefined ? undefined : groupOperand({ kind: 'column', as, ...of }, through, table, context);
  if (name === 'count') return { name, ...(operand === undefined ? {} : { of: operand }), type: types.count };
  const result = operand === undefined ? undefined : (aggregateType(name, operand.type) ?? extreme(name, operand.type));
  if (operand === undefined || result === undefined) {
    const column = of === undefined ? as : through.length > 0 ? of.column : restNameOf(table, of.column);
    const reason = operand === undefined ? undefined : noAggregate(name, operand.type);
    throw unknownOperator(`${quoted(column)} has no ${name}.`, undefined, reason);
  }
  const type = 'sql' in result ? result : result.kind === 'int' ? types.count : types[result.kind];
  return { name, of: operand, type };
}

/**
 * PostgreSQL's types without a kind of their own that have `min` and `max`, as arrays have: over
 * REST alone, because GraphQL shows the same fields for every type of a kind. A `cidr` is compared
 * as an `inet`.
 */
const extremes = new Set(['inet', 'cidr', 'oid', 'pg_lsn', 'xid8']);

const sortedInArrays: ReadonlySet<Kind> = new Set([
  ...(['int', 'bigint', 'numeric', 'money', 'float', 'boolean', 'text', 'uuid', 'enum'] as const),
  ...(['date', 'time', 'timestamp', 'interval', 'bytes'] as const),
]);

function extreme(name: string, type: ColumnType): ColumnType | undefined {
  const { kind, sql, element } = type;
  if (name !== 'min' && name !== 'max') return undefined;
  if (kind === 'array') return element !== undefined && sortedInArrays.has(element.kind) ? type : undefined;
  if (kind !== 'other' || sql.schema !== undefined || !extremes.has(sql.name)) return undefined;
  return sql.name === 'cidr' ? { ...type, sql: { name: 'inet' } } : type;
}

/** The value that is aggregated: of the row, or of the row that the relations lead to. */
function groupOperand(
  value: Extract<Selection, { kind: 'column' }>,
  [first, ...through]: NonNullable<Aggregated['through']>,
  table: Table,
  context: PlanContext,
): Expression {
  if (first === undefined) return selectedColumn(value, table, context);
  const relation = findRelation(table, first.relation, context);
  const other = relatedTable(relation, context);
  const by = groupOperand(value, through, other, context);
  const join = joinOf(relation, context);
  const filter = first.where === undefined ? undefined : planFilter(first.where, other, context);
  const rowFilter = allOf([join.table.rowFilter, filter]);
  const asked = rowFilter === undefined ? join : { ...join, table: { ...join.table, rowFilter } };
  return { kind: 'related', join: asked, by, type: by.type };
}

/** The position of a column that is spread from one related row; 0 if it is not selected. */
function spreadAt(select: ReadIntent['select'], by: Order['by']): number {
  if (by.kind !== 'relation' || by.by.kind !== 'column' || by.by.path !== undefined) return 0;
  const { relation } = by;
  const { column } = by.by;
  const isIt = (each: Selection): boolean =>
    each.kind === 'column' && each.column === column && each.path === undefined && each.cast === undefined;
  return (
    select.findIndex((each) => each.kind === 'spread' && each.relation === relation && each.read.select.every(isIt)) + 1
  );
}

/** Groups can be ordered only by the grouping columns. Throws ServerError 400 for another order. */
export function planGroupOrders(
  { table, select, orderBy = [], vector }: ReadIntent,
  context: PlanContext,
): readonly OrderPlan[] {
  if (vector !== undefined) throw unsupported('Groups of rows have no order by a vector.');
  const keys = new Set(
    select.flatMap((each) =>
      each.kind === 'column' && each.path === undefined && each.cast === undefined ? [each.column] : [],
    ),
  );
  return orderBy.map((order) => {
    const { by } = order;
    if (by.kind === 'column' && by.path === undefined && keys.has(by.column)) return planOrder(order, table, context);
    const at = spreadAt(select, by);
    if (at > 0) return { ...order, by: { kind: 'position', at, type: context.dialect.types.text } };
    throw unsupported('Groups are ordered by columns that are selected beside the aggregates.');
  });
}

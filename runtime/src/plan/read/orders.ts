import type { ColumnType } from '../../descriptor/descriptor.js';
import { restNameOf, type Table } from '../../descriptor/registry.js';
import { rowKeyOf, tableoid } from '../../descriptor/unique-keys.js';
import type { Expression, OrderPlan } from './plan.js';
import {
  columnExpression,
  computedExpression,
  findColumn,
  findRelation,
  isHidden,
  isUnread,
  joinOf,
  knownColumn,
  pathExpression,
  relatedTable,
  type ColumnLimits,
} from './columns.js';
import type { PlanContext } from '../context.js';
import type { Order, VectorOrder } from '../intent.js';
import type { Parameter } from '../parameter.js';
import { columnSubject, quoted, unknownOperator, unsupported } from '../refuse.js';

export const planOrder = (order: Order, table: Table, context: PlanContext): OrderPlan => ({
  by: orderExpression(order.by, table, context),
  direction: order.direction,
  ...(order.nulls === undefined ? {} : { nulls: order.nulls }),
});

function orderExpression(by: Order['by'], table: Table, context: PlanContext): Expression {
  switch (by.kind) {
    case 'column':
      return pathExpression(table, by.column, by.path, context);
    case 'computed':
      return computedExpression(table, by.name, by.arguments);
    case 'count':
      return {
        kind: 'count',
        join: joinOf(findRelation(table, by.relation, context), context),
        type: context.dialect.types.count,
      };
    case 'relation': {
      const relation = findRelation(table, by.relation, context);
      if (relation.cardinality !== 'one') {
        throw unsupported(`Rows have many ${quoted(relation.name)}: their order can only follow the number of them.`);
      }
      const inner = orderExpression(by.by, relatedTable(relation, context), context);
      return { kind: 'related', join: joinOf(relation, context), by: inner, type: inner.type };
    }
  }
}

/**
 * The columns that identify a row: the row key, or a unique constraint without nullable columns.
 * @param limits of the caller, who has to be able to read the columns
 */
export function keyColumns(table: Table, limits: ColumnLimits = {}): readonly string[] | undefined {
  const key = ownKeyOf(table, limits);
  if (key === undefined || table.inherited !== true) return key;
  if (isUnread(table, tableoid.name, limits)) return undefined;
  return [...key, tableoid.name];
}

/** The key of rows that are in the table itself. */
function ownKeyOf(table: Table, limits: ColumnLimits): readonly string[] | undefined {
  const isReadable = (columns: readonly string[]): boolean => !columns.some((name) => isUnread(table, name, limits));
  const key = rowKeyOf(table);
  if (key !== undefined && isReadable(key)) return key;
  return table.uniques?.find(
    ({ columns }) => columns.every((name) => knownColumn(table, name).nullable !== true) && isReadable(columns),
  )?.columns;
}

/**
 * Completes the order with the columns of the key, so that equal rows keep their order on all
 * pages. An order that is already total does not change, and an index may serve it.
 * @param isCalled the rows are those of a function, which are in no table
 */
export function completeOrder(
  order: readonly OrderPlan[],
  table: Table,
  context: PlanContext,
  isCalled = false,
): readonly OrderPlan[] {
  const key = isCalled ? ownKeyOf(table, context) : keyColumns(table, context);
  if (key === undefined) return order;
  const ordered = new Set(order.flatMap(({ by }) => (by.kind === 'column' ? [by.column] : [])));
  const missing = key.filter((name) => !ordered.has(name));
  return [...order, ...missing.map((name) => ascending(columnExpression(table, name)))];
}

/**
 * The order of rows without a key, which cursors count through: every column that can be sorted
 * decides between equal rows, so that they do not change places from one page to the next. Without
 * any order of the client's, the rows come as the database finds them.
 */
export function settleTies(order: readonly OrderPlan[], table: Table, context: PlanContext): readonly OrderPlan[] {
  if (order.length === 0) return order;
  const ordered = new Set(order.flatMap(({ by }) => (by.kind === 'column' ? [by.column] : [])));
  const others = table.columns.filter(
    ({ name, type }) =>
      !ordered.has(name) && canSettle(type) && !isHidden(table, name, context) && !isUnread(table, name, context),
  );
  return [...order, ...others.map(({ name }) => ascending(columnExpression(table, name)))];
}

function canSettle({ kind, element }: ColumnType): boolean {
  if (kind === 'array' && element !== undefined) return canSettle(element);
  return kind !== 'composite' && kind !== 'vector';
}

export const ascending = (by: Expression): OrderPlan => ({ by, direction: 'asc' });

/**
 * Nothing but the distance: any other order key would keep the database from using the column's
 * index.
 */
export function planVector(vector: VectorOrder, table: Table, context: PlanContext): OrderPlan {
  if (!context.dialect.capabilities.vector) throw unsupported('This database does not search vectors.');
  const { type } = findColumn(table, vector.column, context);
  if (type.kind !== 'vector') {
    throw unknownOperator(`${quoted(restNameOf(table, vector.column))} is not a vector column.`, vectorColumns(table));
  }
  const subject = columnSubject(restNameOf(table, vector.column));
  const near: Parameter = { value: vector.near, as: 'vector', type, required: 'near', subject };
  return ascending({ kind: 'distance', column: vector.column, near, distance: vector.distance, type });
}

function vectorColumns(table: Table): string | undefined {
  const names = table.columns
    .filter(({ type }) => type.kind === 'vector')
    .map(({ name }) => quoted(restNameOf(table, name)));
  return names.length === 0 ? undefined : `Vector columns: ${names.join(', ')}.`;
}

import type { Table } from '../registry.js';
import type { Expression, OrderPlan } from '../statement/plan.js';
import { writeVector } from '../statement/encode/vector.js';
import { int8 } from '../types.js';
import { columnExpression, computedExpression, findColumn, findRelation, joinOf, relatedTable } from './columns.js';
import type { PlanContext } from './context.js';
import type { Order, VectorOrder } from './intent.js';
import { quoted, unknownOperator, unsupported } from './refuse.js';
import { requiredSlot } from './values.js';

export const planOrder = (order: Order, table: Table, context: PlanContext): OrderPlan => ({
  by: orderExpression(order.by, table, context),
  direction: order.direction,
  ...(order.nulls === undefined ? {} : { nulls: order.nulls }),
});

function orderExpression(by: Order['by'], table: Table, context: PlanContext): Expression {
  switch (by.kind) {
    case 'column':
      return columnExpression(table, by.column, by.path);
    case 'computed':
      return computedExpression(table, by.name);
    case 'count':
      return { kind: 'count', join: joinOf(findRelation(table, by.relation), context), type: int8 };
    case 'relation': {
      const relation = findRelation(table, by.relation);
      if (relation.cardinality !== 'one') {
        throw unsupported(`Rows have many ${quoted(relation.name)}: their order can only follow the number of them.`);
      }
      const inner = orderExpression(by.by, relatedTable(relation, context), context);
      return { kind: 'related', join: joinOf(relation, context), by: inner, type: inner.type };
    }
  }
}

/** The columns that tell a row from every other: the primary key, or a unique constraint without nullable columns. */
export function keyColumns(table: Table): readonly string[] | undefined {
  if (table.primaryKey !== undefined) return table.primaryKey.columns;
  return table.uniques?.find(({ columns }) => columns.every((name) => findColumn(table, name).nullable !== true))
    ?.columns;
}

/**
 * The order, made total by the key's columns, so that equal rows do not move between two pages. An order that is total
 * already stays as it is, and may be served by an index.
 */
export function completeOrder(order: readonly OrderPlan[], table: Table): readonly OrderPlan[] {
  const key = keyColumns(table);
  if (key === undefined) return order;
  const ordered = new Set(order.flatMap(({ by }) => (by.kind === 'column' ? [by.column] : [])));
  const missing = key.filter((name) => !ordered.has(name));
  return [...order, ...missing.map((name) => ascending(columnExpression(table, name)))];
}

export const ascending = (by: Expression): OrderPlan => ({ by, direction: 'asc' });

/** Nothing but the distance: any other order key would keep the database from using the column's index. */
export function planVector(vector: VectorOrder, table: Table): OrderPlan {
  const { type } = findColumn(table, vector.column);
  if (type.kind !== 'vector') {
    throw unknownOperator(`${quoted(vector.column)} is not a vector column.`, vectorColumns(table));
  }
  const slot = requiredSlot(vector.near, (given) => writeVector(given, type.dimension), 'near');
  return ascending({ kind: 'distance', column: vector.column, near: { slot, type }, distance: vector.distance, type });
}

function vectorColumns(table: Table): string | undefined {
  const names = table.columns.filter(({ type }) => type.kind === 'vector').map(({ name }) => quoted(name));
  return names.length === 0 ? undefined : `Vector columns: ${names.join(', ')}.`;
}

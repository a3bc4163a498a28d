import type { Condition, Limit, OrderPlan, ReadPlan } from '../statement/plan.js';
import { columnExpression } from './columns.js';
import { styleOf, tableName, type PlanContext } from './context.js';
import { allOf, planFilter } from './filters.js';
import type { ReadIntent, Value } from './intent.js';
import { completeOrder, planOrder, planVector } from './orders.js';
import { innerConditions, planSelections } from './selections.js';
import { mostOf, planCount, planOffset } from './values.js';

/** `list`: clamped by `app.max-rows`. `one`: a single row. `unlimited`: the key already says that there is one. */
export type ReadSize = 'list' | 'one' | 'unlimited';

/** Rows of a table. Throws ServerError 400 for names and operators that are not there. */
export function planRead(intent: ReadIntent, context: PlanContext, size: ReadSize = 'list'): ReadPlan {
  const { table } = intent;
  const where = planWhere(intent, context);
  return {
    table: tableName(table),
    select: planSelections(intent.select, table, context),
    ...(where === undefined ? {} : { where }),
    order: planOrders(intent, context),
    ...planDistinct(intent),
    ...planPage(intent, context, size),
    style: styleOf(intent.dialect, context),
  };
}

export function planWhere(intent: ReadIntent, context: PlanContext): Condition | undefined {
  const own = intent.where === undefined ? undefined : planFilter(intent.where, intent.table, context);
  return allOf([own, ...innerConditions(intent, context)]);
}

/**
 * The vector order wins over every other (contract 4.6). An order that is given is made total; where none is given the
 * rows come as the database finds them, which is fastest and, over both protocols, undefined (contract 4.5).
 */
function planOrders(intent: ReadIntent, context: PlanContext): readonly OrderPlan[] {
  if (intent.vector !== undefined) return [planVector(intent.vector, intent.table)];
  const orders = (intent.orderBy ?? []).map((order) => planOrder(order, intent.table, context));
  return orders.length === 0 && (intent.distinctOn ?? []).length === 0 ? [] : completeOrder(orders, intent.table);
}

function planDistinct({ table, distinctOn = [] }: ReadIntent): Pick<ReadPlan, 'distinctOn'> {
  if (distinctOn.length === 0) return {};
  let wholeRow = 'row';
  while (table.byName.has(wholeRow)) wholeRow += '_';
  return { distinctOn: { by: distinctOn.map((name) => columnExpression(table, name)), wholeRow } };
}

type PlannedPage = Pick<ReadPlan, 'limit' | 'offset' | 'reach'>;

function planPage(intent: ReadIntent, context: PlanContext, size: ReadSize): PlannedPage {
  const skipped = intent.offset === undefined ? 0 : planOffset(intent.offset);
  const offset = skipped === 0 ? {} : { offset: skipped };
  if (size === 'unlimited') return offset;
  if (size === 'one') return { limit: 1, ...offset };
  const ceiling = context.settings['app.max-rows'];
  const given = limitsOf(intent);
  const [first = ceiling, ...more] = given.map((each) => planCount(each, ceiling));
  const limit = more.reduce(smallerOf, first);
  if (typeof limit === 'number' && typeof skipped === 'number') return { limit, ...offset };
  const most = given.reduce((least, each) => Math.min(least, mostOf(each, ceiling) ?? ceiling), ceiling);
  const before = intent.offset === undefined ? 0 : mostOf(intent.offset, 0);
  return { limit, ...offset, ...(before === undefined ? {} : { reach: before + most }) };
}

/** REST: the vector's limit replaces the list's. GraphQL: both bound the result. */
function limitsOf({ vector, limit, dialect }: ReadIntent): readonly Value[] {
  const all = vector?.limit === undefined || dialect === 'graphql' ? [vector?.limit, limit] : [vector.limit];
  return all.filter((each) => each !== undefined);
}

/** A number is the ceiling, which no count exceeds. */
function smallerOf(one: Limit, other: Limit): Limit {
  if (typeof one === 'number') return other;
  if (typeof other === 'number') return one;
  return { bind: (inputs) => String(Math.min(Number(one.bind(inputs)), Number(other.bind(inputs)))) };
}

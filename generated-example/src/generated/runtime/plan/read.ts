import type { Slot } from '../session/statement.js';
import type { Condition, Limit, OrderPlan, ReadPlan } from '../statement/plan.js';
import { columnExpression } from './columns.js';
import { styleOf, tableName, type PlanContext } from './context.js';
import { allOf, planFilter } from './filters.js';
import type { ReadIntent } from './intent.js';
import { completeOrder, planOrder, planVector } from './orders.js';
import { innerConditions, planSelections } from './selections.js';
import { limitSlot, offsetSlot } from './values.js';

/** `list`: clamped by `app.max-rows`. `one`: a single row. `unlimited`: the key already says that there is one. */
export type ReadSize = 'list' | 'one' | 'unlimited';

/** Rows of a table. Throws ServerError 400 for names and operators that are not there. */
export function planRead(intent: ReadIntent, context: PlanContext, size: ReadSize = 'list'): ReadPlan {
  const { table } = intent;
  const where = planWhere(intent, context);
  const limit = planLimit(intent, context, size);
  return {
    table: tableName(table),
    select: planSelections(intent.select, table, context),
    ...(where === undefined ? {} : { where }),
    order: planOrders(intent, context),
    ...planDistinct(intent),
    ...(limit === undefined ? {} : { limit }),
    ...(intent.offset === undefined ? {} : { offset: offsetSlot(intent.offset) }),
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

function planLimit(intent: ReadIntent, context: PlanContext, size: ReadSize): Limit | undefined {
  if (size === 'unlimited') return undefined;
  if (size === 'one') return 1;
  const ceiling = context.settings['app.max-rows'];
  const { vector, limit } = intent;
  // REST: the vector's limit replaces the list's. GraphQL: both bound the result.
  const given =
    vector?.limit === undefined ? [limit] : intent.dialect === 'rest' ? [vector.limit] : [vector.limit, limit];
  const [first, second] = given.filter((each) => each !== undefined);
  if (first === undefined) return ceiling;
  return second === undefined
    ? limitSlot(first, ceiling)
    : smallerOf(limitSlot(first, ceiling), limitSlot(second, ceiling));
}

const smallerOf = (one: Slot, other: Slot): Slot => ({
  bind: (inputs) => String(Math.min(Number(one.bind(inputs)), Number(other.bind(inputs)))),
});

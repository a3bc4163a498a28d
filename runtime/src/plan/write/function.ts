import { styleOf, tableName, type PlanContext } from '../context.js';
import { planCall } from '../read/call.js';
import { planMatching } from '../read/filters.js';
import { planOrder } from '../read/orders.js';
import { planPage } from '../read/page.js';
import { planSelections } from '../read/read.js';
import { planValue } from '../read/values.js';
import type { FunctionIntent } from './write-intent.js';
import type { FunctionPlan } from './write-plan.js';

/** A call of a function that may write. */
export function planFunction(intent: FunctionIntent, context: PlanContext): FunctionPlan {
  const { rows, dialect, call } = intent;
  if (rows === undefined) return { kind: 'function', value: planValue(intent, context) };
  return {
    kind: 'function',
    call: planCall(call),
    table: tableName(rows.table),
    select: planSelections(rows.select, rows.table, context),
    ...planMatching(rows.where, rows.table, context),
    order: (rows.orderBy ?? []).map((order) => planOrder(order, rows.table, context)),
    ...planPage({ ...rows, dialect }, context, rows.limit === undefined ? 'unlimited' : 'list'),
    style: styleOf(dialect, context),
  };
}

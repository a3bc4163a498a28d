import { styleOf, tableName, type PlanContext } from '../context.js';
import { planCall, planValue } from '../read/call.js';
import { planSelections } from '../read/read.js';
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
    style: styleOf(dialect, context),
  };
}

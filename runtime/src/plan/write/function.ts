import type { PlanContext } from '../context.js';
import { planCall } from '../read/call.js';
import { planRows } from '../read/plan-intent.js';
import { planRead } from '../read/read.js';
import { planValue } from '../read/values.js';
import type { FunctionIntent } from './write-intent.js';
import type { FunctionPlan } from './write-plan.js';

/** A call of a function that may write. */
export function planFunction(intent: FunctionIntent, context: PlanContext): FunctionPlan {
  const { rows, call } = intent;
  if (rows === undefined) return { kind: 'function', value: planValue(intent, context) };
  if (call.function.table === undefined && rows.kind === 'rows')
    return { kind: 'function', rows: planRows({ ...rows, read: { ...rows.read, from: call } }, context) };
  return { kind: 'function', call: planCall(call), answer: planAnswer(rows, context) };
}

/** GraphQL's list of a mutation has no arguments, so no page would show the rest of it. */
function planAnswer(
  rows: NonNullable<FunctionIntent['rows']>,
  context: PlanContext,
): Extract<FunctionPlan, { call: unknown }>['answer'] {
  const from = { held: true } as const;
  if (rows.kind === 'row') return { kind: 'row', read: { ...planRead(rows.read, context, 'one'), from } };
  const plan = planRows(rows, context, rows.read.dialect === 'graphql' ? 'unlimited' : 'list');
  return { ...plan, read: { ...plan.read, from } };
}

import { styleOf, type PlanContext } from '../context.js';
import type { ValueIntent } from '../intent.js';
import { planCall } from './call.js';
import type { ValuePlan } from './plan.js';
import { planRead } from './read.js';
import { planAttributes } from './selections.js';

/** A value that a function answers, or the list of its values. */
export function planValue({ call, select, chosen, form }: ValueIntent, context: PlanContext): ValuePlan {
  const { returns, record } = call.function;
  const columns = context.registry.composites.get(returns?.composite ?? '')?.attributes.map(({ name }) => name);
  return {
    call: planCall(call),
    ...(returns === undefined ? {} : { type: returns }),
    ...(record === true && columns !== undefined ? { columns } : {}),
    ...(select === undefined || returns === undefined ? {} : { select: planAttributes(select, returns, context) }),
    ...(chosen === undefined ? {} : { chosen: planRead({ ...chosen, select: [], form }, context) }),
    limit: context.settings['app.max-rows'],
    style: styleOf(form, context),
  };
}

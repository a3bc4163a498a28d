import type { Expression } from '../../plan/read/plan.js';

/** Whether the value of an expression may be null. */
export function canBeNull(by: Expression): boolean {
  if (by.kind === 'column') return by.nullable;
  return by.kind !== 'count' && !(by.kind === 'aggregated' && by.call.name === 'count');
}

/** Whether an expression is an aggregate, or is made of one. */
export const holdsAggregate = (of: Expression): boolean =>
  of.kind === 'aggregated' || (of.kind === 'cast' && holdsAggregate(of.of));

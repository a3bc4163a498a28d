import type { Limit, ReadPlan } from './plan.js';
import type { PlanContext } from '../context.js';
import type { ReadIntent, Value } from '../intent.js';
import { mostOf, planCount, planOffset } from '../values.js';

/**
 * `list`: clamped by `app.max-rows`. `one`: a single row. `unlimited`: the key already says that
 * there is one.
 */
export type ReadSize = 'list' | 'one' | 'unlimited';

type PlannedPage = Pick<ReadPlan, 'limit' | 'offset' | 'reach'>;

/** Which of the rows a read answers. */
export function planPage(intent: ReadIntent, context: PlanContext, size: ReadSize): PlannedPage {
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
function limitsOf({ vector, limit, form }: ReadIntent): readonly Value[] {
  const all = vector?.limit === undefined || form.protocol === 'graphql' ? [vector?.limit, limit] : [vector.limit];
  return all.filter((each) => each !== undefined);
}

/** A number is the ceiling, which no count exceeds. */
function smallerOf(one: Limit, other: Limit): Limit {
  if (typeof one === 'number') return other;
  if (typeof other === 'number') return one;
  return { read: (inputs) => Math.min(Number(one.read(inputs)), Number(other.read(inputs))) };
}

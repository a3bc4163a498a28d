import { limitBucket } from '../../../plan/limit-bucket.js';
import type { Value } from '../../../plan/intent.js';
import type { ArgumentValue } from './argument-value.js';

/**
 * A count of rows as the planner takes it: with its order of magnitude, which a literal has and the
 * shape of variables tells.
 */
export function countOf(given: ArgumentValue): Value {
  const current = given.current();
  return typeof current === 'number' ? { ...given.value(), most: limitBucket(current) } : given.value();
}

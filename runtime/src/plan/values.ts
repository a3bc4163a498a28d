import { exactText } from '../exact-number.js';
import type { Count } from './parameter.js';
import type { Limit } from './read/plan.js';
import type { Value } from './intent.js';
import { malformedParameter } from './refuse.js';

/** The largest count of rows that databases take. */
const largest = 2n ** 63n - 1n;

/**
 * A count of rows: a whole number, 0 or more, or null where none is given.
 * @throws ServerError 400
 */
export function readCount(value: Value, inputs: unknown, name: string): bigint | number | null {
  const given = value.read(inputs);
  if (given === null || given === undefined) return null;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  const count = wholeNumber(given);
  if (count === undefined || count > largest) {
    throw malformedParameter(`${name} has to be a whole number, 0 or more.`);
  }
  return count;
}

/** The smaller of the given limit and the ceiling; the ceiling itself when none is given. */
export function planCount(value: Value, ceiling: number, name = 'limit', extra = 0): Limit {
  return value.constant === null ? ceiling + extra : limitedCount(value, ceiling, name, extra);
}

/**
 * The greatest count of any request of the shape, where null stands for `absent`; undefined where
 * the shape does not say.
 */
export const mostOf = ({ constant, most }: Value, absent: number): number | undefined =>
  constant === null ? absent : most;

function wholeNumber(given: unknown): bigint | undefined {
  const written = typeof given === 'string' ? given : (exactText(given) ?? '');
  return /^\d{1,19}$/.test(written) ? BigInt(written) : undefined;
}

function limitedCount(value: Value, ceiling: number, name: string, extra: number): Count {
  return {
    read: (inputs) => {
      const given = readCount(value, inputs, name);
      return (given === null || given > ceiling ? ceiling : Number(given)) + extra;
    },
  };
}

/** Rows to skip: 0 where every request of the shape skips none. */
export function planOffset(value: Value): Limit {
  if (value.constant === null || value.constant === 0) return 0;
  return { read: (inputs) => readCount(value, inputs, 'offset') ?? 0 };
}

import type { ColumnType } from '../descriptor.js';
import { text } from '../types.js';
import {
  arrayText,
  jsonEncoder,
  jsonText,
  listEncoder,
  scalarText,
  textEncoder,
  type Encode,
} from '../statement/encode/encode.js';
import { malformed } from '../statement/encode/malformed.js';
import type { Limit, Parameter } from '../statement/plan.js';
import type { Slot } from '../session/statement.js';
import type { PlanContext } from './context.js';
import type { Value } from './intent.js';
import { endsInEscape } from './pattern.js';
import { malformedParameter } from './refuse.js';

/** A slot for a value that must be there: a null operand is an error, never "no filter" (decisions 3). */
export function requiredSlot(value: Value, encode: Encode, name: string): Slot {
  return {
    bind: (inputs) => {
      const given = value.read(inputs);
      if (given === null || given === undefined) {
        throw malformed(
          `${name} needs a value, not null.`,
          'To find rows without a value, use isNull (REST: is.null).',
        );
      }
      return encode(given);
    },
  };
}

/** A constant of the request's shape, such as a key of a JSON path. */
export const constantParameter = (value: string, type: ColumnType = text): Parameter => ({
  slot: { bind: () => value },
  type,
});

/** How a value is encoded that meets a column, or a list of such values, by the form it comes in. */
export const encodeAs = (type: ColumnType, value: Value, context: PlanContext): Encode =>
  value.form === 'text' ? textEncoder(type) : jsonEncoder(type, context.registry);

export const encodeList = (array: ColumnType, element: ColumnType, value: Value, context: PlanContext): Encode =>
  listEncoder(array, encodeAs(element, value, context));

/** A list of texts, or (REST) an array literal. */
export const encodeTexts: Encode = (value) =>
  Array.isArray(value) ? listEncoder(text, scalarText)(value) : arrayText(scalarText(value));

export const encodeJson = (value: Value, type: ColumnType, context: PlanContext): Encode =>
  value.form === 'text' ? (given) => jsonText(scalarText(given)) : jsonEncoder(type, context.registry);

/** LIKE with the operand as it is: only over REST does `*` stand for `%`, which a URL would have to escape. */
export const encodePattern = (value: Value): Encode =>
  value.form === 'text' ? (given) => scalarText(given).replaceAll('*', '%') : (given) => whole(scalarText(given));

function whole(pattern: string): string {
  if (endsInEscape(pattern))
    throw malformed('The pattern ends in its escape character.', 'Write a backslash that is meant as one as \\\\.');
  return pattern;
}

/** LIKE that finds the text itself: `%`, `_` and the escape character lose their meaning. */
export function encodeAffix(place: 'contains' | 'prefix' | 'suffix'): Encode {
  return (given) => {
    const literal = scalarText(given).replace(/[\\%_]/g, '\\$&');
    return `${place === 'prefix' ? '' : '%'}${literal}${place === 'suffix' ? '' : '%'}`;
  };
}

export const encodeInteger: Encode = (given) => {
  const written = scalarText(given);
  if (!/^-?\d{1,9}$/.test(written))
    throw malformed(`A whole number was expected, not ${JSON.stringify(written.slice(0, 40))}.`);
  return written;
};

/** The largest offset PostgreSQL takes. */
const largestOffset = 2n ** 63n - 1n;

/**
 * A count of rows: a whole number, 0 or more, or null where none is given.
 * @throws ServerError 400
 */
export function readCount(value: Value, inputs: unknown, name: string): bigint | number | null {
  const given = value.read(inputs);
  if (given === null || given === undefined) return null;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  const written = typeof given === 'string' ? given : scalarText(given);
  const count = /^\d{1,19}$/.test(written) ? BigInt(written) : undefined;
  if (count === undefined || count > largestOffset) {
    throw malformedParameter(`${name} has to be a whole number, 0 or more.`);
  }
  return count;
}

/** The smaller of the given limit and the ceiling; the ceiling itself when none is given. */
export function planCount(value: Value, ceiling: number, name = 'limit', extra = 0): Limit {
  return value.constant === null ? ceiling + extra : limitSlot(value, ceiling, name, extra);
}

/** The greatest count of any request of the shape, where null stands for `absent`; undefined where the shape does not say. */
export const mostOf = ({ constant, most }: Value, absent: number): number | undefined =>
  constant === null ? absent : most;

function limitSlot(value: Value, ceiling: number, name: string, extra: number): Slot {
  return {
    bind: (inputs) => {
      const given = readCount(value, inputs, name);
      return String((given === null || given > ceiling ? ceiling : Number(given)) + extra);
    },
  };
}

/** Rows to skip: 0 where every request of the shape skips none. */
export function planOffset(value: Value): Limit {
  if (value.constant === null || value.constant === 0) return 0;
  return { bind: (inputs) => String(readCount(value, inputs, 'offset') ?? 0) };
}

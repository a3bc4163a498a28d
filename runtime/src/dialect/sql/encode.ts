import { isUint8Array } from 'node:util/types';
import { ExactNumber, writtenNumber } from '../../exact-number.js';
import { invalidJson } from '../../plan/as-postgres-says.js';
import { endsInEscape } from '../../plan/pattern.js';
import { halfOfPair, hasWellFormedTexts, isWellFormed } from '../../well-formed.js';
import { malformed } from '../malformed.js';

/**
 * A value that is not null, to the text in which it is sent to the database. Throws ServerError for
 * a value that the runtime parses and that is not valid.
 */
export type Encode = (value: unknown) => string;

/** The text of a string, number or boolean. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw malformed('A value has a zero byte, which a text cannot hold.');
      if (!isWellFormed(value)) throw malformed(halfOfPair.message, halfOfPair.hint);
      return value;
    case 'number':
      return writtenNumber(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      break;
  }
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Date) return value.toISOString();
  throw malformed(
    'A single value was expected.',
    'Lists and objects are for columns of JSON, arrays, ranges, composites and sets.',
  );
}

/** The text of bytes. Hooks give bytes as a Buffer, which is their type in `database.ts`. */
export const bytesText = (value: unknown): string =>
  isUint8Array(value) ? `\\x${Buffer.from(value).toString('hex')}` : scalarText(value);

export function checkedJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw malformed('The value is not JSON.', 'Percent-encode it: {"a":1} is %7B%22a%22:1%7D.', invalidJson);
  }
  if (!hasWellFormedTexts(text)) throw malformed(halfOfPair.message, halfOfPair.hint);
  return text;
}

/** The operand of LIKE, whose escape character is the backslash. */
export function checkedPattern(given: unknown): string {
  const written = scalarText(given);
  if (endsInEscape(written))
    throw malformed('The pattern ends in its escape character.', 'Write a literal backslash as \\\\.');
  return written;
}

/** A pattern of LIKE that finds a text itself: anywhere, in front or at the end of another text. */
export const affix =
  (place: 'contains' | 'prefix' | 'suffix', escape: (text: string) => string): Encode =>
  (given) =>
    `${place === 'prefix' ? '' : '%'}${escape(scalarText(given))}${place === 'suffix' ? '' : '%'}`;

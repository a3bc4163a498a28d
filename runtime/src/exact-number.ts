import { parse } from 'lossless-json';
import { withSource } from './json-source.js';

/**
 * A number in a request that JavaScript would write in another way, as the client's text: one of
 * many digits, `1.50`, `-0`. All other numbers are JavaScript numbers.
 */
export class ExactNumber {
  constructor(readonly text: string) {}

  /** Whether a JavaScript number has its digits: it keeps 15 of them in any case. */
  get isShort(): boolean {
    const digits = this.text
      .replace(/[eE].*$/, '')
      .replace(/\D/g, '')
      .replace(/^0+/, '');
    return digits.length <= 15 && Number.isFinite(Number(this.text));
  }

  /** The text for a type of whole numbers, which takes `1.0` and `1e3`. */
  get whole(): string {
    const number = Number(this.text);
    return Number.isSafeInteger(number) ? String(number) : this.text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/**
 * The text of a number with all its digits; undefined for any other value, and for NaN and the
 * infinities, which JSON does not have.
 */
export function exactText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/**
 * Whether JSON text may have a number of which JavaScript would lose something: digits, a large
 * exponent, zeros at its end, the sign of zero. Strings that look like one count too.
 */
export const mayLoseDigits = (text: string): boolean => changedNumber.test(text) || hasLongNumber(text);

/** `1e400`, `1.50` and `-0`. The end shows that it is no date or time: `10:00:00.120Z`. */
const changedNumber = /\d[eE][+-]?\d{3}|\.\d*0(?=[\s,\]}eE]|$)|-0(?=[\s,\]}eE]|$)/;

/**
 * Whether JavaScript would write the numbers of a JSON object as its text has them: not `1.50`,
 * `1e3`, `-0` or one of many digits. Strings that look like one count too.
 */
export const hasPlainNumbers = (text: string): boolean => !oddNumber.test(text);

/** The quote of a name goes before it: a time of day has colons, too. */
const oddNumber = /"\s*:\s*-?(?:[\d.]{16}|\d+\.\d*0(?!\d)|[\d.]+[eE]|0\.00000|0(?<=-0)(?![.\d]))/;

/**
 * Sixteen or more digits and points in a row. Looks at every sixteenth character, and around those
 * that could be part of it.
 */
function hasLongNumber(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let from = at;
    while (isDigitOrPoint(text.charCodeAt(from - 1))) from -= 1;
    let to = at + 1;
    while (to - from < 16 && isDigitOrPoint(text.charCodeAt(to))) to += 1;
    if (to - from >= 16) return true;
  }
  return false;
}

const isDigitOrPoint = (code: number): boolean => code === 0x2e || (code >= 0x30 && code <= 0x39);

/** A JSON number's text, as a number where JavaScript writes that in the same way. */
export function exactNumber(text: string): number | ExactNumber {
  const number = Number(text);
  return String(number) === text ? number : new ExactNumber(text);
}

/** The text of a number, with the sign of zero. */
export const writtenNumber = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/**
 * As JSON.parse does, the last of several members of one name among it, but with every digit of
 * every number.
 */
export const parseExact = (text: string): unknown =>
  parse(text, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue });

/** The same, and JSON inside keeps its text, which `writeJson` writes. */
export const parseKept = (text: string): unknown => withSource(parseExact(text), text);

/** A text that differs for values that JSON writes alike: of many digits, NaN, the infinities. */
export const keyOfValues = (values: unknown): string => JSON.stringify(values, exactly);

const exactly = (_name: string, value: unknown): unknown =>
  value instanceof ExactNumber || typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? { exact: String(value) }
    : value;

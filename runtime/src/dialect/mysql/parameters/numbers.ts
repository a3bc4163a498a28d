import type { SqlType } from '../../../descriptor/descriptor.js';
import { outOfRange, wrongForm } from './invalid.js';
import { baseName, isUnsigned } from './type-name.js';

const bits: ReadonlyMap<string, number> = new Map([
  ['tinyint', 8],
  ['smallint', 16],
  ['mediumint', 24],
  ['int', 32],
  ['integer', 32],
  ['bigint', 64],
]);

/**
 * A whole number of the type, as text.
 *
 *     wholeNumber(' +007 ', int)    // '7'
 */
export function wholeNumber(given: string, type: SqlType): string {
  const written = given.trim();
  if (!/^[+-]?\d+$/.test(written)) throw wrongForm();
  if (written.length > 40) throw outOfRange();
  const number = BigInt(written.replace('+', ''));
  if (baseName(type) === 'year') {
    if (number !== 0n && (number < 1901n || number > 2155n)) throw outOfRange();
    return number.toString();
  }
  const size = bits.get(baseName(type)) ?? 64;
  const fits = isUnsigned(type) ? BigInt.asUintN(size, number) === number : BigInt.asIntN(size, number) === number;
  if (!fits) throw outOfRange();
  return number.toString();
}

/** The most digits of a decimal number, and the most digits after its point. */
const maxDigits = 65;
const maxFraction = 30;

/**
 * The number of digits after the point in a parameter of the type: what the largest number of the
 * type leaves.
 */
export function fractionOf({ name }: SqlType): number {
  const [, digits, fraction = '0'] = /\((\d+)(?:,(\d+))?\)/.exec(name) ?? [];
  return digits === undefined ? maxFraction : Math.min(maxFraction, maxDigits - (Number(digits) - Number(fraction)));
}

/** A decimal number without an exponent. Numbers that the database would round are refused. */
export function decimalNumber(given: string, type: SqlType): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(given.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') throw wrongForm();
  const shift = Number(exponent);
  if (Math.abs(shift) > 100) throw outOfRange();
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const after = padded.slice(at).replace(/0+$/, '');
  const behind = fractionOf(type);
  if (before.length > maxDigits - behind || after.length > behind) throw outOfRange();
  return `${sign === '-' ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

/** A floating point number. The database has neither NaN nor infinities. */
export function floatNumber(given: string): string {
  const written = given.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written)) throw wrongForm();
  if (!Number.isFinite(Number(written))) throw outOfRange();
  return written.replace(/^\+/, '');
}

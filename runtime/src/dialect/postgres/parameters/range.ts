import type { ColumnType } from '../../../descriptor/descriptor.js';
import { malformed } from '../../malformed.js';

/**
 * Whether the text is a range literal. Accepted: `[1,5)`, `(,2020-01-01]`, `empty`, `["a,b",c)`.
 * Rejected: `1-5`, `[1]`, `[1,2,3)`.
 * Source: https://www.postgresql.org/docs/current/rangetypes.html#RANGETYPES-IO
 */
export const isRangeLiteral = (text: string): boolean => rangeLiteral.test(text);

/**
 * To this pattern, a doubled quote inside quotes is two quoted parts. There is one way to match it,
 * so that the pattern does not backtrack.
 */
const bound = String.raw`(?:"(?:[^"\\]|\\[\s\S])*"|[^",()[\]\\]|\\[\s\S])*`;
const rangeLiteral = new RegExp(String.raw`^\s*(?:empty|[[(]${bound},${bound}[\])])\s*$`, 'i');

type EncodeBound = (type: ColumnType, value: unknown) => string | null;

/**
 * The literal of `{lower, upper, lowerInclusive, upperInclusive, empty}`. An absent bound is
 * infinite; without flags a range includes its lower bound and excludes its upper bound, like
 * PostgreSQL's constructors.
 */
export function writeRange(value: object, subtype: ColumnType, encode: EncodeBound): string {
  const given = new Map<string, unknown>(Object.entries(value));
  for (const key of given.keys())
    if (!keys.includes(key)) throw malformed(`A range has no "${key}".`, `It has ${keys.join(', ')}.`);
  if (given.get('empty') === true) return 'empty';
  const bound = (key: string): string => {
    const each = given.get(key);
    const text = each === undefined || each === null ? null : encode(subtype, each);
    return text === null ? '' : `"${text.replace(/["\\]/g, '\\$&')}"`;
  };
  const open = given.get('lowerInclusive') === false ? '(' : '[';
  const close = given.get('upperInclusive') === true ? ']' : ')';
  return `${open}${bound('lower')},${bound('upper')}${close}`;
}

const keys = ['lower', 'upper', 'lowerInclusive', 'upperInclusive', 'empty'];

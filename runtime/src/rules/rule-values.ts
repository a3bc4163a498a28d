import { parse as parseLossless } from 'lossless-json';
import { createFindClaim, type FindRole } from '../auth/claim-path.js';
import type { ColumnType } from '../descriptor/descriptor.js';
import type { Registry } from '../descriptor/registry.js';
import type { RuleValue } from '../descriptor/row-rules.js';
import type { Identity } from '../dialect/driver.js';
import { isRecord } from '../is-record.js';
import { onceForEach } from '../once-for-each.js';
import { isWellFormed } from '../well-formed.js';

/**
 * Reads a value of a rule from an identity; undefined where it has none. Throws ServerError
 * `misconfigured` for a path of claims that cannot be read.
 * @param place where the rule is written, for the error
 */
export function ruleValueReader(value: RuleValue, place: string): (identity: Identity) => unknown {
  if ('role' in value) return ({ role }) => role;
  const { claim } = value;
  if (claim === 'userId' || claim === 'projectId') return (identity) => identity[claim];
  const find: FindRole = createFindClaim(claim, place);
  return (identity) => find(claimsOf(identity));
}

type Claims = Readonly<Record<string, unknown>>;

const nothing: Claims = {};

/** The claims with all digits of their numbers, which are texts here. */
const claimsOf = onceForEach(({ claims }: Identity): Claims => (claims === undefined ? nothing : parsed(claims)));

/** A text with the same claim twice says nothing: two readers may take two values from it. */
function parsed(text: string): Claims {
  try {
    const claims = parseLossless(text, undefined, (number) => number);
    return isRecord(claims) ? claims : nothing;
  } catch {
    return nothing;
  }
}

/**
 * Types that a value of an identity can be compared with. Each has a form that is checked here, so
 * that a claim of another form matches nothing instead of being an error of the database.
 */
const readers: Partial<Record<ColumnType['kind'], (value: unknown, type: ColumnType) => string | undefined>> = {
  int: wholeNumber,
  bigint: wholeNumber,
  numeric: (value) => matching(value, /^-?\d{1,30}(?:\.\d{1,20})?$/),
  boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  uuid: (value) => matching(value, /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i),
  text: (value) => (typeof value === 'string' && !value.includes('\0') && isWellFormed(value) ? value : undefined),
};

export const isComparable = ({ kind }: ColumnType): boolean => kind === 'enum' || readers[kind] !== undefined;

/**
 * A value of an identity as the text of a type, as GraphQL's inputs have it; undefined where it is
 * no such value.
 */
export function fittingText(value: unknown, type: ColumnType, { enums }: Registry): string | undefined {
  if (type.kind !== 'enum') return readers[type.kind]?.(value, type);
  const found = enums.get(type.enum ?? '')?.values.find(({ label }) => label === value);
  return found?.name ?? found?.label;
}

/** A list of them; undefined where one item is no such value. */
export function fittingTexts(value: unknown, type: ColumnType, registry: Registry): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((each: unknown) => fittingText(each, type, registry)).filter((each) => each !== undefined);
  return texts.length === value.length ? texts : undefined;
}

const matching = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

/** The sizes of whole numbers by the names of their types, of both databases. */
const bits: readonly (readonly [RegExp, number])[] = [
  [/^tinyint/, 8],
  [/^(?:smallint|int2)/, 16],
  [/^mediumint/, 24],
  [/^(?:int4|integer|int(?!\d))/, 32],
];

function wholeNumber(value: unknown, { sql: { name } }: ColumnType): string | undefined {
  const text = matching(value, /^-?\d{1,20}$/);
  if (text === undefined || name.startsWith('year')) return undefined;
  const number = BigInt(text);
  const size = bits.find(([form]) => form.test(name))?.[1] ?? 64;
  const cut = name.includes('unsigned') ? BigInt.asUintN(size, number) : BigInt.asIntN(size, number);
  return cut === number ? String(number) : undefined;
}

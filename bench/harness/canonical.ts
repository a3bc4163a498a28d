/** A value in the notation in which the answers of different targets are compared. */
export type Canonical = string | boolean | null | readonly Canonical[] | { readonly [name: string]: Canonical };

/**
 * Removes differences of notation, and nothing else: numbers are text without trailing zeros,
 * instants are UTC with milliseconds, enum labels are in lower case, and member names are in snake
 * case and sorted. The order and number of rows, all members and every other text stay.
 */
export function canonical(value: unknown): Canonical {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return canonicalText(String(value));
  if (typeof value === 'string') return canonicalText(value);
  if (Array.isArray(value)) return value.map(canonical);
  const members = Object.entries(value).map(([name, member]): [string, Canonical] => {
    const even = canonical(member);
    return [snakeCase(name), enums.has(name) && typeof even === 'string' ? even.toLowerCase() : even];
  });
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Columns of enum types: many GraphQL servers write their labels in upper case. */
const enums = new Set(['tier', 'status', 'method']);

/** Text with leading zeros is not a number and stays as it is. */
const decimal = /^-?(?:0|[1-9]\d*)\.\d+$/;
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function canonicalText(text: string): string {
  if (decimal.test(text)) return text.replace(/\.?0+$/, '');
  if (instant.test(text)) {
    // `Date` does not parse a zone of hours alone, which PostgreSQL writes.
    const time = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
    return time.toISOString();
  }
  return text;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

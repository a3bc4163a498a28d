/** A value in the one notation in which answers of different targets are compared. */
export type Canonical = string | boolean | null | readonly Canonical[] | { readonly [name: string]: Canonical };

/**
 * Evens out what is a matter of taste, and nothing else: numbers are text without trailing zeros, instants are UTC with milliseconds, enum
 * labels are in lower case, names of members are in snake case and sorted. Order and number of rows, members and every other text stay.
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

/** Columns of enum types: GraphQL servers like to write their labels in upper case. */
const enums = new Set(['tier', 'status', 'method']);

/** Leading zeros are kept: what has them is not a number. */
const decimal = /^-?(?:0|[1-9]\d*)\.\d+$/;
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function canonicalText(text: string): string {
  if (decimal.test(text)) return text.replace(/\.?0+$/, '');
  if (instant.test(text)) {
    // Date takes no zone of hours alone, which PostgreSQL writes.
    const time = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
    return time.toISOString();
  }
  return text;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

import { LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * JSON of the database's, parsed: as JSON.parse does, but a number that JavaScript would write with
 * other digits is a LosslessNumber.
 */
export const parseDatabaseJson = (text: string): unknown =>
  parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue });

function numberOf(text: string): number | LosslessNumber {
  const value = Number(text);
  return String(value) === text ? value : new LosslessNumber(text);
}

/** The JSON text of a parsed value, every number with the digits that the database wrote. */
export const databaseJsonText = (value: unknown): string =>
  typeof value === 'object' ? (stringify(value) ?? 'null') : JSON.stringify(value);

/** What JSON.parse would have made of the same text. */
export function plainJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof LosslessNumber) return Number(value.value);
  if (Array.isArray(value)) return value.map(plainJson);
  return Object.fromEntries(Object.entries(value).map(([key, each]: [string, unknown]) => [key, plainJson(each)]));
}

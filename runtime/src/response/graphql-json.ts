import { LosslessNumber, parse, stringify } from 'lossless-json';
import { sourceOf, withSource } from '../json-source.js';

/**
 * JSON of the database's, parsed: as JSON.parse does, but a number that JavaScript would write with
 * other digits is a LosslessNumber, and objects and lists keep their text.
 */
export const parseDatabaseJson = (text: string): unknown =>
  withSource(parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue }), text);

function numberOf(text: string): number | LosslessNumber {
  const value = Number(text);
  return String(value) === text ? value : new LosslessNumber(text);
}

/** The JSON text of a parsed value, as the database wrote it. */
export const databaseJsonText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? (sourceOf(value) ?? stringify(value) ?? 'null') : JSON.stringify(value);

/** What JSON.parse would have made of the same text. */
export function plainJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof LosslessNumber) return Number(value.value);
  if (Array.isArray(value)) return value.map(plainJson);
  return Object.fromEntries(Object.entries(value).map(([key, each]: [string, unknown]) => [key, plainJson(each)]));
}

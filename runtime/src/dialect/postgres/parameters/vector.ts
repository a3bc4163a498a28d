import { malformed } from '../../malformed.js';

/**
 * pgvector's text form, `[1,2.5,3]`. The check is here, because the database would check only after
 * planning: every entry is a finite number, and the length is that of the column.
 * @throws ServerError 400
 */
export function writeVector(value: unknown, dimension: number | undefined): string {
  if (!Array.isArray(value)) throw malformed('A vector is a list of numbers.', 'For example [0.1, 0.2, 0.3].');
  const entries: readonly unknown[] = value;
  if (entries.length === 0) throw malformed('A vector has at least one number.');
  if (dimension !== undefined && entries.length !== dimension) {
    throw malformed(`The vector has ${String(entries.length)} numbers; the column takes ${String(dimension)}.`);
  }
  if (!entries.every((entry) => typeof entry === 'number' && Number.isFinite(Math.fround(entry)))) {
    throw malformed('Every entry of a vector is a finite number.', 'It has the range of float4: up to 3.4e38.');
  }
  return `[${entries.join(',')}]`;
}

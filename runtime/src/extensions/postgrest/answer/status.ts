import type { FailureKind } from '../../../errors.js';

/**
 * The first that a SQLSTATE begins with says the status. Source: PostgREST, "Errors", "HTTP Status
 * Codes".
 */
const statuses: readonly (readonly [state: string, status: number])[] = [
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['53400', 500],
  ['53', 503],
  ['54', 500],
  ['55', 500],
  ['57P01', 503],
  ['57', 500],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0001', 400],
  ['P0', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['XX', 500],
];

/** By what a failure is, for codes that are not PostgreSQL's. */
const kinds: Partial<Record<FailureKind, number>> = {
  notNull: 400,
  check: 400,
  malformed: 400,
  invalidValue: 400,
  raised: 400,
};

const isSqlstate = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

/**
 * The status of a failure of the database.
 * @param status what this server answers otherwise: a function may have raised one of its own
 */
export function statusOfSqlstate(code: string, status: number, kind: FailureKind, isAnonymous: boolean): number {
  if (kind === 'denied') return isAnonymous ? 401 : 403;
  if (kind === 'unique' || kind === 'foreignKey') return 409;
  if (kind === 'raised' && code.startsWith('PT')) return /^PT\d{3}$/.test(code) ? status : 500;
  // A deferrable key in on_conflict: the request has to change, and not the server.
  if (kind === 'malformed' && code === '55000') return 400;
  if (!isSqlstate(code)) return kinds[kind] ?? status;
  const found = statuses.find(([state]) => code.startsWith(state));
  return found === undefined ? 400 : found[1];
}

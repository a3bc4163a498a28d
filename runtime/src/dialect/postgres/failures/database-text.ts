import type { DatabaseFailure } from '../../../plan/failure.js';
import type { ReadFailure } from './fields.js';

/**
 * SQLSTATEs whose messages name tables, columns, constraints, functions, types and settings alone.
 * Their details may quote a row, and are never databaseText.
 * Source: PostgreSQL's sources, `ereport` with these codes.
 */
const ofCatalogue: ReadonlySet<string> = new Set([
  ...['22001', '22026', '23502', '23503', '23505', '23514', '23P01', '25006', '2201B', '2201W', '2201X', '22012'],
  ...['40001', '40P01', '42501', '42703', '42725', '42804', '42846', '42883', '42P01', '42P10', '42P17', '42P18'],
  ...['44000', '53400', '54001', '55P03', '57014'],
]);

/** SQLSTATEs whose messages quote the value that could not be read. */
const ofValue: ReadonlySet<string> = new Set(['22003', '22007', '22008', '22P02']);

/** SQLSTATEs whose hints name the same things alone. */
const hinted: ReadonlySet<string> = new Set(['42703', '42725', '42883', '42P01', '54001']);

/**
 * What PostgreSQL says of a failure, for the form of REST that has its words. A message that
 * quotes a value is databaseText where the value is a parameter, so that the client has sent it.
 */
export function databaseTextOf({
  code,
  message,
  hint,
  parameter,
  inFunction,
}: ReadFailure): DatabaseFailure['databaseText'] {
  const isSent = ofValue.has(code) && parameter !== undefined && parameter.hook === undefined && !inFunction;
  // `Prefer: timezone` is the client's, too.
  const isTimeZone = code === '22023' && !inFunction && message.startsWith('invalid value for parameter "TimeZone"');
  if (!isSent && !isTimeZone && !ofCatalogue.has(code)) return undefined;
  return { message, hint: hinted.has(code) ? hint : undefined };
}

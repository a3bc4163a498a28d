import { types } from 'node:util';
import { codes } from '../errors.js';
import type { DatabaseFailure, Outage } from '../plan/failure.js';

/** The database cannot be reached. Source: Node.js documentation, "Common system errors". */
export const connectionFailures: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/**
 * Whether Node could not reach the database or lost it. ENOENT is a missing Unix socket.
 * @param isDrivers whether an error of the driver says the same
 */
export function isLostConnection(error: unknown, isDrivers: (error: Error) => boolean = () => false): boolean {
  if (!isError(error)) return false;
  if (error instanceof AggregateError) return error.errors.some((each) => isLostConnection(each, isDrivers));
  const { code, syscall } = error as NodeJS.ErrnoException;
  return connectionFailures.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect') || isDrivers(error);
}

/** If tests run in a separate context, `instanceof` does not know Node's own errors. */
export const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/** The failure of a statement whose connection is lost. */
export const unreachable: DatabaseFailure = {
  kind: 'unavailable',
  code: codes.unavailable,
  message: 'The database is not available.',
  hint: 'Try again in a moment.',
};

const outages = new Map<string, Outage>([
  ['ECONNREFUSED', 'connection refused'],
  // A missing Unix socket.
  ['ENOENT', 'connection refused'],
  ['ENOTFOUND', 'host name not found'],
  ['EAI_AGAIN', 'host name not found'],
  ['ETIMEDOUT', 'no answer in time'],
]);

/** The outage of a lost connection. */
export const outageOfConnection = (error: unknown): Outage => outages.get(codeOf(error)) ?? 'connection lost';

/** The code of an error of Node; a name with several addresses has an error for each of them. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code: unknown = isError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

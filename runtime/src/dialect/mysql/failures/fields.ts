import { types } from 'node:util';

/**
 * The members of an error of MySQL or MariaDB. Its message may quote values of rows: a client never
 * sees it.
 */
export interface DatabaseErrorFields {
  readonly number: number;
  readonly state: string;
  readonly message: string;
}

/** The fields of an error that the database reported; undefined for others. */
export function databaseErrorFields(error: unknown): DatabaseErrorFields | undefined {
  if (!isError(error) || !('errno' in error) || !('sqlState' in error)) return undefined;
  const { errno, sqlState, message } = error;
  if (typeof errno !== 'number' || errno < 1000 || typeof sqlState !== 'string') return undefined;
  return { number: errno, state: sqlState, message };
}

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
]);

/**
 * Whether Node could not reach the database or lost it; ENOENT is a Unix socket that is not there.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!isError(error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (connectionFailures.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect')) return true;
  return /connection is in closed state|^Connection lost|closed the connection/i.test(message);
}

export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code: unknown = isError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** Node's own errors are of another realm if tests run in a separate context. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

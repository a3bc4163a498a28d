import { TablewrightError, type ErrorCode } from '../../../tablewright-error.js';
import type { Address } from './address.js';
import { isObject } from '../../../is-record.js';

type Explanation = readonly [code: ErrorCode, message: string, hint: string];

/**
 * The error of a connection that could not be opened. The cause is kept: neither driver nor server
 * puts a password in it.
 */
export function connectionFailure(cause: unknown, address: Address): TablewrightError {
  const [code, message, hint] = explain(codeOf(cause), messageOf(cause), address);
  return new TablewrightError(code, message, hint, { cause });
}

function explain(code: string, message: string, { display, database = '' }: Address): Explanation {
  switch (code) {
    case 'ER_BAD_DB_ERROR':
      return [
        'DATABASE_UNKNOWN',
        `The server has no database "${database}".`,
        'Check the last part of the address, or create the database: CREATE DATABASE name.',
      ];
    case 'ER_DBACCESS_DENIED_ERROR':
      return [
        'DATABASE_AUTHENTICATION',
        `The user may not use the database "${database}".`,
        'As an administrator run: GRANT SELECT, INSERT, UPDATE, DELETE, EXECUTE, SHOW VIEW ON name.* TO user.',
      ];
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR':
    case 'ER_HOST_NOT_PRIVILEGED':
      return [
        'DATABASE_AUTHENTICATION',
        `The server refused the user name or password of ${display}.`,
        'Check user and password of the address, and that the user may connect from this machine; write @ as %40, : as %3A, / as %2F and # as %23.',
      ];
    case 'ER_CON_COUNT_ERROR':
    case 'ER_TOO_MANY_USER_CONNECTIONS':
      return [
        'DATABASE_UNREACHABLE',
        `The server at ${display} accepts no connection now: it has too many connections.`,
        'Wait a moment and try again.',
      ];
    default:
      return [
        'DATABASE_UNREACHABLE',
        `No connection to ${display} (${code === '' ? message : code}).`,
        'Check that the server runs and that host and port of the address are right.',
      ];
  }
}

/** The error of a statement that the database refused. */
export const queryFailure = (cause: unknown, display: string): TablewrightError =>
  new TablewrightError(
    'DATABASE_QUERY',
    `${display} could not answer: ${messageOf(cause)}.`,
    'Check that the connection is up and that the user may read information_schema.',
    { cause },
  );

const codeOf = (error: unknown): string => (isObject(error) && typeof error['code'] === 'string' ? error['code'] : '');

function messageOf(error: unknown): string {
  if (!isObject(error)) return String(error);
  return typeof error['message'] === 'string' && error['message'] !== '' ? error['message'] : 'no reason given';
}

import { connectionFailures } from '../../../connection-failure.js';
import { TablewrightError, type ErrorCode } from '../../../../tablewright-error.js';
import { isObject } from '../../../../is-record.js';

/** The target of a connection, which messages may name. */
export interface Target {
  readonly display: string;
  readonly database: string;
}

type Explanation = readonly [code: ErrorCode, message: string, hint: string];

/** And those of a Unix socket that is missing, or that the user may not open. */
const unreachableCodes = new Set([...connectionFailures, 'ENOENT', 'EACCES']);

/**
 * The error of a connection that could not be opened. The cause is kept: neither pg nor PostgreSQL
 * puts a password in it.
 */
export function connectionFailure(cause: unknown, target: Target): TablewrightError {
  const [code, message, hint] = explain(codeOf(cause), messageOf(cause), target);
  return new TablewrightError(code, message, hint, { cause });
}

function explain(code: string, message: string, target: Target): Explanation {
  if (code === '3D000') {
    return [
      'DATABASE_UNKNOWN',
      `The server has no database "${target.database}".`,
      'Check the last part of the address, or create the database: createdb NAME.',
    ];
  }
  if (code.startsWith('28') || message.startsWith('SASL')) return authentication(message, target);
  if (code === '42501') {
    return [
      'DATABASE_AUTHENTICATION',
      `The user may not connect to the database "${target.database}".`,
      'As its owner run: GRANT CONNECT ON DATABASE name TO user.',
    ];
  }
  if (/SSL|TLS|CERT|self.signed/i.test(`${code} ${message}`)) return encryption(message, target);
  if (code === '53300' || code === '57P03') {
    return [
      'DATABASE_UNREACHABLE',
      `The server at ${target.display} accepts no connection now: ${message}.`,
      'Wait a moment and try again.',
    ];
  }
  const reason = unreachableCodes.has(code) ? code : message;
  return [
    'DATABASE_UNREACHABLE',
    `No connection to ${target.display} (${reason}).`,
    'Check that the server runs and that host and port of the address are right.',
  ];
}

function authentication(message: string, target: Target): Explanation {
  const refusedHost = message.includes('pg_hba.conf');
  return [
    'DATABASE_AUTHENTICATION',
    `The server refused the user name or password of ${target.display}${refusedHost ? ` (${message})` : ''}.`,
    refusedHost
      ? 'Have the server allow this user from this machine in pg_hba.conf; if it asks for encryption, add ?sslmode=require to the address.'
      : 'Check user and password of the address; in them write @ as %40, : as %3A, / as %2F and # as %23.',
  ];
}

function encryption(message: string, target: Target): Explanation {
  return [
    'DATABASE_UNREACHABLE',
    `No encrypted connection to ${target.display}: ${message}.`,
    'Set sslmode in the address as the server needs it: ?sslmode=disable, no-verify (encrypted, certificate unchecked) or verify-full&sslrootcert=FILE.',
  ];
}

/** The error of a statement that the database refused. */
export function queryFailure(cause: unknown, display: string): TablewrightError {
  const code = codeOf(cause);
  const hint =
    code === '57014'
      ? 'The role has a statement_timeout: raise it for this role.'
      : 'Check that the connection is up and that the role may read the system catalogue (pg_catalog).';
  return new TablewrightError(
    'DATABASE_QUERY',
    `${display} could not answer: ${messageOf(cause)}${code === '' ? '' : ` (${code})`}.`,
    hint,
    { cause },
  );
}

/** Checks members instead of the class: in another realm Node's errors are of another class. */
function codeOf(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

function messageOf(error: unknown): string {
  if (!isObject(error)) return String(error);
  const { message, errors } = error;
  // Node tried each address of the host, and gives no message of its own.
  if (Array.isArray(errors) && (message === undefined || message === '')) return errors.map(messageOf).join('; ');
  return typeof message === 'string' ? message : 'no reason given';
}

import { types } from 'node:util';
import type { FailedStatement } from '../../failure.js';
import type { Slot } from '../../statement.js';

/**
 * The members of a driver's error about a failed statement. `message`, `detail` and `hint` may
 * quote row values: a client sees them only where the database's author wrote them. The names of
 * the constraint, table and column are of the catalogue and may be shown.
 * Source: https://www.postgresql.org/docs/current/protocol-error-fields.html
 */
export interface DatabaseErrorFields {
  /** The SQLSTATE. */
  readonly code: string;
  /** Every error of a database has it, and no other: `ERROR`, `FATAL`. */
  readonly severity?: string | undefined;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** The name of a domain, for its own constraints. */
  readonly dataType?: string | undefined;
  /**
   * Where in the statement's text a parse error is. Errors raised while a value is converted have
   * none.
   */
  readonly position?: string | undefined;
  /** The statement inside a function that failed. */
  readonly internalQuery?: string | undefined;
  /** The database's context: its current functions, or the parameter that it read. */
  readonly where?: string | undefined;
  /** PostgreSQL's own function that reported the error. Unlike messages it is in no language. */
  readonly routine?: string | undefined;
}

/** A failure with the facts about its statement. */
export interface ReadFailure extends DatabaseErrorFields {
  readonly statement: FailedStatement | undefined;
  /** The parameter whose value was being read. */
  readonly parameter: Slot | undefined;
  /** Code of the database's author was running: a function, a trigger, a procedure. */
  readonly inFunction: boolean;
}

/**
 * `unnamed portal parameter $2 = '…'`, since PostgreSQL 14 and in any language. A function's
 * context has no `$n` before its first quote.
 * Source: bind_param_error_callback in src/backend/tcop/postgres.c
 */
const parameterNumber = /^[^"'\n]*\$(\d+)/;

/** A line of a context that is neither about a parameter nor about the JSON that was being read. */
const isOfFunction = (line: string): boolean =>
  line !== '' && !parameterNumber.test(line) && !/^[^"]*\bJSON\b/.test(line);

export function readWith(fields: DatabaseErrorFields, statement: FailedStatement | undefined): ReadFailure {
  const number = parameterNumber.exec(fields.where ?? '')?.[1];
  return {
    ...fields,
    statement,
    parameter: number === undefined ? undefined : statement?.slots?.[Number(number) - 1],
    inFunction: fields.internalQuery !== undefined || (fields.where ?? '').split('\n').some(isOfFunction),
  };
}

const sqlState = /^[0-9A-Z]{5}$/;

/**
 * The fields of a driver's error, or undefined when it is no database error. Node's own errors have
 * codes of another form.
 */
export function databaseErrorFields(error: unknown): DatabaseErrorFields | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  if (typeof code !== 'string' || !sqlState.test(code)) return undefined;
  // Node has codes of five capitals too.
  if (isConnectionFailure(error) || 'syscall' in error) return undefined;
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    code,
    message: error.message,
    severity: text('severity'),
    detail: text('detail'),
    hint: text('hint'),
    schema: text('schema'),
    table: text('table'),
    column: text('column'),
    constraint: text('constraint'),
    dataType: text('dataType'),
    position: text('position'),
    internalQuery: text('internalQuery'),
    where: text('where'),
    routine: text('routine'),
  };
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
]);

/**
 * Whether Node could not reach the database or lost it; ENOENT is a Unix socket that is not there.
 * Source: Node.js documentation, "Common system errors".
 */
export function isConnectionFailure(error: unknown): boolean {
  // Node's own errors are of another realm if tests run in a separate context.
  if (!types.isNativeError(error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return connectionFailures.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect');
}

import { isLostConnection } from '../../connection-failure.js';
import type { FailedStatement } from '../../../plan/failure.js';
import type { Slot } from '../../../plan/statement.js';

/**
 * The fields of a driver's error about a failed statement. `message`, `detail` and `hint` may quote
 * row values: clients see them only if the database's author wrote them. Names of the constraint,
 * table and column are from the catalogue and may be shown.
 * Source: https://www.postgresql.org/docs/current/protocol-error-fields.html
 */
export interface DatabaseErrorFields {
  /** The SQLSTATE. */
  readonly code: string;
  /** Only errors of a database have it: `ERROR`, `FATAL`. */
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
   * The position of a parse error in the text of the statement. Errors from the conversion of a
   * value have none.
   */
  readonly position?: string | undefined;
  /** The statement inside a function that failed. */
  readonly internalQuery?: string | undefined;
  /**
   * The database's context: the functions that were running, or the parameter that it was reading.
   */
  readonly where?: string | undefined;
  /**
   * The function of PostgreSQL's source that reported the error. Unlike messages it is not
   * translated.
   */
  readonly routine?: string | undefined;
}

/** A failure with the facts about its statement. */
export interface ReadFailure extends DatabaseErrorFields {
  readonly statement: FailedStatement | undefined;
  /** The parameter whose value the database was reading. */
  readonly parameter: Slot | undefined;
  /** A function, a trigger or a procedure of the database's author was running. */
  readonly inFunction: boolean;
}

/**
 * `unnamed portal parameter $2 = '…'`, since PostgreSQL 14 and in any language. A function's
 * context has no `$n` before its first quote.
 * Source: bind_param_error_callback in src/backend/tcop/postgres.c
 */
const parameterNumber = /^[^"'\n]*\$(\d+)/;

/** A line of a context that is about neither a parameter nor JSON input. */
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

/** The functions of postgres_fdw that report failures of a foreign server, in any language. */
const ofForeignServer: ReadonlySet<string> = new Set([
  'connect_pg_server',
  'pgfdw_report_error',
  'pgfdw_report_internal',
]);

/**
 * Whether a server that foreign tables are on cannot be reached. The database itself answers, and
 * so do statements that do not touch these tables.
 * Source: contrib/postgres_fdw/connection.c; class HV is of foreign data wrappers.
 */
export const isForeignOutage = ({ code, routine = '' }: Pick<DatabaseErrorFields, 'code' | 'routine'>): boolean =>
  code === 'HV000' || code === 'HV00N' || (/^(08|57P)/.test(code) && ofForeignServer.has(routine));

const sqlState = /^[0-9A-Z]{5}$/;

/**
 * The fields of a driver's error; undefined if it is not the database's. Codes of Node's own errors
 * have another form.
 */
export function databaseErrorFields(error: unknown): DatabaseErrorFields | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  if (typeof code !== 'string' || !sqlState.test(code)) return undefined;
  // Some codes of Node have five capital letters, too.
  if (isLostConnection(error) || 'syscall' in error) return undefined;
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

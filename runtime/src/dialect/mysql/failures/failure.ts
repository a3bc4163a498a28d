import { codes } from '../../../errors.js';
import type { DatabaseFailure, FailedStatement } from '../../failure.js';
import { databaseErrorFields, isConnectionFailure, type DatabaseErrorFields } from './fields.js';
import { meaningOf } from './numbers.js';

/** The meaning of an error of the driver; undefined for an error that is not the database's. */
export function failureOf(error: unknown, statement?: FailedStatement): DatabaseFailure | undefined {
  const fields = databaseErrorFields(error);
  if (fields !== undefined) return failureIn(fields, statement);
  return isConnectionFailure(error) ? unreachable : undefined;
}

const unreachable: DatabaseFailure = {
  kind: 'unavailable',
  code: codes.unavailable,
  message: 'The database is not available.',
  hint: 'Try again in a moment.',
};

/**
 * `SIGNAL SQLSTATE '45000'`: the status its author chose, in the third to fifth character of
 * `PTnnn` if it has that form.
 */
function failureIn(fields: DatabaseErrorFields, statement: FailedStatement | undefined): DatabaseFailure {
  const { number, state, message } = fields;
  if (number === 1644) {
    const status = /^PT([45]\d\d)$/.exec(state)?.[1];
    return { kind: 'raised', code: state, message, status: status === undefined ? 400 : Number(status) };
  }
  const { kind, code, message: ours, hint } = meaningOf(fields, statement);
  return { kind, code, message: ours, hint, ...subjects(fields, statement) };
}

/**
 * The names that are in the message. They are of the catalogue; what else stands there may be of a
 * row.
 */
function subjects(
  { number, message }: DatabaseErrorFields,
  statement: FailedStatement | undefined,
): Pick<DatabaseFailure, 'constraint' | 'column' | 'table' | 'schema'> {
  const { table } = statement ?? {};
  const own = table === undefined ? {} : { table: table.name, schema: table.schema };
  switch (number) {
    case 1062: {
      const key = / for key '(?:[^']*\.)?([^']+)'$/.exec(message)?.[1];
      const constraint = key === 'PRIMARY' ? (table?.primaryKey?.name ?? key) : key;
      return constraint === undefined ? {} : { ...own, constraint };
    }
    case 1451:
    case 1452: {
      const found = /\(`([^`]+)`\.`([^`]+)`, CONSTRAINT `([^`]+)` FOREIGN KEY/.exec(message);
      return found === null ? {} : { schema: found[1], table: found[2], constraint: found[3] };
    }
    case 4025: {
      const constraint = /^CONSTRAINT `([^`]+)` failed/.exec(message)?.[1];
      return constraint === undefined ? {} : { ...own, constraint };
    }
    case 3819: {
      const constraint = /^Check constraint '([^']+)' is violated/.exec(message)?.[1];
      return constraint === undefined ? {} : { ...own, constraint };
    }
    case 1048:
    case 1364: {
      const column = /^(?:Column|Field) '([^']+)'/.exec(message)?.[1];
      return column === undefined ? {} : { ...own, column };
    }
    case 1406:
    case 1264:
    case 1265:
    case 1366:
    case 1292: {
      const column = /column (?:`[^`]+`\.`[^`]+`\.)?[`']([^`']+)[`'] at row/.exec(message)?.[1];
      return column === undefined ? {} : { column };
    }
    default:
      return {};
  }
}

import { unreachable } from '../../connection-failure.js';
import type { DatabaseFailure, FailedStatement } from '../../../plan/failure.js';
import { namesIn, sameNames, type SchemaNames } from '../../schema-names.js';
import { databaseErrorFields, isConnectionFailure, type DatabaseErrorFields } from './fields.js';
import { meaningOf } from './numbers.js';

/** The failure that a driver's error means; undefined for an error that is not the database's. */
export function failureOf(
  error: unknown,
  statement?: FailedStatement,
  databases: SchemaNames = sameNames,
): DatabaseFailure | undefined {
  const fields = databaseErrorFields(error);
  if (fields !== undefined) return failureIn(fields, statement, namesIn(error) ?? databases);
  return isConnectionFailure(error) ? unreachable : undefined;
}

/**
 * `SIGNAL SQLSTATE '45000'` has the HTTP status that its author chose, in the third to fifth
 * character of a SQLSTATE `PTnnn`.
 */
function failureIn(
  fields: DatabaseErrorFields,
  statement: FailedStatement | undefined,
  databases: SchemaNames,
): DatabaseFailure {
  const { number, state, message } = fields;
  if (number === 1644) {
    const status = /^PT([45]\d\d)$/.exec(state)?.[1];
    return { kind: 'raised', code: state, message, status: status === undefined ? 400 : Number(status) };
  }
  const { kind, code, message: ours, hint } = meaningOf(fields, statement);
  return { kind, code, message: ours, hint, ...subjects(fields, statement, databases) };
}

/**
 * Names from the message. They are from the catalogue; other parts of the message may be values of
 * a row.
 */
function subjects(
  { number, message }: DatabaseErrorFields,
  statement: FailedStatement | undefined,
  databases: SchemaNames,
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
      if (found === null) return {};
      const [, database = '', name, constraint] = found;
      return { schema: databases.schemaOf(database), table: name, constraint };
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

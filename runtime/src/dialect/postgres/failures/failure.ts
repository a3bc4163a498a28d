import { isLostConnection, unreachable } from '../../connection-failure.js';
import type { TypeRegistry } from '../../dialect.js';
import { namesIn, sameNames } from '../../schema-names.js';
import type { DatabaseFailure, FailedStatement } from '../../../plan/failure.js';
import { databaseErrorFields, readWith, type ReadFailure } from './fields.js';
import { isRefusedForm, meaningOf, raisedStatus } from './sqlstates.js';
import { suspectColumn } from './suspect-column.js';
import { databaseTextOf } from './database-text.js';

/** The failure that a driver's error means; undefined for other errors. */
export function failureOf(
  error: unknown,
  statement?: FailedStatement,
  types?: TypeRegistry,
): DatabaseFailure | undefined {
  const fields = databaseErrorFields(error);
  if (fields !== undefined) {
    const schema = fields.schema && (namesIn(error) ?? sameNames).schemaOf(fields.schema);
    return failureIn(readWith({ ...fields, schema }, statement), types);
  }
  return isLostConnection(error) ? unreachable : undefined;
}

function failureIn(failure: ReadFailure, types: TypeRegistry | undefined): DatabaseFailure {
  const { code, severity, message, hint, detail, schema, table, column, constraint, dataType, parameter } = failure;
  const subjects = {
    schema,
    table,
    column,
    constraint,
    domain: dataType,
    subject: parameter?.subject,
    hook: parameter?.hook,
  };
  const refusal = isRefusedForm(failure) ? { isRefusedForm: true as const } : {};
  const status = severity === undefined ? undefined : raisedStatus(code);
  if (status !== undefined) return { kind: 'raised', code, message, hint, detail, status, ...subjects, ...refusal };
  const { kind, message: ours, hint: advice } = meaningOf(failure);
  const databaseText = severity === undefined ? undefined : databaseTextOf(failure);
  const suspect = suspectIn(failure, types);
  return { kind, code, message: ours, hint: advice, databaseText, ...subjects, suspect, ...refusal };
}

function suspectIn({ code, statement }: ReadFailure, types: TypeRegistry | undefined): string | undefined {
  const { table, rows } = statement ?? {};
  if (table === undefined || rows === undefined || types === undefined) return undefined;
  return suspectColumn(code, table, rows, types.enums);
}

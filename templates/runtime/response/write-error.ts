import type { Registry, Table } from '../registry.js';
import { ServerError } from '../errors.js';
import { databaseErrorFields, type DatabaseErrorFields } from './database-error.js';
import { toServerError } from './server-error.js';
import { uniqueKeys } from '../unique-keys.js';

/**
 * What became of a write, with the columns of the constraint that it broke: the database names the constraint, the catalogue knows its columns. Values
 * are never told. Anything else stays as it is. Source: decisions 6, "Errors".
 */
export function explainWriteError(error: unknown, registry: Registry): unknown {
  if (error instanceof ServerError) return error;
  const fields = databaseErrorFields(error);
  if (fields?.constraint === undefined) return error;
  const columns = columnsOf(fields, error, registry);
  if (columns === undefined) return error;
  const { status, code, message, hint, headers } = toServerError(error);
  const details = `About constraint "${fields.constraint}" on ${columns.map((name) => `"${name}"`).join(', ')} of table "${fields.table ?? ''}".`;
  return new ServerError(status, code, message, { details, hint, headers, cause: error });
}

function columnsOf(
  { constraint, table: name }: DatabaseErrorFields,
  error: unknown,
  registry: Registry,
): readonly string[] | undefined {
  const schema: unknown = Reflect.get(error as object, 'schema');
  const table = registry.schemas.get(typeof schema === 'string' ? schema : '')?.get(name ?? '');
  if (table === undefined) return undefined;
  return keyColumns(table, constraint) ?? foreignColumns(table, constraint);
}

const keyColumns = (table: Table, constraint: string | undefined) =>
  uniqueKeys(table).find((key) => key.name === constraint)?.columns;

/** A deleted row's error names the table that refers to it: the foreign key is that table's own, too. */
const foreignColumns = ({ relations = [] }: Table, constraint: string | undefined) =>
  relations.find((relation) => relation.direction === 'forward' && relation.constraint === constraint)?.columns;

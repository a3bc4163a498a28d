import type { OnConflict } from '../../../plan/write/write-intent.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { wholeFilterOf } from './filter.js';
import { malformedParameter } from '../../../plan/refuse.js';
import { mergeKeys } from '../../../descriptor/unique-keys.js';

/**
 * `onConflict: {constraint, updateColumns, where}`. Without `updateColumns`, all given columns are
 * updated; with an empty list, the row does not change. Source: decision 005. Throws ServerError
 * 400
 * if both spellings of `updateColumns` are given, and for null in `where`.
 */
export function onConflictOf(registry: Registry, table: Table, given: ArgumentValue): OnConflict {
  const fields = new Map(given.fields());
  const part = (name: string): ArgumentValue | undefined => {
    const found = fields.get(name);
    return found?.isNull === true ? undefined : found;
  };
  const [constraint, columns, alias, where] = [
    part('constraint'),
    part('updateColumns'),
    part('update_columns'),
    fields.get('where'),
  ];
  if (columns !== undefined && alias !== undefined) {
    throw malformedParameter(
      'onConflict has updateColumns and update_columns.',
      'They mean the same: give one of them.',
    );
  }
  const listed = columns ?? alias;
  const update = listed === undefined ? undefined : writtenColumnsOf(table, listed);
  return {
    ...(constraint === undefined ? {} : { target: { kind: 'constraint', name: constraintOf(table, constraint) } }),
    action: update?.length === 0 ? 'ignore' : 'update',
    ...(update === undefined || update.length === 0 ? {} : { columns: update }),
    ...(where === undefined ? {} : { where: wholeFilterOf(registry, table, where) }),
  };
}

/** The columns behind members of the table's enum of columns to update. */
const writtenColumnsOf = (table: Table, given: ArgumentValue): readonly string[] =>
  given.items().map((item) => {
    const column = table.byField.get(String(item.current()));
    if (column === undefined) throw new TypeError(`${table.type} has no column ${String(item.current())}.`);
    return column.name;
  });

/** The constraint behind a member of the table's enum of constraints. */
function constraintOf(table: Table, given: ArgumentValue): string {
  const name = String(given.current());
  const keys = mergeKeys(table);
  const found = keys.find((key) => key.field === name) ?? keys.find((key) => key.name === name);
  if (found === undefined)
    throw new TypeError(`${table.type} has no constraint ${name}; validation lets none through.`);
  return found.name;
}

import type { GraphQLField } from 'graphql';
import type { Filter } from '../../../plan/intent.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import { rowKeyOf } from '../../../descriptor/unique-keys.js';
import { all, filterOf, limiting, refuseMissing, refuseNull } from '../arguments/filter.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { malformedParameter } from '../../../plan/refuse.js';
import { argumentOf, type Scope, type Selected } from '../arguments/scope.js';

/**
 * Which rows are written: `where` and `id`, both of which hold. Undefined when neither is given, or
 * null: the caller has to write nothing then. `where: {}` is every row. Source: decision 005.
 * Throws
 * ServerError 400 for null beside the other, which never means "every row".
 */
export function targetOf(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): Filter | undefined {
  const where = argumentOf(scope, definition, selected, 'where');
  const id = argumentOf(scope, definition, selected, 'id');
  if (isAbsent(where) && isAbsent(id)) return undefined;
  return all([
    ...(where === undefined ? [] : [wholeFilterOf(scope.registry, table, where)]),
    ...(id === undefined ? [] : [byKey(table, id)]),
  ]);
}

const isAbsent = (given: ArgumentValue | undefined): boolean => given === undefined || given.isNull;

/**
 * A filter with nothing left out of it: a part whose variable was not given would write more rows
 * than were meant. So would a list of conditions that has become empty; only `{}` is every row.
 */
export function wholeFilterOf(registry: Registry, table: Table, where: ArgumentValue): Filter {
  refuseIncomplete(where);
  const filter = filterOf(registry, table, where);
  return where.fields().length === 0 ? filter : limiting(filter, 'where');
}

function refuseIncomplete(given: ArgumentValue): void {
  refuseMissing(given);
  given.parts?.forEach(refuseIncomplete);
}

function byKey(table: Table, id: ArgumentValue): Filter {
  refuseNull(id, 'id');
  const [column, ...more] = rowKeyOf(table) ?? [];
  if (column === undefined || more.length > 0) {
    throw malformedParameter(`${table.type} has no key of one column, so id finds no row.`, 'Give where instead.');
  }
  return { kind: 'compare', column, operator: 'eq', values: [id.value()] };
}

import type { GraphQLField } from 'graphql';
import type { Filter } from '../../plan/intent.js';
import type { Registry, Table } from '../../registry.js';
import { all, filterOf, refuseMissing, refuseNull } from './filter.js';
import type { Given } from './given.js';
import { refusedArgument } from './refusal.js';
import { argumentOf, type Scope, type Selected } from './scope.js';

/**
 * Which rows are written: `where` and `id`, both of which hold. Undefined when neither is given: whoever calls has to write nothing then.
 * `where: {}` is every row. Source: decisions 5. Throws ServerError 400 for null, which never means "every row".
 */
export function targetOf(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): Filter | undefined {
  const where = argumentOf(scope, definition, selected, 'where');
  const id = argumentOf(scope, definition, selected, 'id');
  const filters = [
    ...(where === undefined ? [] : [wholeFilterOf(scope.registry, table, where)]),
    ...(id === undefined ? [] : [byKey(table, id)]),
  ];
  return filters.length === 0 ? undefined : all(filters);
}

/** A filter with nothing left out of it: a part whose variable was not given would write more rows than were meant. */
export function wholeFilterOf(registry: Registry, table: Table, where: Given): Filter {
  refuseIncomplete(where);
  return filterOf(registry, table, where);
}

function refuseIncomplete(given: Given): void {
  refuseMissing(given);
  given.parts?.forEach(refuseIncomplete);
}

function byKey(table: Table, id: Given): Filter {
  refuseNull(id, 'id');
  const [column, ...more] = table.primaryKey?.columns ?? [];
  if (column === undefined || more.length > 0) {
    throw refusedArgument(`${table.type} has no key of one column, so id finds no row.`, 'Give where instead.');
  }
  return { kind: 'compare', column, operator: 'eq', values: [id.value()] };
}

import type { GraphQLField } from 'graphql';
import type { Table } from '../../../descriptor/registry.js';
import type { ReadIntent } from '../../../plan/intent.js';
import { anyOf, filterOf } from './filter.js';
import { presentArgument, type Scope, type Selected } from './scope.js';

/** `where`, and the top-level `or` ANDed with it. */
export function whereOf(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): Pick<ReadIntent, 'where'> {
  const where = presentArgument(scope, definition, selected, 'where');
  const or = presentArgument(scope, definition, selected, 'or');
  const filters = [
    ...(where === undefined ? [] : [filterOf(scope.registry, table, where)]),
    ...(or === undefined ? [] : [anyOf(scope.registry, table, or)]),
  ];
  const [only] = filters;
  if (only === undefined) return {};
  return { where: filters.length === 1 ? only : { kind: 'and', filters } };
}

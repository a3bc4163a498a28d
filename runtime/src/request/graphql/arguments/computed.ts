import type { GraphQLField } from 'graphql';
import type { ComputedDescriptor } from '../../../descriptor/descriptor.js';
import type { Table } from '../../../descriptor/registry.js';
import type { ComputedField } from '../../../plan/intent.js';
import type { ArgumentValue } from './argument-value.js';
import { givenArguments } from './given-arguments.js';
import { malformedParameter } from '../../../plan/refuse.js';
import { argumentOf, type Scope, type Selected } from './scope.js';

export const computedOf = (table: Table, name: string): ComputedDescriptor | undefined =>
  table.computed?.find((each) => each.name === name);

type Given = Pick<ComputedField, 'arguments'>;

/** The arguments of the function in a field of a row or of an aggregate. */
export const givenByField = (
  scope: Scope,
  computed: ComputedDescriptor,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): Given => givenTo(computed, (name) => argumentOf(scope, definition, selected, name));

/**
 * The same of the member `args` of a filter or an order. Throws ServerError 400 for null, which
 * gives no arguments.
 */
export function givenByInput(computed: ComputedDescriptor, given: ArgumentValue | undefined): Given {
  if (given?.isNull === true) throw malformedParameter(`${computed.name}: args is null.`, 'Leave it out.');
  const values = new Map(given?.fields());
  return givenTo(computed, (name) => values.get(name));
}

function givenTo(
  { arguments: all = [] }: ComputedDescriptor,
  valueOf: (name: string) => ArgumentValue | undefined,
): Given {
  const given = givenArguments(all, valueOf);
  return given.length === 0 ? {} : { arguments: given };
}

/**
 * A column or a computed field by its GraphQL name, as `groupBy`, `distinctOn` and `having` write
 * it; undefined where there is none.
 */
export function namedValue(table: Table, name: string): string | ComputedField | undefined {
  const column = table.byField.get(name);
  if (column !== undefined) return column.name;
  return computedOf(table, name) === undefined ? undefined : { computed: name };
}

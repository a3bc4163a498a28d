import type { GraphQLField } from 'graphql';
import type { FunctionDescriptor } from '../../../descriptor/descriptor.js';
import type { Table } from '../../../descriptor/registry.js';
import { resultRows } from '../../../descriptor/results.js';
import type { AttributeSelection, FunctionCall, ValueIntent } from '../../../plan/intent.js';
import { graphqlForm } from '../../../plan/intent-form.js';
import { attributesOf, compositeOf, keyOf } from './column.js';
import { countOf } from '../arguments/count.js';
import { givenArguments } from '../arguments/given-arguments.js';
import { ordersOf } from '../arguments/order.js';
import { argumentOf, presentArgument, type Scope, type Selected } from '../arguments/scope.js';
import { whereOf } from '../arguments/where.js';

type Definition = GraphQLField<unknown, unknown>;

/** The table whose rows a function answers. */
export function answeredTable({ registry }: Pick<Scope, 'registry'>, called: FunctionDescriptor): Table | undefined {
  if (called.table === undefined) return undefined;
  const table = registry.table.get(called.table);
  if (table === undefined) throw new TypeError(`${called.field} answers rows of ${called.table}, which is not there.`);
  return table;
}

/** A function with the arguments that a field gives it. */
export function callOf(
  scope: Scope,
  called: FunctionDescriptor,
  definition: Definition,
  selected: Selected,
): FunctionCall {
  return {
    function: called,
    arguments: givenArguments(called.arguments, (name) => argumentOf(scope, definition, selected, name)),
  };
}

/** A function that answers no rows of a table, and the key its answer is read under. */
export function valueOf(
  scope: Scope,
  called: FunctionDescriptor,
  definition: Definition,
  selected: Selected,
): { readonly as: string; readonly value: ValueIntent } {
  const call = callOf(scope, called, definition, selected);
  const chosen = chosenValues(scope, called, definition, selected);
  const composite = called.returns === undefined ? undefined : compositeOf(scope, called.returns);
  if (composite === undefined)
    return { as: keyOf(scope, definition, selected), value: { call, ...chosen, form: graphqlForm } };
  const select: readonly AttributeSelection[] = attributesOf(scope, composite, definition, selected);
  return { as: selected.as, value: { call, select, ...chosen, form: graphqlForm } };
}

/** `where`, `orderBy`, `limit` and `offset` of a list of values; nothing where none is given. */
function chosenValues(
  scope: Scope,
  called: FunctionDescriptor,
  definition: Definition,
  selected: Selected,
): Pick<ValueIntent, 'chosen'> {
  const table = called.operation === 'query' ? resultRows(called, scope.registry) : undefined;
  if (table === undefined) return {};
  const [orderBy, limit, offset] = ['orderBy', 'limit', 'offset'].map((name) =>
    presentArgument(scope, definition, selected, name),
  );
  const where = whereOf(scope, table, definition, selected);
  if ([where.where, orderBy, limit, offset].every((each) => each === undefined)) return {};
  return {
    chosen: {
      table,
      ...where,
      ...(orderBy === undefined ? {} : { orderBy: ordersOf(scope.registry, table, orderBy) }),
      ...(limit === undefined ? {} : { limit: countOf(limit) }),
      ...(offset === undefined ? {} : { offset: countOf(offset) }),
    },
  };
}

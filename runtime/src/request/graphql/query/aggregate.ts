import type { GraphQLField, GraphQLObjectType } from 'graphql';
import { aggregateFunctions } from '../../../plan/aggregates.js';
import type { AggregateFunction, AggregateIntent, AggregateSelection } from '../../../plan/intent.js';
import { graphqlForm } from '../../../plan/intent-form.js';
import type { Table } from '../../../descriptor/registry.js';
import { subFields } from './collect.js';
import { keyOf } from './column.js';
import { computedOf, givenByField } from '../arguments/computed.js';
import { havingOf } from '../arguments/having.js';
import { objectType } from './object-type.js';
import { columnsOf } from '../arguments/order.js';
import { fieldOfType, presentArgument, type Scope, type Selected } from '../arguments/scope.js';
import { whereOf } from '../arguments/where.js';

/** `<f>Aggregate(where, groupBy, having)`, at the root or of a relation. Source: decision 004. */
export function aggregateOf(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): AggregateIntent {
  const groupBy = presentArgument(scope, definition, selected, 'groupBy');
  const having = presentArgument(scope, definition, selected, 'having');
  return {
    table,
    form: graphqlForm,
    select: aggregateFields(scope, table, objectType(definition), selected),
    ...whereOf(scope, table, definition, selected),
    ...(groupBy === undefined ? {} : { groupBy: columnsOf(table, groupBy) }),
    ...(having === undefined ? {} : { having: havingOf(table, having) }),
  };
}

function aggregateFields(
  scope: Scope,
  table: Table,
  type: GraphQLObjectType,
  selected: Selected,
): readonly AggregateSelection[] {
  const selections: AggregateSelection[] = [];
  for (const field of subFields(scope, type, selected)) {
    const { as, name } = field;
    const object = (): GraphQLObjectType => objectType(fieldOfType(type, name));
    if (name === '__typename') selections.push({ kind: 'typename', as, type: type.name });
    else if (name === 'count') selections.push({ kind: 'count', as });
    else if (name === 'groups') {
      selections.push({ kind: 'groups', as, select: aggregateFields(scope, table, object(), field) });
    } else if (name === 'key')
      selections.push({ kind: 'key', as, columns: columnFields(scope, table, object(), field) });
    else if (isFunction(name)) {
      selections.push({ kind: 'function', as, function: name, columns: columnFields(scope, table, object(), field) });
    } else scope.custom.found = true;
  }
  return selections;
}

function columnFields(scope: Scope, table: Table, type: GraphQLObjectType, selected: Selected) {
  return subFields(scope, type, selected).map((field) => {
    const { name } = field;
    const [column, computed] = [table.byField.get(name), computedOf(table, name)];
    if (column === undefined && computed === undefined) return { as: field.as, type: type.name };
    const definition = fieldOfType(type, name);
    const as = keyOf(scope, definition, field);
    if (column !== undefined || computed === undefined) return { as, column: column?.name ?? name };
    return { as, computed: name, ...givenByField(scope, computed, definition, field) };
  });
}

export const isFunction = (name: string): name is AggregateFunction =>
  (aggregateFunctions as readonly string[]).includes(name);

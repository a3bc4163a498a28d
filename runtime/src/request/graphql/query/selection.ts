import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { RelationDescriptor } from '../../../descriptor/descriptor.js';
import { aggregateField } from '../../../descriptor/names.js';
import type { ReadIntent, Selection } from '../../../plan/intent.js';
import { graphqlForm } from '../../../plan/intent-form.js';
import type { Table } from '../../../descriptor/registry.js';
import { aggregateOf } from './aggregate.js';
import { subFields } from './collect.js';
import { columnKey, columnSelection, keyOf } from './column.js';
import { computedOf, givenByField } from '../arguments/computed.js';
import { countOf } from '../arguments/count.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { objectType } from './object-type.js';
import { columnsOf, ordersOf, vectorOrderOf } from '../arguments/order.js';
import { fieldOfType, located, customPartOf, presentArgument, type Scope, type Selected } from '../arguments/scope.js';
import { whereOf } from '../arguments/where.js';

/** The selection of each row of `table`, whose GraphQL type is `type`. */
export function selectionsOf(
  scope: Scope,
  table: Table,
  type: GraphQLObjectType,
  fields: readonly Selected[],
  rows: number,
): readonly Selection[] {
  let custom = false;
  const selections: Selection[] = [];
  for (const field of fields) {
    const part = customPartOf(type, field);
    const selection =
      part === 'instead' ? undefined : located(field, () => selectionOf(scope, table, type, field, rows));
    if (selection === undefined || part === 'around') custom = true;
    if (selection !== undefined) selections.push(selection);
  }
  if (!custom) return selections;
  scope.custom.found = true;
  return [
    ...selections,
    ...table.columns.map((column, at) => ({ kind: 'column', as: columnKey(at), column: column.name }) as const),
  ];
}

function selectionOf(
  scope: Scope,
  table: Table,
  type: GraphQLObjectType,
  selected: Selected,
  rows: number,
): Selection | undefined {
  const { as, name } = selected;
  if (name === '__typename') return { kind: 'typename', as };
  const definition = fieldOfType(type, name);
  if (name === table.nodeId) return { kind: 'nodeId', as };
  const column = table.byField.get(name);
  if (column !== undefined) return columnSelection(scope, column, definition, selected);
  const computed = computedOf(table, name);
  if (computed !== undefined) {
    const as = keyOf(scope, definition, selected);
    return { kind: 'computed', as, name, ...givenByField(scope, computed, definition, selected) };
  }
  const relation = table.relationsByName.get(name);
  if (relation !== undefined) {
    return { kind: 'relation', as, relation: name, read: relatedRead(scope, relation, definition, selected, rows) };
  }
  const counted = table.relations?.find((each) => each.cardinality === 'many' && aggregateField(each.name) === name);
  if (counted === undefined) return undefined;
  scope.budget.spend(rows);
  return {
    kind: 'aggregate',
    as,
    relation: counted.name,
    aggregate: aggregateOf(scope, target(scope, counted), definition, selected),
  };
}

function relatedRead(
  scope: Scope,
  relation: RelationDescriptor,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
  rows: number,
): ReadIntent {
  const table = target(scope, relation);
  return relation.cardinality === 'many'
    ? listRead(scope, table, definition, selected, rows)
    : oneRead(scope, table, definition, selected, rows);
}

/** At most one row, already found by its key or by a relation. */
export function oneRead(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
  rows: number,
): ReadIntent {
  scope.budget.spend(rows);
  const type = objectType(definition);
  return {
    table,
    form: graphqlForm,
    select: selectionsOf(scope, table, type, subFields(scope, type, selected), rows),
  };
}

/**
 * A list with its arguments: `where or orderBy limit offset distinctOn vector`. `rows` is how many
 * lists there may be.
 */
export function listRead(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
  rows: number,
): ReadIntent {
  const argument = (name: string) => presentArgument(scope, definition, selected, name);
  const [orderBy, limit, offset, distinctOn, vector] = [
    argument('orderBy'),
    argument('limit'),
    argument('offset'),
    argument('distinctOn'),
    argument('vector'),
  ];
  const most = rows * Math.min(literalCount(limit), scope.settings['app.max-rows']);
  scope.budget.spend(most);
  const type = objectType(definition);
  return {
    table,
    form: graphqlForm,
    select: selectionsOf(scope, table, type, subFields(scope, type, selected), most),
    ...whereOf(scope, table, definition, selected),
    ...(orderBy === undefined ? {} : { orderBy: ordersOf(scope.registry, table, orderBy) }),
    ...(limit === undefined ? {} : { limit: countOf(limit) }),
    ...(offset === undefined ? {} : { offset: countOf(offset) }),
    ...(distinctOn === undefined ? {} : { distinctOn: columnsOf(table, distinctOn) }),
    ...(vector === undefined ? {} : { vector: vectorOrderOf(table, vector, scope.settings) }),
  };
}

/** The most rows of a page: the value of a literal; a variable may have any value. */
export function literalCount(given: ArgumentValue | undefined): number {
  const count = given?.isConstant === true ? given.current() : undefined;
  return typeof count === 'number' && count >= 0 ? count : Number.POSITIVE_INFINITY;
}

function target(scope: Scope, relation: RelationDescriptor): Table {
  const table = scope.registry.table.get(relation.table);
  if (table === undefined) throw new TypeError(`${relation.name} leads to ${relation.table}, which is not there.`);
  return table;
}

import { getNamedType, isLeafType, isObjectType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import type { ColumnType, CompositeDescriptor, RelationDescriptor } from '../../descriptor.js';
import type { AttributeSelection, ReadIntent, Selection } from '../../plan/intent.js';
import { fieldOf, type Table } from '../../registry.js';
import { aggregateOf } from './aggregate.js';
import { subFields } from './collect.js';
import { anyOf, filterOf } from './filter.js';
import type { Given } from './given.js';
import { columnsOf, ordersOf, vectorOrderOf } from './order.js';
import { fieldOfType, located, presentArgument, type Scope, type Selected } from './scope.js';

/** Response keys that no client can write, for the columns a custom resolver is given: `:0` is the first column. */
export const columnKey = (at: number): string => `:${at}`;

/** What is wanted of each row of `table`, whose GraphQL type is `type`. */
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
    const selection = located(field, () => selectionOf(scope, table, type, field, rows));
    if (selection === undefined) custom = true;
    else selections.push(selection);
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
  const column = table.byField.get(name);
  if (column !== undefined) {
    if (isLeafType(getNamedType(definition.type))) return { kind: 'column', as, column: column.name };
    return {
      kind: 'composite',
      as,
      column: column.name,
      select: attributesOf(scope, column.type, definition, selected),
    };
  }
  const computed = table.computed?.find((each) => each.name === name);
  if (computed !== undefined) {
    if (isLeafType(getNamedType(definition.type))) return { kind: 'computed', as, name };
    return { kind: 'computed', as, name, select: attributesOf(scope, computed.type, definition, selected) };
  }
  const relation = table.relationsByName.get(name);
  if (relation !== undefined) {
    return { kind: 'relation', as, relation: name, read: relatedRead(scope, relation, definition, selected, rows) };
  }
  const counted = table.relations?.find((each) => each.cardinality === 'many' && `${each.name}Aggregate` === name);
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
    dialect: 'graphql',
    select: selectionsOf(scope, table, type, subFields(scope, type, selected), rows),
  };
}

/** A list with its arguments: `where or orderBy limit offset distinctOn vector`. `rows` is how many lists there may be. */
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
    dialect: 'graphql',
    select: selectionsOf(scope, table, type, subFields(scope, type, selected), most),
    ...whereOf(scope, table, definition, selected),
    ...(orderBy === undefined ? {} : { orderBy: ordersOf(scope.registry, table, orderBy) }),
    ...(limit === undefined ? {} : { limit: limit.value() }),
    ...(offset === undefined ? {} : { offset: offset.value() }),
    ...(distinctOn === undefined ? {} : { distinctOn: columnsOf(table, distinctOn) }),
    ...(vector === undefined ? {} : { vector: vectorOrderOf(table, vector) }),
  };
}

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

/** How many rows a page may hold: what a literal says; a variable may say anything. */
export function literalCount(given: Given | undefined): number {
  const count = given?.isConstant === true ? given.current() : undefined;
  return typeof count === 'number' && count >= 0 ? count : Number.POSITIVE_INFINITY;
}

/** The fields of a composite or of a range, by their database names. */
function attributesOf(
  scope: Scope,
  type: ColumnType,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): readonly AttributeSelection[] {
  const object = objectType(definition);
  const element = type.kind === 'array' && type.element !== undefined ? type.element : type;
  const composite = element.composite === undefined ? undefined : scope.registry.composites.get(element.composite);
  const select: AttributeSelection[] = [];
  for (const field of subFields(scope, object, selected)) {
    const attribute = composite?.attributes.find((each) => fieldOf(each) === field.name);
    if (field.name === '__typename') select.push({ kind: 'typename', as: field.as, type: object.name });
    else if (composite !== undefined && attribute === undefined) scope.custom.found = true;
    else select.push(attributeOf(scope, attribute, fieldOfType(object, field.name), field));
  }
  return select;
}

/** An attribute of a composite, or a part of a range, which has no descriptor: its name is the part's. */
function attributeOf(
  scope: Scope,
  attribute: CompositeDescriptor['attributes'][number] | undefined,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): AttributeSelection {
  const base = { kind: 'attribute', as: selected.as, attribute: attribute?.name ?? selected.name } as const;
  if (attribute === undefined || isLeafType(getNamedType(definition.type))) return base;
  return { ...base, select: attributesOf(scope, attribute.type, definition, selected) };
}

export function objectType(definition: GraphQLField<unknown, unknown>): GraphQLObjectType {
  const type = getNamedType(definition.type);
  if (!isObjectType(type)) throw new TypeError(`${definition.name} is a ${type.name}, which has no fields.`);
  return type;
}

function target(scope: Scope, relation: RelationDescriptor): Table {
  const table = scope.registry.table.get(relation.table);
  if (table === undefined) throw new TypeError(`${relation.name} leads to ${relation.table}, which is not there.`);
  return table;
}

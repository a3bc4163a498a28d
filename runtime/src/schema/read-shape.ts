import type { RelationDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { fieldOf } from '../descriptor/registry.js';
import { rowKeyOf } from '../descriptor/unique-keys.js';
import { groupableValues } from './aggregate-shape.js';
import { computedFilterName, computedInputs, computedOrderName } from './computed-shape.js';
import { argumentTexts } from './descriptions.js';
import { inputType, sharedFilterName } from './graphql-type.js';
import { isOrderable } from './orderable.js';
import {
  described,
  input,
  list,
  object,
  optional,
  optionalList,
  required,
  type FieldShape,
  type TypeShape,
} from './type-shape.js';

/** The table that a relation leads to. */
export type TableOf = (relation: RelationDescriptor) => TableDescriptor;

/** The types for reading rows: pages, conditions, order. Source: decisions 001 and 003. */
export function readShape(table: TableDescriptor, tableOf: TableOf): readonly TypeShape[] {
  const { type, name } = table;
  return [
    object(`${type}Connection`, `A page of rows of ${name}.`, () => [
      described(list('edges', `${type}Edge`), 'The rows, each with its cursor.'),
      described(list('nodes', type), 'The rows alone.'),
      described(required('pageInfo', 'PageInfo'), 'Where the page is among all rows.'),
      described(required('totalCount', 'Int'), 'How many rows there are on all pages.'),
    ]),
    object(`${type}Edge`, `A row of ${name} and its cursor.`, () => [
      required('node', type),
      described(required('cursor', 'String'), 'For `after` and `before`.'),
    ]),
    whereInput(table, tableOf),
    input(`${type}RelationFilterInput`, `Conditions on related rows of ${name}.`, () =>
      quantifiers.map(([quantifier, text]) => described(optional(quantifier, `${type}WhereInput`), text)),
    ),
    ...(isSortable(table) ? [orderByInput(table, tableOf)] : []),
    ...computedInputs(table),
  ];
}

/** Quantifiers of conditions on related rows, with their descriptions. */
const quantifiers = [
  ['some', 'At least one related row matches.'],
  ['every', 'All related rows match.'],
  ['none', 'No related row matches.'],
] as const;

export function whereInput(table: TableDescriptor, tableOf: TableOf): TypeShape {
  const { columns, computed = [], relations = [] } = table;
  const name = `${table.type}WhereInput`;
  return input(name, `Conditions on rows of ${table.name}. All of them have to hold.`, () => [
    described(optionalList('and', name), 'All of these have to hold.'),
    described(optionalList('or', name), 'At least one of these has to hold.'),
    described(optional('not', name), 'This must not hold.'),
    ...columns.map((column) => optional(fieldOf(column), column.filter ?? sharedFilterName(column.type))),
    ...computed.map((each) => optional(each.name, computedFilterName(each))),
    ...relations.map((relation) => {
      const end = relation.cardinality === 'many' ? 'RelationFilterInput' : 'WhereInput';
      return optional(relation.name, `${tableOf(relation).type}${end}`);
    }),
  ]);
}

export function orderByInput(table: TableDescriptor, tableOf: TableOf): TypeShape {
  const { columns, computed = [], relations = [] } = table;
  return input(`${table.type}OrderByInput`, `The order of rows of ${table.name}.`, () => [
    ...columns.filter(({ type }) => isOrderable(type)).map((column) => optional(fieldOf(column), 'OrderDirection')),
    ...computed.filter(({ type }) => isOrderable(type)).map((each) => optional(each.name, computedOrderName(each))),
    ...relations.flatMap((relation) => relationOrder(relation, tableOf(relation))),
  ]);
}

/**
 * A to-many relation orders by the number of its rows, a to-one relation by the columns of its row.
 */
function relationOrder({ name, cardinality }: RelationDescriptor, other: TableDescriptor): readonly FieldShape[] {
  if (cardinality === 'many') return [optional(name, 'CountOrderByInput')];
  return isSortable(other) ? [optional(name, `${other.type}OrderByInput`)] : [];
}

/** Arguments of a relation to rows of the table. */
export function nestedArguments(table: TableDescriptor): readonly FieldShape[] {
  return [
    ...rowArguments(table),
    described(optional('limit', 'Int'), argumentTexts.limit),
    described(optional('offset', 'Int'), argumentTexts.offset),
  ];
}

/** Arguments of `<f>`. */
export function listArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type } = table;
  return [
    ...nestedArguments(table),
    described(optionalList('or', `${type}WhereInput`), argumentTexts.or),
    ...(isGroupable(table) ? [described(optionalList('distinctOn', `${type}Column`), argumentTexts.distinctOn)] : []),
  ];
}

/** Arguments of `<f>` of a table with a vector. */
export const vectorListArguments = (table: TableDescriptor): readonly FieldShape[] => [
  ...listArguments(table),
  described(optional('vector', 'VectorInput'), argumentTexts.vector),
];

/** Arguments of `<f>ByPk`: the columns of the key. */
export function keyArguments(table: TableDescriptor): readonly FieldShape[] {
  return (rowKeyOf(table) ?? []).flatMap((name) => {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined) return [];
    const { name: type, depth } = inputType(column.type);
    return [{ ...required(fieldOf(column), type), depth, nullableItems: true }];
  });
}

/** Arguments of `<f>Connection`. */
export function connectionArguments(table: TableDescriptor): readonly FieldShape[] {
  return [
    described(optional('first', 'Int'), argumentTexts.first),
    described(optional('after', 'String'), argumentTexts.after),
    described(optional('last', 'Int'), argumentTexts.last),
    described(optional('before', 'String'), argumentTexts.before),
    ...rowArguments(table),
  ];
}

/** Arguments of `<f>Aggregate`. */
export function aggregateArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type } = table;
  const where = described(optional('where', `${type}WhereInput`), argumentTexts.where);
  if (!isGroupable(table)) return [where];
  return [
    where,
    described(optionalList('groupBy', `${type}Column`), argumentTexts.groupBy),
    described(optional('having', `${type}HavingInput`), argumentTexts.having),
  ];
}

function rowArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type } = table;
  const where = described(optional('where', `${type}WhereInput`), argumentTexts.where);
  return isSortable(table)
    ? [where, described(optionalList('orderBy', `${type}OrderByInput`), argumentTexts.orderBy)]
    : [where];
}

/** Whether the table has a column that `orderBy` can use. */
export const isSortable = (table: TableDescriptor): boolean => table.columns.some(({ type }) => isOrderable(type));

/** Whether the table has a column that `groupBy` and `distinctOn` can use. */
const isGroupable = (table: TableDescriptor): boolean => groupableValues(table).length > 0;

import type { ColumnDescriptor, ColumnType, RelationDescriptor, TableDescriptor } from '../descriptor.js';
import { fieldOf } from '../registry.js';
import { groupableColumns } from './aggregate-shape.js';
import { sharedFilterName } from './graphql-type.js';
import {
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

/** Columns with a filter input of their own, by field, each with its name. */
export type OwnFilters = Readonly<Record<string, string>>;

/** The types that reading rows takes: pages, conditions, order. Source: decisions 1 and 3. */
export function readShape(table: TableDescriptor, filters: OwnFilters, tableOf: TableOf): readonly TypeShape[] {
  const { type } = table;
  return [
    object(`${type}Connection`, '', () => [
      list('edges', `${type}Edge`),
      list('nodes', type),
      required('pageInfo', 'PageInfo'),
      required('totalCount', 'Int'),
    ]),
    object(`${type}Edge`, '', () => [required('node', type), required('cursor', 'String')]),
    whereInput(table, filters, tableOf),
    input(`${type}RelationFilterInput`, '', () =>
      ['some', 'every', 'none'].map((quantifier) => optional(quantifier, `${type}WhereInput`)),
    ),
    ...(isSortable(table) ? [orderByInput(table, tableOf)] : []),
  ];
}

function whereInput(table: TableDescriptor, filters: OwnFilters, tableOf: TableOf): TypeShape {
  const { columns, relations = [] } = table;
  const name = `${table.type}WhereInput`;
  return input(name, '', () => [
    optionalList('and', name),
    optionalList('or', name),
    optional('not', name),
    ...columns.map((column) => optional(fieldOf(column), filterName(column, filters))),
    ...relations.map((relation) => {
      const end = relation.cardinality === 'many' ? 'RelationFilterInput' : 'WhereInput';
      return optional(relation.name, `${tableOf(relation).type}${end}`);
    }),
  ]);
}

function filterName(column: ColumnDescriptor, filters: OwnFilters): string {
  const field = fieldOf(column);
  const own = Object.hasOwn(filters, field) ? filters[field] : undefined;
  return own ?? sharedFilterName(column.type);
}

function orderByInput(table: TableDescriptor, tableOf: TableOf): TypeShape {
  const { columns, computed = [], relations = [] } = table;
  return input(`${table.type}OrderByInput`, '', () => [
    ...columns.filter(({ type }) => isOrderable(type)).map((column) => optional(fieldOf(column), 'OrderDirection')),
    ...computed.filter(({ type }) => isOrderable(type)).map(({ name }) => optional(name, 'OrderDirection')),
    ...relations.flatMap((relation) => relationOrder(relation, tableOf(relation))),
  ]);
}

/** A to-many relation orders by the number of its rows, the others by a row's columns. */
function relationOrder({ name, cardinality }: RelationDescriptor, other: TableDescriptor): readonly FieldShape[] {
  if (cardinality === 'many') return [optional(name, 'CountOrderByInput')];
  return isSortable(other) ? [optional(name, `${other.type}OrderByInput`)] : [];
}

/** Arguments of a relation to rows of the table. */
export function nestedArguments(table: TableDescriptor): readonly FieldShape[] {
  return [...rowArguments(table), optional('limit', 'Int'), optional('offset', 'Int')];
}

/** Arguments of `<f>`. */
export function listArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type, columns } = table;
  const hasVector = columns.some((column) => column.type.kind === 'vector');
  return [
    ...nestedArguments(table),
    optionalList('or', `${type}WhereInput`),
    ...(isGroupable(table) ? [optionalList('distinctOn', `${type}Column`)] : []),
    ...(hasVector ? [optional('vector', 'VectorInput')] : []),
  ];
}

/** Arguments of `<f>Connection`. */
export function connectionArguments(table: TableDescriptor): readonly FieldShape[] {
  return [
    optional('first', 'Int'),
    optional('after', 'String'),
    optional('last', 'Int'),
    optional('before', 'String'),
    ...rowArguments(table),
  ];
}

/** Arguments of `<f>Aggregate`. */
export function aggregateArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type } = table;
  const where = optional('where', `${type}WhereInput`);
  if (!isGroupable(table)) return [where];
  return [where, optionalList('groupBy', `${type}Column`), optional('having', `${type}HavingInput`)];
}

function rowArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type } = table;
  const where = optional('where', `${type}WhereInput`);
  return isSortable(table) ? [where, optionalList('orderBy', `${type}OrderByInput`)] : [where];
}

/** Types that PostgreSQL can't sort; arrays of them neither. */
const unordered: ReadonlySet<string> = new Set([
  'xml',
  'json',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
  'aclitem',
  'cid',
  'xid',
  'refcursor',
  'txid_snapshot',
  'pg_snapshot',
]);

/** Whether rows can be sorted by a value of this type. */
export function isOrderable(type: ColumnType): boolean {
  if (type.kind === 'array' && type.element !== undefined) return isOrderable(type.element);
  if (type.kind === 'composite' || type.kind === 'vector') return false;
  return !unordered.has(type.sql.name);
}

/** Whether `orderBy` has anything to order by. */
const isSortable = (table: TableDescriptor): boolean => table.columns.some(({ type }) => isOrderable(type));

/** Whether `groupBy` and `distinctOn` have a column to name. */
const isGroupable = (table: TableDescriptor): boolean => groupableColumns(table).length > 0;

import type {
  ColumnDescriptor,
  ComputedDescriptor,
  RelationDescriptor,
  TableDescriptor,
} from '../../descriptor/descriptor.js';
import { aggregateField, rootFields } from '../../descriptor/names.js';
import { isNode, nodeType } from '../../descriptor/node-id.js';
import { fieldOf } from '../../descriptor/registry.js';
import { rowKeyOf } from '../../descriptor/unique-keys.js';
import { groupableValues } from '../aggregate-shape.js';
import { computedArguments } from '../computed-shape.js';
import { rootText, type RootField } from '../descriptions.js';
import { filterShape } from '../filter-shape.js';
import { outputType } from '../graphql-type.js';
import { nodeIdField } from '../node-shape.js';
import { readShape } from '../read-shape.js';
import type { FilterModel } from '../shared-types.js';
import {
  many,
  maybe,
  one,
  type ArgumentsOf,
  type ClassDefinition,
  type FieldDefinition,
  type QueryDefinition,
} from './definition.js';
import type { SchemaSource } from './source.js';
import { asDefinition, defineWrites, type WriteDefinitions } from './writes.js';

/** The tables, indexed for the definitions of a table. */
export interface TableContext {
  /** By key. */
  readonly tables: ReadonlyMap<string, TableDescriptor>;
  /** Filter inputs of the columns of a table, by its key. */
  readonly filters: ReadonlyMap<string, readonly FilterModel[]>;
}

/** The GraphQL definitions of a table. */
export interface TableDefinitions {
  readonly row: ClassDefinition;
  /** The filter inputs of single columns. */
  readonly filters: readonly ClassDefinition[];
  /**
   * The types that the runtime derives from the descriptor at start. A function, because only
   * schema.graphql needs them.
   */
  readonly reads: () => readonly ClassDefinition[];
  readonly queries: readonly QueryDefinition[];
  readonly writes: WriteDefinitions;
  /** Columns that `groupBy` and `distinctOn` may name. */
  readonly groupable: readonly string[];
}

export function tableContext(source: Pick<SchemaSource, 'tables' | 'filters'>): TableContext {
  const filters = new Map<string, FilterModel[]>();
  for (const filter of source.filters) {
    if (filter.table !== null) filters.set(filter.table, [...(filters.get(filter.table) ?? []), filter]);
  }
  return {
    tables: new Map(source.tables.map((table) => [table.field, table])),
    filters,
  };
}

/** Source: decisions 001, 003 and 004. */
export function defineTable(context: TableContext, table: TableDescriptor): TableDefinitions {
  const tableOf = (relation: RelationDescriptor): TableDescriptor => other(context, relation);
  return {
    row: objectType(context, table),
    filters: (context.filters.get(table.field) ?? []).map(filterInput),
    reads: () => readShape(table, tableOf).map((type) => asDefinition(type)),
    queries: queries(table),
    writes: defineWrites(context.tables, table),
    groupable: groupableValues(table).map(({ name }) => name),
  };
}

/** A filter input. Only shared filters describe their operators, not those of a single column. */
export function filterInput(filter: FilterModel): ClassDefinition {
  const described = filter.table === null;
  const shape = filterShape(filter.name, filter.type, filter.operators);
  return {
    kind: 'input',
    name: filter.name,
    description: shape.description,
    fields: shape.fields().map((field) => (described ? field : { ...field, description: '' })),
  };
}

/** The type of a table's rows. */
export const objectType = (context: TableContext, table: TableDescriptor): ClassDefinition => ({
  kind: 'object',
  name: table.type,
  description: table.description ?? '',
  ...interfacesOf(table),
  fields: rowFields(context, table),
});

/** The fields of a table's rows. */
export const rowFields = (context: TableContext, table: TableDescriptor): readonly FieldDefinition[] => [
  ...(table.nodeId === undefined ? [] : [nodeIdField(table.nodeId)]),
  ...table.columns.map(columnField),
  ...(table.computed ?? []).map(computedField),
  ...(table.relations ?? []).flatMap((relation) => relationFields(context, relation)),
];

/** The interfaces that the type of a table's rows implements. */
export const interfacesOf = (table: TableDescriptor): Pick<ClassDefinition, 'interfaces'> =>
  isNode(table) ? { interfaces: [nodeType] } : {};

function columnField(column: ColumnDescriptor): FieldDefinition {
  const { name, depth } = outputType(column.type);
  return {
    ...one(fieldOf(column), name, column.description),
    depth,
    nullable: column.nullable === true,
    nullableItems: true,
  };
}

function computedField(computed: ComputedDescriptor): FieldDefinition {
  const { name, depth } = outputType(computed.type);
  return {
    ...maybe(computed.name, name, computed.description),
    depth,
    nullableItems: true,
    ...(computed.arguments === undefined ? {} : { parameters: () => computedArguments(computed) }),
  };
}

/**
 * A to-one relation may be null even if its column is not: row level security may hide the other
 * row.
 */
function relationFields(context: TableContext, relation: RelationDescriptor): readonly FieldDefinition[] {
  const { name, cardinality } = relation;
  const table = other(context, relation);
  const { type } = table;
  if (cardinality === 'one') return [maybe(name, type)];
  return [
    { ...many(name, type), arguments: { field: 'nested', table } },
    { ...one(aggregateField(name), `${type}Aggregate`), arguments: { field: 'aggregate', table } },
  ];
}

/** The root fields of Query that a table has. */
export function queries(table: TableDescriptor): readonly QueryDefinition[] {
  const { type } = table;
  const fields = rootFields(table);
  const taking = (
    root: RootField,
    definition: FieldDefinition,
    field: ArgumentsOf['field'] = root,
  ): QueryDefinition => ({
    ...definition,
    arguments: { field, table },
    inline: [],
    description: rootText(root, table, table.description ?? ''),
  });
  return [
    taking('list', many(fields.list, type), hasVector(table) ? 'vectorList' : 'list'),
    ...(rowKeyOf(table) === undefined ? [] : [taking('byPk', maybe(fields.byPk, type))]),
    taking('connection', one(fields.connection, `${type}Connection`)),
    taking('aggregate', one(fields.aggregate, `${type}Aggregate`)),
  ];
}

/** Whether the table's list takes `vector`. */
export const hasVector = ({ columns }: TableDescriptor): boolean => columns.some(({ type }) => type.kind === 'vector');

function other(context: TableContext, relation: RelationDescriptor): TableDescriptor {
  const table = context.tables.get(relation.table);
  if (table === undefined) throw new TypeError(`${relation.table} is not a table of the model.`);
  return table;
}

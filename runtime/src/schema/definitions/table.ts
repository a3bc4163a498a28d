import type { RelationDescriptor, TableDescriptor } from '../../descriptor/descriptor.js';
import { aggregateField } from '../../descriptor/names.js';
import { isNode, nodeType } from '../../descriptor/node-id.js';
import { rowKeyOf } from '../../descriptor/unique-keys.js';
import { description } from '../../model/description.js';
import type { ColumnModel, FilterModel, Model, RelationModel, TableModel } from '../../model/model.js';
import { groupableValues } from '../aggregate-shape.js';
import { computedArguments } from '../computed-shape.js';
import { rootText, type RootField } from '../descriptions.js';
import { filterShape } from '../filter-shape.js';
import { hasOwnFilter } from '../graphql-type.js';
import { nodeIdField } from '../node-shape.js';
import { readShape, type OwnFilters } from '../read-shape.js';
import {
  many,
  maybe,
  one,
  type ArgumentsOf,
  type ClassDefinition,
  type FieldDefinition,
  type QueryDefinition,
} from './definition.js';
import { asDefinition, defineWrites, type WriteDefinitions } from './writes.js';

/** The model, indexed for the definitions of a table. */
export interface TableContext {
  /** By key. */
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Filter inputs of the columns of a table, by its key. */
  readonly filters: ReadonlyMap<string, readonly FilterModel[]>;
}

/** The GraphQL definitions of a table. */
export interface TableDefinitions {
  /** The classes in `<table>.table.ts`. */
  readonly classes: readonly ClassDefinition[];
  /**
   * The types that the runtime derives from the descriptor at start. A function, because only
   * schema.graphql needs them.
   */
  readonly reads: () => readonly ClassDefinition[];
  /** The second argument of `tableTypes`. */
  readonly filters: OwnFilters;
  readonly queries: readonly QueryDefinition[];
  readonly writes: WriteDefinitions;
  /** Columns that `groupBy` and `distinctOn` may name. */
  readonly groupable: readonly string[];
}

export function tableContext(model: Model): TableContext {
  const filters = new Map<string, FilterModel[]>();
  for (const filter of model.filters) {
    if (filter.table !== null) filters.set(filter.table, [...(filters.get(filter.table) ?? []), filter]);
  }
  return {
    tables: new Map(model.tables.map((table) => [table.descriptor.field, table])),
    filters,
  };
}

/** Source: decisions 001, 003 and 004. */
export function defineTable(context: TableContext, table: TableModel): TableDefinitions {
  const filters = ownFilters(table);
  const tableOf = (relation: RelationDescriptor): TableDescriptor => other(context, relation).descriptor;
  return {
    classes: [objectType(context, table), ...(context.filters.get(table.descriptor.field) ?? []).map(filterInput)],
    reads: () => readShape(table.descriptor, filters, tableOf).map((type) => asDefinition(type)),
    filters,
    queries: queries(table),
    writes: defineWrites(context.tables, table),
    groupable: groupableValues(table.descriptor).map(({ name }) => name),
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

/** The columns with a filter input that is not shared. */
export function ownFilters(table: TableModel): OwnFilters {
  const own = table.columns.filter(({ descriptor }) => hasOwnFilter(descriptor.type));
  return Object.fromEntries(own.map(({ field, filter }) => [field, filter]));
}

/** The type of a table's rows. */
export function objectType(context: TableContext, table: TableModel): ClassDefinition {
  return {
    kind: 'object',
    name: table.descriptor.type,
    description: description(table.comment),
    ...interfacesOf(table.descriptor),
    fields: [
      ...(table.descriptor.nodeId === undefined ? [] : [nodeIdField(table.descriptor.nodeId)]),
      ...table.columns.map(columnField),
      ...table.computed.map((computed) => ({
        ...maybe(computed.field, computed.graphql.name, description(computed.comment)),
        depth: computed.graphql.depth,
        nullableItems: true,
        ...(computed.arguments.length === 0 ? {} : { parameters: () => computedArguments(computed) }),
      })),
      ...table.relations.flatMap((relation) => relationFields(context, relation)),
    ],
  };
}

/** The interfaces that the type of a table's rows implements. */
export const interfacesOf = (table: TableDescriptor): Pick<ClassDefinition, 'interfaces'> =>
  isNode(table) ? { interfaces: [nodeType] } : {};

function columnField(column: ColumnModel): FieldDefinition {
  return {
    ...one(column.field, column.graphql.name, description(column.comment)),
    depth: column.graphql.depth,
    nullable: column.nullable,
    nullableItems: true,
  };
}

/**
 * A to-one relation may be null even if its column is not: row level security may hide the other
 * row.
 */
function relationFields(context: TableContext, relation: RelationModel): readonly FieldDefinition[] {
  const { name } = relation.descriptor;
  const table = other(context, relation.descriptor);
  const { type } = table.descriptor;
  if (!isMany(relation)) return [maybe(name, type)];
  return [
    { ...many(name, type), arguments: { field: 'nested', table }, relation: 'Rows' },
    {
      ...one(aggregateField(name), `${type}Aggregate`),
      arguments: { field: 'aggregate', table },
      relation: 'AggregateOf',
    },
  ];
}

/** The root fields of Query that a table has. */
export function queries(table: TableModel): readonly QueryDefinition[] {
  const { type } = table.descriptor;
  const { fields } = table;
  const taking = (
    root: RootField,
    definition: FieldDefinition,
    field: ArgumentsOf['field'] = root,
  ): QueryDefinition => ({
    ...definition,
    arguments: { field, table },
    inline: [],
    text: rootText(root, table.descriptor, description(table.comment)),
  });
  return [
    taking('list', many(fields.list, type), hasVector(table) ? 'vectorList' : 'list'),
    ...(rowKeyOf(table.descriptor) === undefined ? [] : [taking('byPk', maybe(fields.byPk, type))]),
    taking('connection', one(fields.connection, `${type}Connection`)),
    taking('aggregate', one(fields.aggregate, `${type}Aggregate`)),
  ];
}

/** Whether the table's list takes `vector`. */
export const hasVector = ({ descriptor }: TableModel): boolean =>
  descriptor.columns.some((column) => column.type.kind === 'vector');

function other(context: TableContext, relation: RelationDescriptor): TableModel {
  const table = context.tables.get(relation.table);
  if (table === undefined) throw new TypeError(`${relation.table} is not a table of the model.`);
  return table;
}

function isMany(relation: RelationModel): boolean {
  return relation.descriptor.cardinality === 'many';
}

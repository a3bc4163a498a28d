import { groupableColumns } from '../../../templates/runtime/schema/aggregate-shape.js';
import type { RelationDescriptor, TableDescriptor } from '../../../templates/runtime/descriptor.js';
import { fieldOf } from '../../../templates/runtime/registry.js';
import { sharedFilterName } from '../../../templates/runtime/schema/graphql-type.js';
import { readShape, type OwnFilters } from '../../../templates/runtime/schema/read-shape.js';
import type { ColumnModel, FilterModel, Model, RelationModel, TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import { many, maybe, one, type ClassDefinition, type FieldDefinition, type QueryDefinition } from './definition.js';
import { asDefinition, defineWrites, type WriteDefinitions } from './mutations.js';

/** What the definitions of a table depend on beside the table. */
export interface TableContext {
  /** By key. */
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Filter inputs of the columns of a table, by its key. */
  readonly filters: ReadonlyMap<string, readonly FilterModel[]>;
}

/** Everything GraphQL knows of a table. */
export interface TableDefinitions {
  /** Spelled out in `<table>.table.ts`. */
  readonly classes: readonly ClassDefinition[];
  /** Declared by the runtime at start, from the descriptor. A function: schema.graphql spells them out, and nobody else keeps them. */
  readonly reads: () => readonly ClassDefinition[];
  /** What `readTypes` is told beside the descriptor. */
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

/** Source: decisions 1, 3 and 4. */
export function defineTable(context: TableContext, table: TableModel): TableDefinitions {
  const filters = ownFilters(table);
  const tableOf = (relation: RelationDescriptor): TableDescriptor => other(context, relation).descriptor;
  return {
    classes: [objectType(context, table), ...(context.filters.get(table.descriptor.field) ?? []).map(filterInput)],
    reads: () => readShape(table.descriptor, filters, tableOf).map((type) => asDefinition(type)),
    filters,
    queries: queries(table),
    writes: defineWrites(context.tables, table),
    groupable: groupableColumns(table.descriptor).map(fieldOf),
  };
}

/** A filter input. One of a column says no more than which values: its operators are described where they are shared. */
export function filterInput(filter: FilterModel): ClassDefinition {
  const described = filter.table === null;
  return {
    kind: 'input',
    name: filter.name,
    description: described ? filter.comment : '',
    fields: filter.operators.map((operator) => ({
      ...maybe(operator.name, operator.operand.name, described ? operator.comment : ''),
      depth: operator.operand.depth,
      nullableItems: operator.nullableItems,
    })),
  };
}

function ownFilters(table: TableModel): OwnFilters {
  const own = table.columns.filter(({ filter, descriptor }) => filter !== sharedFilterName(descriptor.type));
  return Object.fromEntries(own.map(({ field, filter }) => [field, filter]));
}

function objectType(context: TableContext, table: TableModel): ClassDefinition {
  return {
    kind: 'object',
    name: table.descriptor.type,
    description: description(table.comment),
    fields: [
      ...table.columns.map(columnField),
      ...table.computed.map((computed) => ({
        ...maybe(computed.field, computed.graphql.name, description(computed.comment)),
        depth: computed.graphql.depth,
        nullableItems: true,
      })),
      ...table.relations.flatMap((relation) => relationFields(context, relation)),
    ],
  };
}

function columnField(column: ColumnModel): FieldDefinition {
  return {
    ...one(column.field, column.graphql.name, description(column.comment)),
    depth: column.graphql.depth,
    nullable: column.nullable,
    nullableItems: true,
  };
}

/** A to-one relation may be null although its column is not: row level security may hide the other row. */
function relationFields(context: TableContext, relation: RelationModel): readonly FieldDefinition[] {
  const { name } = relation.descriptor;
  const table = other(context, relation.descriptor);
  const { type } = table.descriptor;
  if (!isMany(relation)) return [maybe(name, type)];
  return [
    { ...many(name, type), arguments: { decorator: 'NestedArguments', table } },
    { ...one(`${name}Aggregate`, `${type}Aggregate`), arguments: { decorator: 'AggregateArguments', table } },
  ];
}

function queries(table: TableModel): readonly QueryDefinition[] {
  const { type, primaryKey } = table.descriptor;
  const { fields } = table;
  const key = (primaryKey?.columns ?? []).flatMap((name) =>
    table.columns.filter((column) => column.descriptor.name === name).map((column) => keyArgument(column)),
  );
  return [
    { ...many(fields.list, type), arguments: { decorator: 'ListArguments', table }, inline: [] },
    ...(key.length === 0 ? [] : [{ ...maybe(fields.byPk, type), inline: key }]),
    {
      ...one(fields.connection, `${type}Connection`),
      arguments: { decorator: 'ConnectionArguments', table },
      inline: [],
    },
    { ...one(fields.aggregate, `${type}Aggregate`), arguments: { decorator: 'AggregateArguments', table }, inline: [] },
  ];
}

function keyArgument(column: ColumnModel): FieldDefinition {
  const { kind } = column.descriptor.type;
  const input = kind === 'composite' || kind === 'range' ? `${column.graphql.name}Input` : column.graphql.name;
  return { ...columnField(column), type: input, nullable: false, description: '' };
}

function other(context: TableContext, relation: RelationDescriptor): TableModel {
  const table = context.tables.get(relation.table);
  if (table === undefined) throw new TypeError(`${relation.table} is not a table of the model.`);
  return table;
}

function isMany(relation: RelationModel): boolean {
  return relation.descriptor.cardinality === 'many';
}

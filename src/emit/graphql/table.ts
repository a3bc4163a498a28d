import { aggregateShape } from '../../../templates/runtime/schema/aggregate-shape.js';
import type { ColumnModel, FilterModel, Model, RelationModel, TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import {
  many,
  maybe,
  maybeMany,
  one,
  type ClassDefinition,
  type FieldDefinition,
  type QueryDefinition,
} from './definition.js';
import { defineWrites, type WriteDefinitions } from './mutations.js';

/** What the definitions of a table depend on beside the table. */
export interface TableContext {
  /** By key. */
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Filter inputs of the columns of a table, by its key. */
  readonly filters: ReadonlyMap<string, readonly FilterModel[]>;
  /** Keys of the tables that a to-many relation leads to. */
  readonly listed: ReadonlySet<string>;
  readonly vector: boolean;
}

/** Everything GraphQL knows of a table. */
export interface TableDefinitions {
  /** Spelled out in `<table>.graphql.ts`. */
  readonly classes: readonly ClassDefinition[];
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
  const toMany = model.tables.flatMap((table) => table.relations.filter(isMany).map((each) => each.descriptor.table));
  return {
    tables: new Map(model.tables.map((table) => [table.descriptor.field, table])),
    filters,
    listed: new Set(toMany),
    vector: model.vector,
  };
}

/** Source: decisions 1, 3 and 4. */
export function defineTable(context: TableContext, table: TableModel): TableDefinitions {
  const groupable = aggregateShape(table.descriptor).columns;
  const listed = context.listed.has(table.descriptor.field);
  return {
    classes: [
      objectType(context, table),
      ...connectionTypes(table),
      whereInput(context, table),
      ...(listed ? [relationFilter(table)] : []),
      ...(table.orderable ? [orderByInput(context, table)] : []),
      ...(context.filters.get(table.descriptor.field) ?? []).map(filterInput),
      ...listArguments(context, table, groupable),
      connectionArguments(table),
      aggregateArguments(table, groupable),
    ],
    queries: queries(table),
    writes: defineWrites(context.tables, table),
    groupable,
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
  const type = typeOf(context, relation);
  if (!isMany(relation)) return [maybe(name, type)];
  return [
    { ...many(name, type), arguments: `${type}NestedArgs` },
    { ...one(`${name}Aggregate`, `${type}Aggregate`), arguments: `${type}AggregateArgs` },
  ];
}

function connectionTypes(table: TableModel): readonly ClassDefinition[] {
  const { type } = table.descriptor;
  return [
    {
      kind: 'object',
      name: `${type}Connection`,
      description: '',
      fields: [
        many('edges', `${type}Edge`),
        many('nodes', type),
        one('pageInfo', 'PageInfo'),
        one('totalCount', 'Int'),
      ],
    },
    { kind: 'object', name: `${type}Edge`, description: '', fields: [one('node', type), one('cursor', 'String')] },
  ];
}

function whereInput(context: TableContext, table: TableModel): ClassDefinition {
  const name = `${table.descriptor.type}WhereInput`;
  return {
    kind: 'input',
    name,
    description: '',
    fields: [
      maybeMany('and', name),
      maybeMany('or', name),
      maybe('not', name),
      ...table.columns.map((column) => maybe(column.field, column.filter)),
      ...table.relations.map((relation) =>
        maybe(
          relation.descriptor.name,
          `${typeOf(context, relation)}${isMany(relation) ? 'RelationFilterInput' : 'WhereInput'}`,
        ),
      ),
    ],
  };
}

function relationFilter(table: TableModel): ClassDefinition {
  const { type } = table.descriptor;
  return {
    kind: 'input',
    name: `${type}RelationFilterInput`,
    description: '',
    fields: ['some', 'every', 'none'].map((quantifier) => maybe(quantifier, `${type}WhereInput`)),
  };
}

function orderByInput(context: TableContext, table: TableModel): ClassDefinition {
  const sortable = [...table.columns, ...table.computed].filter((column) => column.orderable);
  return {
    kind: 'input',
    name: `${table.descriptor.type}OrderByInput`,
    description: '',
    fields: [
      ...sortable.map((column) => maybe(column.field, 'OrderDirection')),
      ...table.relations.flatMap((relation) => {
        const { name, table: key } = relation.descriptor;
        if (isMany(relation)) return [maybe(name, 'CountOrderByInput')];
        return context.tables.get(key)?.orderable === true
          ? [maybe(name, `${typeOf(context, relation)}OrderByInput`)]
          : [];
      }),
    ],
  };
}

function listArguments(
  context: TableContext,
  table: TableModel,
  groupable: readonly string[],
): readonly ClassDefinition[] {
  const { type, field } = table.descriptor;
  const nested = [...filterArguments(table), maybe('limit', 'Int'), maybe('offset', 'Int')];
  const hasVector = context.vector && table.columns.some((column) => column.descriptor.type.kind === 'vector');
  const root = [
    maybeMany('or', `${type}WhereInput`),
    ...(groupable.length > 0 ? [maybeMany('distinctOn', `${type}Column`)] : []),
    ...(hasVector ? [maybe('vector', 'VectorInput')] : []),
  ];
  if (!context.listed.has(field)) return [args(`${type}Args`, [...nested, ...root])];
  return [args(`${type}NestedArgs`, nested), { ...args(`${type}Args`, root), extends: `${type}NestedArgs` }];
}

function connectionArguments(table: TableModel): ClassDefinition {
  return args(`${table.descriptor.type}ConnectionArgs`, [
    maybe('first', 'Int'),
    maybe('after', 'String'),
    maybe('last', 'Int'),
    maybe('before', 'String'),
    ...filterArguments(table),
  ]);
}

function aggregateArguments(table: TableModel, groupable: readonly string[]): ClassDefinition {
  const { type } = table.descriptor;
  const where = maybe('where', `${type}WhereInput`);
  if (groupable.length === 0) return args(`${type}AggregateArgs`, [where]);
  const groups = [maybeMany('groupBy', `${type}Column`), maybe('having', `${type}HavingInput`)];
  return args(`${type}AggregateArgs`, [where, ...groups]);
}

function filterArguments(table: TableModel): readonly FieldDefinition[] {
  const { type } = table.descriptor;
  const where = maybe('where', `${type}WhereInput`);
  return table.orderable ? [where, maybeMany('orderBy', `${type}OrderByInput`)] : [where];
}

function queries(table: TableModel): readonly QueryDefinition[] {
  const { type, primaryKey } = table.descriptor;
  const { fields } = table;
  const key = (primaryKey?.columns ?? []).flatMap((name) =>
    table.columns.filter((column) => column.descriptor.name === name).map((column) => keyArgument(column)),
  );
  return [
    { ...many(fields.list, type), arguments: `${type}Args`, inline: [] },
    ...(key.length === 0 ? [] : [{ ...maybe(fields.byPk, type), inline: key }]),
    { ...one(fields.connection, `${type}Connection`), arguments: `${type}ConnectionArgs`, inline: [] },
    { ...one(fields.aggregate, `${type}Aggregate`), arguments: `${type}AggregateArgs`, inline: [] },
  ];
}

function keyArgument(column: ColumnModel): FieldDefinition {
  const { kind } = column.descriptor.type;
  const input = kind === 'composite' || kind === 'range' ? `${column.graphql.name}Input` : column.graphql.name;
  return { ...columnField(column), type: input, nullable: false, description: '' };
}

function args(name: string, fields: readonly FieldDefinition[]): ClassDefinition {
  return { kind: 'args', name, description: '', fields };
}

function typeOf(context: TableContext, relation: RelationModel): string {
  const table = context.tables.get(relation.descriptor.table);
  if (table === undefined) throw new TypeError(`${relation.descriptor.table} is not a table of the model.`);
  return table.descriptor.type;
}

function isMany(relation: RelationModel): boolean {
  return relation.descriptor.cardinality === 'many';
}

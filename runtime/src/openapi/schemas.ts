import type { ColumnDescriptor, ColumnType } from '../descriptor/descriptor.js';
import { mayLack } from '../descriptor/may-lack.js';
import type { EnumModel, Model, TableModel } from '../model/model.js';
import { nullable, reference, typeName, valueSchema, type Schema, type Use } from './column-schema.js';
import { filterSchemas } from './filters.js';
import type { Json, JsonObject } from './json.js';
import { described } from './parts.js';

type Entry = readonly [name: string, schema: Schema];

/**
 * `components.schemas`: the rows of each table, for reading and for writing, and the types of their
 * values.
 */
export function componentSchemas(model: Model): JsonObject {
  return Object.fromEntries<Json>([
    ...model.tables.flatMap((table) => tableSchemas(model, table)),
    ...model.enums.map((each): Entry => [each.descriptor.type, enumSchema(each)]),
    ...uses.flatMap((use) => [...compositeSchemas(model, use), ...rangeSchemas(model, use)]),
    ...filterSchemas(model),
    ['Rest.Pagination', pagination],
    ['Rest.Error', error],
  ]);
}

const uses: readonly Use[] = ['read', 'write'];

/** The names of a table's schemas; `row` describes answers. */
export const schemaNames = ({ descriptor: { type } }: TableModel) => ({
  row: type,
  insert: `${type}.Insert`,
  update: `${type}.Update`,
  replace: `${type}.Replace`,
});

function tableSchemas(model: Model, table: TableModel): readonly Entry[] {
  const { row, insert, update, replace } = schemaNames(table);
  const { insertable, updatable, primaryKey } = table.descriptor;
  const isWritten = insertable === true || updatable === true;
  return [
    [row, rowSchema(model, table)],
    ...(isWritten ? [[update, writtenSchema(model, table)] as const] : []),
    ...(insertable === true
      ? [[insert, needing(update, neededForInsert(table), insertedOnly(model, table))] as const]
      : []),
    ...(updatable === true && primaryKey !== undefined
      ? [[replace, needing(update, neededForReplace(table))] as const]
      : []),
  ];
}

/**
 * A row in an answer without `select`, which has every column, null or not, but for those that a
 * rule hides from the caller. One schema describes
 * all answers of an operation. `select` can change everything about a row (fewer columns, other
 * names, casts, embedded tables), so a schema that allowed for it would describe no column.
 */
function rowSchema(model: Model, table: TableModel): Schema {
  const properties = table.columns.map(({ descriptor, nullable: maybe, comment }): Entry => {
    const schema = valueSchema(descriptor.type, model);
    const readOnly = descriptor.readOnly === true ? { readOnly: true } : {};
    return [descriptor.name, { ...(maybe ? nullable(schema) : schema), ...readOnly, ...described(comment) }];
  });
  return {
    type: 'object',
    ...described(table.comment),
    ...requiring(
      table.columns.filter(({ mayBeHidden }) => mayBeHidden !== true).map(({ descriptor }) => descriptor.name),
    ),
    properties: Object.fromEntries(properties),
  };
}

/** The columns that updates and inserts can write, each of which may be left out. */
const writtenSchema = (model: Model, table: TableModel): Schema =>
  columnsSchema(model, table, ({ readOnly, insertOnly }) => readOnly !== true && insertOnly !== true);

/** The columns that inserts alone can write; undefined: none. */
const insertedOnly = (model: Model, table: TableModel): Schema | undefined =>
  [...table.columns, ...(table.writeOnly ?? [])].some(({ descriptor }) => descriptor.insertOnly === true)
    ? columnsSchema(model, table, ({ insertOnly }) => insertOnly === true)
    : undefined;

function columnsSchema(model: Model, table: TableModel, has: (column: ColumnDescriptor) => boolean): Schema {
  const properties = [...table.columns, ...(table.writeOnly ?? [])]
    .filter(({ descriptor }) => has(descriptor))
    .map(({ descriptor, nullable: maybe }): Entry => {
      const schema = valueSchema(descriptor.type, model, 'write');
      return [descriptor.name, maybe ? nullable(schema) : schema];
    });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The same schema, with some of its members required. */
const needing = (name: string, columns: readonly string[], more?: Schema): Schema =>
  columns.length === 0 && more === undefined
    ? reference(name)
    : { allOf: [reference(name), ...(more === undefined ? [] : [more])], ...requiring(columns) };

const requiring = (names: readonly string[]): Schema => (names.length === 0 ? {} : { required: names });

/** Columns without a default that cannot be null. */
function neededForInsert({ descriptor }: TableModel): readonly string[] {
  return [...descriptor.columns, ...(descriptor.writeOnly ?? [])]
    .filter(({ readOnly, updateOnly }) => readOnly !== true && updateOnly !== true)
    .filter((column) => !mayLack(column))
    .map((column) => column.name);
}

/** Every column but those of the key. Source: decision 006. */
function neededForReplace({ descriptor }: TableModel): readonly string[] {
  const key = new Set(descriptor.primaryKey?.columns ?? []);
  return descriptor.columns
    .filter((column) => column.readOnly !== true && !key.has(column.name))
    .map((column) => column.name);
}

/** An enum of PostgreSQL may have no labels; a list of no values is not JSON Schema. */
function enumSchema({ descriptor, comment }: EnumModel): Schema {
  const labels = descriptor.values.map((value) => value.label);
  return { type: 'string', ...(labels.length === 0 ? {} : { enum: labels }), ...described(comment) };
}

/** An attribute that is not sent is null. */
const compositeSchemas = (model: Model, use: Use): readonly Entry[] =>
  model.composites.map(({ descriptor, comment }) => {
    const properties = descriptor.attributes.map(({ name, type }): Entry => [
      name,
      nullable(valueSchema(type, model, use)),
    ]);
    return [
      typeName(descriptor.type, use),
      {
        type: 'object',
        ...(use === 'read' ? described(comment) : {}),
        ...(use === 'read' ? requiring(properties.map(([name]) => name)) : {}),
        properties: Object.fromEntries(properties),
      },
    ];
  });

/** Over REST, ranges of different subtypes with one GraphQL name are written alike. */
function rangeSchemas(model: Model, use: Use): readonly Entry[] {
  const types = [
    ...model.tables.flatMap((table) => table.descriptor.columns.map((column) => column.type)),
    ...typesOfFunctions(model),
  ];
  const ranges = types.flatMap((type) =>
    type.kind === 'array' && type.element !== undefined ? [type.element] : [type],
  );
  const named = new Map(
    ranges.flatMap((type) => {
      const { $ref } = valueSchema(type, model, use);
      if (type.kind !== 'range' || type.element === undefined || typeof $ref !== 'string') return [];
      return [[$ref.slice($ref.lastIndexOf('/') + 1), type.element] as const];
    }),
  );
  return [...named].map(([name, element]) => {
    const bound = nullable(valueSchema(element, model, use));
    const flag = { type: 'boolean' };
    const properties = { lower: bound, upper: bound, lowerInclusive: flag, upperInclusive: flag, empty: flag };
    const required = use === 'read' ? requiring(Object.keys(properties)) : {};
    return [name, { type: 'object', ...required, properties }];
  });
}

/** Arguments and answers, with the members of composite types. */
function typesOfFunctions({ functions, composites }: Model): readonly ColumnType[] {
  return [
    ...functions.flatMap(({ descriptor }) => [
      ...descriptor.arguments.map(({ type }) => type),
      ...(descriptor.returns === undefined ? [] : [descriptor.returns]),
    ]),
    ...composites.flatMap(({ descriptor }) => descriptor.attributes.map(({ type }) => type)),
  ];
}

const pagination: Schema = {
  type: 'object',
  required: ['limit', 'offset', 'total'],
  properties: {
    limit: { type: 'integer', description: 'The limit that was applied.' },
    offset: { type: 'integer' },
    total: { type: ['integer', 'null'], description: 'Matching rows; null unless they were counted.' },
  },
};

const error: Schema = {
  type: 'object',
  required: ['code', 'message', 'details', 'hint'],
  properties: {
    code: { type: 'string', description: 'An SQLSTATE, or a code of the server (TW…).' },
    message: { type: 'string' },
    details: { type: ['string', 'null'] },
    hint: { type: ['string', 'null'] },
  },
};

import type { TableModel } from '../../model/model.js';
import type { JsonObject } from '../source/json.js';
import { reference, type Schema } from './column-schema.js';
import { anyOf, common, errors, headers, references, rowOf, writeSchema } from './parts.js';

const failures = ['400', '401', '403', '404', '409', '500'];

/** POST, PATCH, PUT and DELETE, as far as the tables of a path take them. Source: contract 4.1 and 4.4, decisions 6. */
export function writeOperations(tables: readonly TableModel[], profiled: boolean): JsonObject {
  const { insertable, updatable, replaceable, deletable } = {
    insertable: tables.filter(({ descriptor }) => descriptor.insertable === true),
    updatable: tables.filter(({ descriptor }) => descriptor.updatable === true),
    replaceable: tables.filter(
      ({ descriptor }) => descriptor.updatable === true && descriptor.primaryKey !== undefined,
    ),
    deletable: tables.filter(({ descriptor }) => descriptor.deletable === true),
  };
  return {
    ...(insertable.length === 0 ? {} : { post: insert(insertable, profiled) }),
    ...(updatable.length === 0 ? {} : { patch: update(updatable, profiled) }),
    ...(replaceable.length === 0 ? {} : { put: replace(replaceable, profiled) }),
    ...(deletable.length === 0 ? {} : { delete: remove(deletable, profiled) }),
  };
}

function insert(tables: readonly TableModel[], profiled: boolean): JsonObject {
  const row = anyOf(tables.map((table) => required(table, neededForInsert(table))));
  return {
    ...common(tables, 'Insert'),
    parameters: [
      ...references(['columns', 'on_conflict', 'select', 'PreferWrite']),
      ...headers('Content-Profile', profiled),
    ],
    requestBody: body({ anyOf: [row, { type: 'array', items: row }] }),
    responses: {
      200: answer('The rows: nothing was inserted.', oneOrMany(tables)),
      201: answer('The created row, or rows where a list was sent.', oneOrMany(tables)),
      204: { description: 'Done; `return=minimal`.' },
      ...errors(failures),
    },
  };
}

function update(tables: readonly TableModel[], profiled: boolean): JsonObject {
  return {
    ...common(tables, 'Update'),
    parameters: [...references(['filters', 'select', 'PreferWrite']), ...headers('Content-Profile', profiled)],
    requestBody: body(anyOf(tables.map((table) => reference(writeSchema(table))))),
    responses: changed(tables, 'The rows as they are now.'),
  };
}

function replace(tables: readonly TableModel[], profiled: boolean): JsonObject {
  return {
    ...common(tables, 'Replace'),
    parameters: [...references(['filters', 'select', 'PreferWrite']), ...headers('Content-Profile', profiled)],
    requestBody: body(anyOf(tables.map((table) => required(table, neededForReplace(table))))),
    responses: {
      ...changed(tables, 'The row as it is now.'),
      201: answer('The created row.', many(tables)),
    },
  };
}

function remove(tables: readonly TableModel[], profiled: boolean): JsonObject {
  return {
    ...common(tables, 'Delete'),
    parameters: [...references(['filters', 'select', 'PreferWrite']), ...headers('Content-Profile', profiled)],
    responses: changed(tables, 'The rows that were deleted.'),
  };
}

function changed(tables: readonly TableModel[], description: string): JsonObject {
  return {
    200: answer(description, many(tables)),
    204: { description: 'Done; `return=minimal`.' },
    ...errors(failures),
  };
}

function many(tables: readonly TableModel[]): Schema {
  return { type: 'array', items: rowOf(tables) };
}

function oneOrMany(tables: readonly TableModel[]): Schema {
  return { anyOf: [rowOf(tables), many(tables)] };
}

function answer(description: string, schema: Schema): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

function body(schema: Schema): JsonObject {
  return { required: true, content: { 'application/json': { schema } } };
}

function required(table: TableModel, columns: readonly string[]): Schema {
  const write = reference(writeSchema(table));
  return columns.length === 0 ? write : { allOf: [write, { required: columns }] };
}

function neededForInsert({ descriptor }: TableModel): readonly string[] {
  return descriptor.columns
    .filter((column) => column.nullable !== true && column.hasDefault !== true && column.readOnly !== true)
    .map((column) => column.name);
}

/** Every column but those of the key. */
function neededForReplace({ descriptor }: TableModel): readonly string[] {
  const key = new Set(descriptor.primaryKey?.columns ?? []);
  return descriptor.columns
    .filter((column) => column.readOnly !== true && !key.has(column.name))
    .map((column) => column.name);
}

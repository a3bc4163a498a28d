import type { TableModel } from '../model/model.js';
import type { JsonObject } from './json.js';
import { answer, done, failure } from './answers.js';
import { reference, type Schema } from './column-schema.js';
import { anyOf, common, headers, references } from './parts.js';

const writeParameters = ['filters', 'select', 'PreferWrite'];

/** POST, PATCH, PUT and DELETE, as far as the tables of a path take them. Source: contract 4.1 and 4.4, decisions 6. */
export function writeOperations(tables: readonly TableModel[], profiled: boolean): JsonObject {
  const insertable = tables.filter(({ descriptor }) => descriptor.insertable === true);
  const updatable = tables.filter(({ descriptor }) => descriptor.updatable === true);
  const replaceable = updatable.filter(({ descriptor }) => descriptor.primaryKey !== undefined);
  const deletable = tables.filter(({ descriptor }) => descriptor.deletable === true);
  return {
    ...(insertable.length === 0 ? {} : { post: insert(insertable, profiled) }),
    ...(updatable.length === 0 ? {} : { patch: update(updatable, profiled) }),
    ...(replaceable.length === 0 ? {} : { put: replace(replaceable, profiled) }),
    ...(deletable.length === 0 ? {} : { delete: remove(deletable, profiled) }),
  };
}

function insert(tables: readonly TableModel[], profiled: boolean): JsonObject {
  const row = anyOf(tables.map((table) => required(table, neededForInsert(table))));
  const names = ['columns', 'on_conflict', 'select', 'PreferWrite'];
  return {
    ...common(tables, 'Insert', 'Inserts one row, or the rows of a list.'),
    parameters: [...references(names), ...headers('Content-Profile', profiled)],
    requestBody: body({ anyOf: [row, { type: 'array', items: row }] }),
    responses: { 200: answer(tables, 'Written'), 201: answer(tables, 'Written'), 204: done, ...failure },
  };
}

function update(tables: readonly TableModel[], profiled: boolean): JsonObject {
  return {
    ...common(tables, 'Update', 'Updates the rows that match the filters.'),
    parameters: [...references(writeParameters), ...headers('Content-Profile', profiled)],
    requestBody: body(anyOf(tables.map(({ descriptor }) => reference(descriptor.type)))),
    responses: { 200: answer(tables, 'Rows'), 204: done, ...failure },
  };
}

function replace(tables: readonly TableModel[], profiled: boolean): JsonObject {
  return {
    ...common(tables, 'Replace', 'Replaces the row of a key, or inserts it.'),
    parameters: [...references(writeParameters), ...headers('Content-Profile', profiled)],
    requestBody: body(anyOf(tables.map((table) => required(table, neededForReplace(table))))),
    responses: { 200: answer(tables, 'Rows'), 201: answer(tables, 'Rows'), 204: done, ...failure },
  };
}

function remove(tables: readonly TableModel[], profiled: boolean): JsonObject {
  return {
    ...common(tables, 'Delete', 'Deletes the rows that match the filters.'),
    parameters: [...references(writeParameters), ...headers('Content-Profile', profiled)],
    responses: { 200: answer(tables, 'Rows'), 204: done, ...failure },
  };
}

function body(schema: Schema): JsonObject {
  return { required: true, content: { 'application/json': { schema } } };
}

function required({ descriptor }: TableModel, columns: readonly string[]): Schema {
  const row = reference(descriptor.type);
  return columns.length === 0 ? row : { allOf: [row, { required: columns }] };
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

import { isNamed } from '../descriptor/nesting.js';
import type { TableModel } from '../model/model.js';
import type { JsonObject } from './json.js';
import { answer, done } from './answers.js';
import { reference, type Schema } from './column-schema.js';
import { failing } from './failures.js';
import { filters, keyFilters } from './filters.js';
import { anyOf, common, described, namesOf, profiles, references, schemasOf, type PathContext } from './parts.js';
import { schemaNames } from './schemas.js';

/**
 * POST, PATCH, PUT and DELETE, as far as the tables of a path take them. Source: decision 006.
 */
export function writeOperations(tables: readonly TableModel[], context: PathContext): JsonObject {
  const insertable = tables.filter(({ descriptor }) => descriptor.insertable === true);
  const updatable = tables.filter(({ descriptor }) => descriptor.updatable === true);
  const replaceable = updatable.filter(({ descriptor }) => descriptor.primaryKey !== undefined);
  const deletable = tables.filter(({ descriptor }) => descriptor.deletable === true);
  return {
    ...(insertable.length === 0 ? {} : { post: insert(insertable, context) }),
    ...(updatable.length === 0 ? {} : { patch: update(updatable, context) }),
    ...(replaceable.length === 0 ? {} : { put: replace(replaceable, context) }),
    ...(deletable.length === 0 ? {} : { delete: remove(deletable, context) }),
  };
}

function insert(tables: readonly TableModel[], context: PathContext): JsonObject {
  const rows = tables.map((table) => reference(schemaNames(table).insert));
  const spoken = {
    summary: 'Inserts one row, or the rows of a list.',
    description:
      `Inserts into ${namesOf(tables)}. One object is answered by one row, a list by a list. ` +
      '`Prefer: resolution=merge-duplicates` upserts.',
  };
  return {
    ...common(tables, 'Insert', context, spoken),
    parameters: [
      ...references(['columns', 'on_conflict', 'select', 'PreferWrite']),
      ...profiles('Content-Profile', schemasOf(tables), context),
    ],
    requestBody: body(
      { anyOf: rows.flatMap((row) => [row, { type: 'array', items: row }]) },
      inside(tables, insideNewRow),
    ),
    responses: {
      200: answer(tables, 'Written'),
      201: answer(tables, 'Written'),
      204: done,
      ...failing('write'),
    },
  };
}

function update(tables: readonly TableModel[], context: PathContext): JsonObject {
  const spoken = {
    summary: 'Updates the rows that match the filters.',
    description: `Updates rows of ${namesOf(tables)}. Without a filter it is refused: 400.`,
  };
  return {
    ...common(tables, 'Update', context, spoken),
    parameters: [
      ...filters(tables),
      ...references(['or', 'and', 'columns', 'select', 'PreferWrite', 'If-Match']),
      ...profiles('Content-Profile', schemasOf(tables), context),
    ],
    requestBody: body(anyOf(tables.map((table) => reference(schemaNames(table).update))), inside(tables, insideRow)),
    responses: { 200: answer(tables, 'Rows'), 204: done, ...failing('update') },
  };
}

function replace(tables: readonly TableModel[], context: PathContext): JsonObject {
  const spoken = {
    summary: 'Replaces the row of a key, or inserts it.',
    description: `Replaces a row of ${namesOf(tables)}. The filters are the whole key, the body has every other column.`,
  };
  return {
    ...common(tables, 'Replace', context, spoken),
    parameters: [
      ...keyFilters(tables),
      ...references(['select', 'PreferWrite', 'If-Match']),
      ...profiles('Content-Profile', schemasOf(tables), context),
    ],
    requestBody: body(anyOf(tables.map((table) => reference(schemaNames(table).replace)))),
    responses: {
      200: answer(tables, 'Rows'),
      201: answer(tables, 'Rows'),
      204: done,
      ...failing('update'),
    },
  };
}

function remove(tables: readonly TableModel[], context: PathContext): JsonObject {
  const spoken = {
    summary: 'Deletes the rows that match the filters.',
    description: `Deletes rows of ${namesOf(tables)}. Without a filter it is refused: 400.`,
  };
  return {
    ...common(tables, 'Delete', context, spoken),
    parameters: [
      ...filters(tables),
      ...references(['or', 'and', 'select', 'PreferWrite', 'If-Match']),
      ...profiles('Content-Profile', schemasOf(tables), context),
    ],
    responses: { 200: answer(tables, 'Rows'), 204: done, ...failing('remove') },
  };
}

/** Rows as JSON, or as CSV with a line of column names. */
function body(schema: Schema, description: string | null = null): JsonObject {
  return {
    required: true,
    ...described(description),
    content: { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } },
  };
}

const insideNewRow =
  'A member may be a relation, called as in `select`: an object with new related rows as `data`, and with existing rows as `connect` and `connectOrCreate`.';

const insideRow =
  'A member may be a relation, called as in `select`: an object with the changes of related rows: `disconnect`, `delete`, `update`, `upsert`, `connect`, `connectOrCreate` and `create`. The filters then match one row.';

const inside = (tables: readonly TableModel[], text: string): string | null =>
  tables.some(({ descriptor }) => isNamed(descriptor)) ? text : null;

import type { ColumnModel, Model, TableModel } from '../../model/model.js';
import type { Json, JsonObject } from '../source/json.js';
import { nullable, reference, valueSchema, type Schema } from './column-schema.js';
import { described, listSchema, writeSchema } from './parts.js';

/** `components.schemas`: a row of each table, and the types that rows are made of. */
export function componentSchemas(model: Model): JsonObject {
  return {
    ...Object.fromEntries(model.tables.flatMap((table) => tableSchemas(model, table))),
    ...Object.fromEntries(
      model.enums.map(({ descriptor, comment }) => [
        descriptor.type,
        { type: 'string', enum: descriptor.values.map((value) => value.label), ...described(comment) },
      ]),
    ),
    ...Object.fromEntries(
      model.composites.map(({ descriptor, comment }) => [
        descriptor.type,
        {
          type: 'object',
          properties: Object.fromEntries(
            descriptor.attributes.map(({ name, type }) => [name, nullable(valueSchema(type, model.options))]),
          ),
          ...described(comment),
        },
      ]),
    ),
    ...rangeSchemas(model),
    'Rest.Pagination': {
      type: 'object',
      required: ['limit', 'offset', 'total'],
      properties: {
        limit: { type: 'integer', description: 'The limit that was applied.' },
        offset: { type: 'integer' },
        total: { type: ['integer', 'null'], description: 'Matching rows; null without `Prefer: count=exact`.' },
      },
    },
    'Rest.Error': {
      type: 'object',
      required: ['code', 'message', 'details', 'hint'],
      properties: {
        code: { type: 'string', description: 'An SQLSTATE, or a code of the server (TW…).' },
        message: { type: 'string' },
        details: { type: ['string', 'null'] },
        hint: { type: ['string', 'null'] },
      },
    },
  };
}

/** A row, a list of them, and what may be written. */
function tableSchemas(model: Model, table: TableModel): readonly (readonly [string, Json])[] {
  const { type, insertable, updatable } = table.descriptor;
  const list: Schema = {
    type: 'object',
    required: ['data', 'pagination'],
    properties: { data: { type: 'array', items: reference(type) }, pagination: reference('Rest.Pagination') },
  };
  const writable = insertable === true || updatable === true;
  return [
    [type, rowSchema(model, table)],
    [listSchema(table), list],
    ...(writable ? ([[writeSchema(table), writtenSchema(model, table)]] as const) : []),
  ];
}

function rowSchema(model: Model, table: TableModel): Schema {
  const properties = table.columns.map((column) => property(model, column, described(column.comment)));
  return { type: 'object', properties: Object.fromEntries(properties), ...described(table.comment) };
}

function writtenSchema(model: Model, table: TableModel): Schema {
  const written = table.columns.filter((column) => column.descriptor.readOnly !== true);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(written.map((column) => property(model, column, {}))),
  };
}

function property(model: Model, column: ColumnModel, more: Schema): readonly [string, Schema] {
  const schema = valueSchema(column.descriptor.type, model.options);
  return [column.descriptor.name, { ...(column.nullable ? nullable(schema) : schema), ...more }];
}

/** Over REST, ranges of different subtypes with one GraphQL name are written alike. */
function rangeSchemas(model: Model): JsonObject {
  const types = model.tables.flatMap((table) => table.descriptor.columns.map((column) => column.type));
  const ranges = types.flatMap((type) =>
    type.kind === 'array' && type.element !== undefined ? [type.element] : [type],
  );
  const schemas = ranges.flatMap((type): (readonly [string, Schema])[] => {
    const { $ref } = valueSchema(type, model.options);
    if (type.kind !== 'range' || type.element === undefined || typeof $ref !== 'string') return [];
    const bound = nullable(valueSchema(type.element, model.options));
    const flag = { type: 'boolean' };
    const properties = { lower: bound, upper: bound, lowerInclusive: flag, upperInclusive: flag, empty: flag };
    return [[$ref.slice($ref.lastIndexOf('/') + 1), { type: 'object', properties }]];
  });
  return Object.fromEntries(schemas);
}

/** `components.parameters`: the parameters that every table takes. Source: contract 4.2, 4.3 and 4.5. */
export function componentParameters(schemas: readonly string[]): JsonObject {
  const text = { type: 'string' };
  const whole = { type: 'integer', minimum: 0 };
  const query = (name: string, schema: Schema, comment: string): Json => ({
    name,
    in: 'query',
    schema,
    description: comment,
  });
  const header = (name: string, comment: string): JsonObject => ({
    name,
    in: 'header',
    schema: text,
    description: comment,
  });
  const profile = (name: string): Json => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string', enum: schemas },
    description: 'The database schema of the table.',
  });
  return {
    select: query(
      'select',
      text,
      'Columns, comma-separated; `alias:column`, `column::type`, `json->key`, `relation(…)`.',
    ),
    order: query('order', text, 'Sort keys: `column.asc`, `column.desc.nullslast`, comma-separated.'),
    limit: query('limit', whole, 'Rows, at most; cut to the server’s maximum.'),
    offset: query('offset', whole, 'Rows to skip.'),
    or: query('or', text, 'Alternatives: `(column.operator.value,column.operator.value)`.'),
    and: query('and', text, 'Conditions: `(column.operator.value,column.operator.value)`.'),
    Range: header('Range', 'Rows to answer: `first-last`, both included, from zero.'),
    Prefer: header('Prefer', '`count=exact` counts the matching rows.'),
    columns: query('columns', text, 'The columns of the body to write, comma-separated; others are ignored.'),
    on_conflict: query('on_conflict', text, 'The columns of the unique key that an upsert goes by.'),
    PreferWrite: header(
      'Prefer',
      '`return=representation|minimal|headers-only`, `resolution=merge-duplicates|ignore-duplicates`, `missing=default`, ' +
        '`max-affected=n`, `tx=commit|rollback`.',
    ),
    filters: {
      name: 'filters',
      in: 'query',
      style: 'form',
      explode: true,
      schema: { type: 'object', additionalProperties: text },
      description: 'Which rows: `column=operator.value`, as in reads.',
    },
    ...(schemas.length > 1
      ? { 'Accept-Profile': profile('Accept-Profile'), 'Content-Profile': profile('Content-Profile') }
      : {}),
  };
}

/** `components.responses`: what every path may answer instead of rows. Source: contract 7.1. */
export function componentResponses(): JsonObject {
  const statuses: readonly (readonly [string, string])[] = [
    ['BadRequest', 'A malformed filter, parameter or address.'],
    ['Unauthorized', 'An invalid token.'],
    ['Forbidden', 'A policy or a missing privilege refuses it.'],
    ['NotFound', 'No such row, table or schema.'],
    ['Conflict', 'A unique or foreign key is in the way, or a concurrent write.'],
    ['RangeNotSatisfiable', 'The range begins after the last row.'],
    ['Failure', 'An error of the database.'],
  ];
  const content = { 'application/json': { schema: reference('Rest.Error') } };
  return Object.fromEntries(statuses.map(([name, text]) => [name, { description: text, content }]));
}

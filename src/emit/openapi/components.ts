import type { Model, TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import type { Json, JsonObject } from '../source/json.js';
import { nullable, reference, valueSchema, type Schema } from './column-schema.js';

/** `components.schemas`: a row of each table, and the types that rows are made of. */
export function componentSchemas(model: Model): JsonObject {
  return {
    ...Object.fromEntries(model.tables.map((table) => [table.descriptor.type, rowSchema(model, table)])),
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
    Pagination: {
      type: 'object',
      required: ['limit', 'offset', 'total'],
      properties: {
        limit: { type: 'integer', description: 'The limit that was applied.' },
        offset: { type: 'integer' },
        total: { type: ['integer', 'null'], description: 'Matching rows; null without `Prefer: count=exact`.' },
      },
    },
    Error: {
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

function rowSchema(model: Model, table: TableModel): Schema {
  const properties = table.columns.map((column): readonly [string, Schema] => {
    const schema = valueSchema(column.descriptor.type, model.options);
    return [column.descriptor.name, { ...(column.nullable ? nullable(schema) : schema), ...described(column.comment) }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), ...described(table.comment) };
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
  const header = (name: string, comment: string): Json => ({ name, in: 'header', schema: text, description: comment });
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
    ...(schemas.length > 1
      ? {
          'Accept-Profile': {
            name: 'Accept-Profile',
            in: 'header',
            required: true,
            schema: { type: 'string', enum: schemas },
            description: 'The database schema of the table.',
          },
        }
      : {}),
  };
}

/** `components.responses`: what every path may answer instead of rows. Source: contract 7.1. */
export function componentResponses(): JsonObject {
  const statuses: readonly (readonly [string, string])[] = [
    ['BadRequest', 'A malformed filter, parameter or address.'],
    ['Unauthorized', 'An invalid token.'],
    ['NotFound', 'No such row, table or schema.'],
    ['RangeNotSatisfiable', 'The range begins after the last row.'],
    ['Failure', 'An error of the database.'],
  ];
  const content = { 'application/json': { schema: reference('Error') } };
  return Object.fromEntries(statuses.map(([name, text]) => [name, { description: text, content }]));
}

function described(comment: string | null): { readonly description?: string } {
  const text = description(comment);
  return text === '' ? {} : { description: text };
}

import type { ColumnType } from '../descriptor/descriptor.js';
import type { Model, TableModel } from '../model/model.js';
import type { Json, JsonObject } from './json.js';
import { nullable, valueSchema, type Schema } from './column-schema.js';
import { described } from './parts.js';

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

/** A row: what is read, and but for its read-only columns what is written. */
function rowSchema(model: Model, table: TableModel): Schema {
  const properties = table.columns.map(({ descriptor, nullable: maybe, comment }): readonly [string, Schema] => {
    const schema = valueSchema(descriptor.type, model.options);
    const readOnly = descriptor.readOnly === true ? { readOnly: true } : {};
    return [descriptor.name, { ...(maybe ? nullable(schema) : schema), ...readOnly, ...described(comment) }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), ...described(table.comment) };
}

/** Over REST, ranges of different subtypes with one GraphQL name are written alike. */
function rangeSchemas(model: Model): JsonObject {
  const types = [
    ...model.tables.flatMap((table) => table.descriptor.columns.map((column) => column.type)),
    ...typesOfFunctions(model),
  ];
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

/** Arguments and answers, with what is in composite ones. */
function typesOfFunctions({ functions, composites }: Model): readonly ColumnType[] {
  if (functions.length === 0) return [];
  return [
    ...functions.flatMap(({ descriptor }) => [
      ...descriptor.arguments.map(({ type }) => type),
      ...(descriptor.returns === undefined ? [] : [descriptor.returns]),
    ]),
    ...composites.flatMap(({ descriptor }) => descriptor.attributes.map(({ type }) => type)),
  ];
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

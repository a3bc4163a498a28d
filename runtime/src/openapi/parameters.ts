import type { Model } from '../model/model.js';
import type { Schema } from './column-schema.js';
import { componentKey } from './component-key.js';
import type { Json, JsonObject } from './json.js';

/** The parameters of every read of rows. */
export const readParameters = ['select', 'order', 'limit', 'offset', 'or', 'and'];
/** The headers of every read of rows. */
export const readHeaders = ['Range', 'Prefer', 'If-None-Match'];

/** `components.parameters`: the parameters that tables share. Source: decision 006. */
export function componentParameters(model: Model): JsonObject {
  const schemas = [...new Set(model.tables.map((table) => table.descriptor.schema))];
  const served = [...new Set([...schemas, ...model.functions.map(({ descriptor }) => descriptor.schema)])];
  return { ...general, ...Object.fromEntries(profiles(served)) };
}

/** The headers that choose a schema: of one, and for tables that share a path of any. */
function* profiles(schemas: readonly string[]): Generator<readonly [string, Json]> {
  for (const name of ['Accept-Profile', 'Content-Profile'] as const) {
    yield [name, profile(name, schemas)];
    for (const schema of schemas) yield [profileKey(name, schema), profile(name, [schema])];
  }
}

/** The component of a header that chooses one schema. */
export const profileKey = (name: ProfileHeader, schema: string): string => componentKey(schema, name);

export type ProfileHeader = 'Accept-Profile' | 'Content-Profile';

/** Headers hold ASCII: the name of a schema is percent-encoded where it is anything else. */
const profile = (name: ProfileHeader, schemas: readonly string[]): Json => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string', enum: schemas.map(encodeURI) },
  description: 'The database schema.',
});

const text = { type: 'string' };

const query = (name: string, comment: string, schema: Schema = text): Json => ({
  name,
  in: 'query',
  schema,
  description: comment,
});

const header = (name: string, comment: string): Json => ({ name, in: 'header', schema: text, description: comment });

const whole = { type: 'integer', minimum: 0 };

const general: JsonObject = {
  select: query(
    'select',
    'Columns, comma-separated; `alias:column`, `column::type`, `json->key`, `relation(…)`. Rows then have the selected members: the schema of a row is ' +
      'that of a row without `select`.',
  ),
  order: query('order', 'Sort keys: `column.asc`, `column.desc.nullslast`, comma-separated.'),
  limit: query('limit', 'Rows, at most; cut to the server’s maximum.', whole),
  offset: query('offset', 'Rows to skip.', whole),
  or: query('or', 'Alternatives: `(column.operator.value,column.operator.value)`.'),
  and: query('and', 'Conditions: `(column.operator.value,not.or(column.operator.value,column.operator.value))`.'),
  columns: query('columns', 'The columns of the body to write, comma-separated; others are ignored.'),
  on_conflict: query('on_conflict', 'The columns of the unique key of an upsert.'),
  Range: header('Range', 'Rows to answer: `first-last`, both included, from zero. The answer is 206.'),
  Prefer: header('Prefer', '`count=exact|planned|estimated` counts the matching rows; `handling=strict`.'),
  PreferWrite: header(
    'Prefer',
    '`return=representation|minimal|headers-only`, `resolution=merge-duplicates|ignore-duplicates`, `missing=default|null`, ' +
      '`count=exact`, `max-affected=n`, `tx=commit|rollback`, `handling=strict`.',
  ),
  'If-Match': header(
    'If-Match',
    'The `ETag` of an earlier answer with this row: 412 when the row has changed since. The filters name one row.',
  ),
  'If-None-Match': header('If-None-Match', 'The `ETag` of an earlier answer: 304 when it would be the same again.'),
};

import type { ColumnType } from '../descriptor/descriptor.js';
import type { Model } from '../model/model.js';
import { outputType } from '../schema/graphql-type.js';
import type { JsonObject } from './json.js';

export type Schema = JsonObject;

/** The settings of the JSON of a value, beside its type. */
export type ValueContext = Pick<Model, 'dialect' | 'options'>;

/** Whether a value is answered or sent: composites and ranges that are sent may lack members. */
export type Use = 'read' | 'write';

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/**
 * The component of a composite or range type. Names of types have no dots: no type is called like
 * an input.
 */
export const typeName = (name: string, use: Use): string => (use === 'read' ? name : `${name}.Input`);

/**
 * The JSON Schema of a value as REST writes it. A format is given where validators know it and
 * every ordinary value has it; `infinity` and dates before Christ, which PostgreSQL has, are of
 * none. Source: decision 002; https://json-schema.org/draft/2020-12/schema
 */
export function valueSchema(type: ColumnType, context: ValueContext, use: Use = 'read'): Schema {
  const { options } = context;
  switch (type.kind) {
    case 'int':
      return { type: 'integer', format: type.sql.name === 'int8' ? 'int64' : 'int32' };
    case 'bigint': {
      const format = type.sql.name.startsWith('bigint unsigned') ? {} : { format: 'int64' };
      return { type: options.bigint === 'string' ? 'string' : 'integer', ...format };
    }
    case 'numeric':
    case 'money':
      return { type: options.numeric === 'string' ? 'string' : 'number' };
    case 'float':
      return { anyOf: [{ type: 'number' }, { type: 'string', enum: ['NaN', 'Infinity', '-Infinity'] }] };
    case 'boolean':
      return { type: 'boolean' };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'timestamp':
      return isMoment(type, context) ? { type: 'string', format: 'date-time' } : { type: 'string' };
    case 'json':
    case 'jsonb':
      return {};
    case 'vector':
      return { type: 'array', items: { type: 'number' }, ...lengthOf(type) };
    case 'array':
      return {
        type: 'array',
        items: type.element === undefined ? {} : nullable(valueSchema(type.element, context, use)),
      };
    case 'enum':
      return reference(type.enum ?? '');
    case 'composite':
      return reference(typeName(type.composite ?? '', use));
    case 'range':
      return reference(typeName(outputType(type).name, use));
    // In RFC 3339 a time has an offset, with minutes, and a duration has neither sign nor fraction:
    // these have other forms.
    case 'time':
    case 'interval':
    case 'text':
    case 'bytes':
    case 'tsvector':
    case 'other':
      return { type: 'string' };
  }
}

/** The same, or null. */
export function nullable(schema: Schema): Schema {
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** A value in a URL: every value except numbers, booleans and texts is written as a text. */
export function textSchema(type: ColumnType, context: ValueContext): Schema {
  const schema = valueSchema(type, context);
  const isScalar = typeof schema['type'] === 'string' && schema['type'] !== 'array';
  return isScalar || type.kind === 'enum' ? schema : { type: 'string' };
}

/** Whether values have an offset: `timestamptz` of PostgreSQL, `timestamp` of MariaDB. */
const isMoment = ({ sql }: ColumnType, { dialect }: ValueContext): boolean =>
  dialect === 'postgres' ? sql.name === 'timestamptz' : sql.name.startsWith('timestamp');

function lengthOf({ dimension }: ColumnType): Schema {
  return dimension === undefined ? {} : { minItems: dimension, maxItems: dimension };
}

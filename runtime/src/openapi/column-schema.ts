import type { ColumnType } from '../descriptor/descriptor.js';
import type { ModelOptions } from '../model/options.js';
import { outputType } from '../schema/graphql-type.js';
import type { JsonObject } from './json.js';

export type Schema = JsonObject;

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The JSON Schema of a value as REST writes it. Source: decisions 2; https://json-schema.org/draft/2020-12/schema */
export function valueSchema(type: ColumnType, options: ModelOptions): Schema {
  switch (type.kind) {
    case 'int':
      return { type: 'integer', format: type.sql.name === 'int8' ? 'int64' : 'int32' };
    case 'bigint':
      return options.bigint === 'string' ? { type: 'string', format: 'int64' } : { type: 'integer', format: 'int64' };
    case 'numeric':
    case 'money':
      return { type: options.numeric === 'string' ? 'string' : 'number' };
    case 'float':
      return { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] };
    case 'boolean':
      return { type: 'boolean' };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'time':
      return { type: 'string', format: 'time' };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'interval':
      return { type: 'string', format: 'duration' };
    case 'json':
    case 'jsonb':
      return {};
    case 'vector':
      return { type: 'array', items: { type: 'number' }, ...lengthOf(type) };
    case 'array':
      return { type: 'array', items: type.element === undefined ? {} : nullable(valueSchema(type.element, options)) };
    case 'enum':
      return reference(type.enum ?? '');
    case 'composite':
      return reference(type.composite ?? '');
    case 'range':
      return reference(outputType(type).name);
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

function lengthOf({ dimension }: ColumnType): Schema {
  return dimension === undefined ? {} : { minItems: dimension, maxItems: dimension };
}

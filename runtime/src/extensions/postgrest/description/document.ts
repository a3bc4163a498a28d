import type { FunctionDescriptor } from '../../../descriptor/descriptor.js';
import type { Registry } from '../../../descriptor/registry.js';
import { describeFunction } from './functions.js';
import { describeTable, summed, type DescribedTable } from './tables.js';
import { addressed, type Schema, type TypeContext } from './types.js';

/** What one role has of one schema. */
export interface Described {
  readonly schema: string;
  /** Of the mount. */
  readonly path: string;
  readonly tables: readonly DescribedTable[];
  readonly functions: readonly FunctionDescriptor[];
  /** By field, the tables whose keys may be named. */
  readonly shown: Registry['table'];
  /** Whether it says that tokens are taken: `app.rest.openapi-security-active`. */
  readonly isSecured: boolean;
}

/**
 * The description of a schema in the form that PostgREST gives: OpenAPI 2.0. It names no host:
 * that of the document is meant. Source: https://docs.postgrest.org/en/stable/references/api/openapi.html;
 * https://spec.openapis.org/oas/v2.0.html
 */
export function describeSchema(described: Described, context: TypeContext): Schema {
  const { path, schema, tables, functions, shown, isSecured } = described;
  const comment = context.catalog?.schemas.find(({ name }) => name === schema)?.comment;
  const parts = tables.map((each) => [each.table.name, describeTable(each, shown, context)] as const);
  const called = new Map<string, FunctionDescriptor>();
  for (const each of functions) if (!called.has(each.name)) called.set(each.name, each);
  return {
    swagger: '2.0',
    info: {
      title: 'PostgREST API',
      description: `The tables, views and functions of the schema ${schema}.`,
      ...summed(comment, 'title'),
      version: '1',
    },
    basePath: path,
    consumes: mediaTypes,
    produces: mediaTypes,
    paths: {
      '/': introspection,
      ...Object.fromEntries(parts.map(([name, { path: item }]) => [`/${addressed(name)}`, item])),
      ...Object.fromEntries(
        [...called].map(([name, each]) => [`/rpc/${addressed(name)}`, describeFunction(each, context)]),
      ),
    },
    definitions: Object.fromEntries(parts.map(([name, { definition }]) => [name, definition])),
    parameters: { ...sharedParameters, ...Object.fromEntries(parts.flatMap(([, { parameters }]) => parameters)) },
    ...(isSecured ? { securityDefinitions: { JWT: bearer }, security: [{ JWT: [] }] } : {}),
  };
}

const mediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

const introspection: Schema = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

const bearer: Schema = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'Add the token prepending "Bearer " (without quotes) to it',
};

const text = (name: string, description: string, more: Schema = { in: 'query' }): Schema => ({
  ...{ name, description, required: false, type: 'string' },
  ...more,
});

const preference = (values: readonly string[]): Schema => text('Prefer', 'Preference', { in: 'header', enum: values });

const returns = ['return=representation', 'return=minimal', 'return=headers-only'];
const paging = 'Limiting and Pagination';

const sharedParameters: Schema = {
  // Clients of old versions read it. It was a preference until PostgREST 13.
  preferParams: preference(['params=single-object']),
  preferReturn: preference(returns),
  preferCount: preference(['count=exact', 'count=planned', 'count=estimated']),
  preferPost: preference([...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates']),
  select: text('select', 'Filtering Columns'),
  on_conflict: text('on_conflict', 'On Conflict'),
  order: text('order', 'Ordering'),
  range: text('Range', paging, { in: 'header' }),
  rangeUnit: text('Range-Unit', paging, { in: 'header', default: 'items' }),
  offset: text('offset', paging),
  limit: text('limit', paging),
};

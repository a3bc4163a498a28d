import { rowKeyOf } from '../descriptor/unique-keys.js';
import type { Model, TableModel } from '../model/model.js';
import { printJson, type Json } from './json.js';
import { answer, componentResponses, failure } from './answers.js';
import { valueSchema, type Schema } from './column-schema.js';
import { componentParameters, componentSchemas } from './components.js';
import { filters, readParameters } from './filters.js';
import { functionPaths } from './functions.js';
import { anyOf, common, described, headers, references } from './parts.js';
import { writeOperations } from './writes.js';

/**
 * `openapi.json`: the REST side of the server. A path has no schema in it: tables of the same name in several schemas share one, and
 * the profile header tells them apart. Source: contract 4; https://spec.openapis.org/oas/v3.1.0
 */
export function emitOpenapi(model: Model): string {
  const byPath = new Map<string, TableModel[]>();
  for (const table of model.tables) {
    const path = `/${encodeURIComponent(table.descriptor.name)}`;
    byPath.set(path, [...(byPath.get(path) ?? []), table]);
  }
  const schemas = [...new Set(model.tables.map((table) => table.descriptor.schema))];
  const profiled = schemas.length > 1;
  const paths = [
    ...[...byPath].flatMap(([path, tables]) => pathsOf(path, tables, model, profiled)),
    ...functionPaths(model, profiled),
  ];
  return printJson(
    {
      openapi: '3.1.0',
      info: { title: 'REST API', version: '1', description: 'The tables and views of the database.' },
      servers: [{ url: '/api/v1' }],
      tags: model.schemas.map((schema) => ({ name: schema.name, ...described(schema.comment) })),
      security: [{}, { bearer: [] }],
      paths: Object.fromEntries(paths),
      components: {
        schemas: componentSchemas(model),
        parameters: componentParameters(schemas),
        responses: componentResponses(model.tables),
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    3,
  );
}

function pathsOf(
  path: string,
  tables: readonly TableModel[],
  model: Model,
  profiled: boolean,
): readonly (readonly [string, Json])[] {
  const keyed = tables.filter((table) => rowKeyOf(table.descriptor)?.length === 1);
  const list: readonly [string, Json] = [
    path,
    { get: listOperation(tables, profiled), ...writeOperations(tables, profiled) },
  ];
  return keyed.length === 0 ? [list] : [list, [`${path}/{id}`, { get: rowOperation(keyed, model, profiled) }]];
}

function listOperation(tables: readonly TableModel[], profiled: boolean): Json {
  return {
    ...common(tables, ''),
    parameters: [...references(readParameters), ...headers('Accept-Profile', profiled), ...filters(tables)],
    responses: { 200: answer(tables, 'List'), 206: answer(tables, 'List'), ...failure },
  };
}

function rowOperation(tables: readonly TableModel[], model: Model, profiled: boolean): Json {
  const id = anyOf(tables.map((table) => keySchema(table, model)));
  return {
    ...common(tables, 'ById', 'The row with this primary key.'),
    parameters: [
      { name: 'id', in: 'path', required: true, schema: id },
      ...references(['select']),
      ...headers('Accept-Profile', profiled),
    ],
    responses: { 200: answer(tables, 'Row'), ...failure },
  };
}

function keySchema(table: TableModel, model: Model): Schema {
  const [key] = rowKeyOf(table.descriptor) ?? [];
  const column = table.columns.find((each) => each.descriptor.name === key);
  return column === undefined ? {} : valueSchema(column.descriptor.type, model.options);
}

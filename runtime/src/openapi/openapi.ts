import { restPath } from '../descriptor/naming.js';
import { description } from '../model/description.js';
import { rowKeyOf } from '../descriptor/unique-keys.js';
import type { Model, TableModel } from '../model/model.js';
import { printJson, type Json, type JsonObject } from './json.js';
import { answer, componentResponses, unchanged } from './answers.js';
import { textSchema, type Schema } from './column-schema.js';
import { componentHeaders, failing } from './failures.js';
import { filters } from './filters.js';
import { functionPaths } from './functions.js';
import { withoutHidden } from './hidden-columns.js';
import { OperationIds } from './operation-ids.js';
import { componentParameters, readHeaders, readParameters } from './parameters.js';
import { anyOf, common, markdown, namesOf, profiles, references, schemasOf, type PathContext } from './parts.js';
import { withRestNames } from './rest-names.js';
import { componentSchemas } from './schemas.js';
import { usedComponents } from './used-components.js';
import { writeOperations } from './writes.js';

type Path = readonly [path: string, item: Json];

/**
 * `openapi.json`: the REST side of the server. A path has no schema in it: tables of the same name
 * in several schemas share one, and the profile header distinguishes them. Source: decision 006;
 * https://spec.openapis.org/oas/v3.1.0
 */
export function emitOpenapi(given: Model): string {
  const model = withRestNames(withoutHidden(given));
  const paths = pathsOf(model);
  const components = {
    schemas: componentSchemas(model),
    parameters: componentParameters(model),
    responses: componentResponses(model.tables),
    headers: componentHeaders,
  };
  return printJson(
    {
      openapi: '3.1.0',
      info: {
        title: 'REST API',
        version: '1',
        description:
          'The tables, views and functions of the database. A row has every column; with `select` it has the selected members instead.',
        contact: { name: 'The operator of this server' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: restPath }],
      tags: model.schemas.map((schema) => ({
        name: schema.name,
        description: markdown(schema.comment) || `The schema ${schema.name}.`,
      })),
      security: [{}, { bearer: [] }],
      paths,
      components: {
        ...usedComponents(components, paths),
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    3,
  );
}

function pathsOf(model: Model): JsonObject {
  const byPath = new Map<string, TableModel[]>();
  for (const table of model.tables) {
    const path = `/${encodeURIComponent(table.descriptor.name)}`;
    byPath.set(path, [...(byPath.get(path) ?? []), table]);
  }
  const fields = [...model.tables, ...model.functions].map(({ descriptor }) => descriptor.field);
  const context: PathContext = {
    ids: new OperationIds(fields),
    profiled: new Set(schemasOf(model.tables)).size > 1,
  };
  return Object.fromEntries<Json>([
    ...[...byPath].flatMap(([path, tables]) => tablePaths(path, tables, model, context)),
    ...functionPaths(model, context),
  ]);
}

function tablePaths(path: string, tables: readonly TableModel[], model: Model, context: PathContext): readonly Path[] {
  const keyed = tables.filter((table) => rowKeyOf(table.descriptor)?.length === 1);
  const read = tables.filter(({ columns, writeOnly }) => columns.length > 0 || writeOnly === undefined);
  const list: Path = [
    path,
    { ...(read.length === 0 ? {} : { get: listOperation(read, context) }), ...writeOperations(tables, context) },
  ];
  return keyed.length === 0 ? [list] : [list, [`${path}/{id}`, { get: rowOperation(keyed, model, context) }]];
}

function listOperation(tables: readonly TableModel[], context: PathContext): Json {
  const comment = tables.map((table) => description(table.comment)).find((each) => each !== '');
  const spoken = {
    summary: comment ?? `Rows of ${namesOf(tables)}.`,
    description: `Reads rows of ${namesOf(tables)}. All filters have to hold. Without \`order\` rows are in no particular order.`,
  };
  return {
    ...common(tables, '', context, spoken),
    parameters: [
      ...filters(tables),
      ...references([...readParameters, ...readHeaders]),
      ...profiles('Accept-Profile', schemasOf(tables), context),
    ],
    responses: { 200: answer(tables, 'List'), 206: answer(tables, 'List'), ...unchanged, ...failing('list') },
  };
}

function rowOperation(tables: readonly TableModel[], model: Model, context: PathContext): Json {
  const id = anyOf(tables.map((table) => keySchema(table, model)));
  const spoken = {
    summary: 'The row with this primary key.',
    description: `Reads one row of ${namesOf(tables)}, without an envelope.`,
  };
  return {
    ...common(tables, 'ById', context, spoken),
    parameters: [
      { name: 'id', in: 'path', required: true, schema: id },
      ...references(['select', 'If-None-Match']),
      ...profiles('Accept-Profile', schemasOf(tables), context),
    ],
    responses: { 200: answer(tables, 'Row'), ...unchanged, ...failing('row') },
  };
}

function keySchema(table: TableModel, model: Model): Schema {
  const [key] = rowKeyOf(table.descriptor) ?? [];
  const column = table.columns.find((each) => each.descriptor.name === key);
  return column === undefined ? { type: 'string' } : textSchema(column.descriptor.type, model);
}

import type { Model, TableModel } from '../model/model.js';
import { identifier } from '../model/files.js';
import type { Homes } from './graphql/modules.js';
import type { TableDefinitions } from './graphql/table.js';
import { vocabularyNames } from './vocabulary.js';

/** What every emitter of the project is given. */
export interface EmitContext {
  readonly model: Model;
  /** By key. */
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly homes: Homes;
  /** Of the tables that GraphQL has, by key. */
  readonly definitions: ReadonlyMap<string, TableDefinitions>;
}

/** The constant that holds a table's descriptor. */
export function descriptorName(table: TableModel): string {
  const name = identifier(table.descriptor.field);
  // A script without upper and lower case gives the type the same name.
  return vocabularyNames.has(name) || helperNames.has(name) || name === table.descriptor.type ? `${name}Table` : name;
}

/** What a table's file calls with the descriptor. */
const helperNames: ReadonlySet<string> = new Set(['aggregateTypes', 'readTypes', 'createTypes', 'updateTypes']);

/** The module of a table, as `Home.module` is written. */
export function moduleOf(table: TableModel): string {
  return `${table.folder}/${table.file}.table`;
}

/** The constant that holds a table's routes. Beside `bus` there may be a table `bus_routes`, whose descriptor keeps its name. */
export function routesName({ tables }: Pick<EmitContext, 'tables'>, table: TableModel): string {
  let name = `${table.descriptor.field}Routes`;
  while (tables.has(name)) name += '_';
  return name;
}

/** What a generated file says it is made from: `table kanban.issues`. */
export function sourceOf(table: TableModel): string {
  const { schema, name, kind } = table.descriptor;
  const kinds = { table: 'table', view: 'view', materializedView: 'materialized view' };
  return `${kinds[kind]} ${schema}.${name}`;
}

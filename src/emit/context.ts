import { type Model, type TableDefinitions, type TableModel, identifier } from '@tablewright/runtime/model';
import type { Homes } from './graphql/modules.js';
import { runtimeName } from './source/runtime-module.js';
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
  return vocabularyNames.has(name) || otherNames.has(name) || name === table.descriptor.type ? `${name}Table` : name;
}

/**
 * Names that no descriptor has: the runtime's, what generated files call their parameters and the other parts of a schema, and those that earlier
 * versions imported, which keep what they displaced.
 */
const otherNames: ReadonlySet<string> = new Set([
  runtimeName,
  ...['exchange', 'ctx', 'info'],
  ...['enums', 'composites', 'procedures', 'functions'],
  ...['aggregateTypes', 'readTypes', 'createTypes', 'updateTypes'],
]);

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

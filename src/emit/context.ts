import { type Model, type TableDefinitions, type TableModel, identifier } from '@tablewright/runtime/model';
import type { Homes } from './graphql/modules.js';
import { runtimeName } from './source/runtime-module.js';
import { vocabularyNames } from './vocabulary.js';

/** The input of every emitter. */
export interface EmitContext {
  readonly model: Model;
  /** By key. */
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly homes: Homes;
  /** The definitions of the tables in GraphQL, by key. */
  readonly definitions: ReadonlyMap<string, TableDefinitions>;
}

/** The constant that holds a table's descriptor. */
export function descriptorName(table: TableModel): string {
  const name = identifier(table.descriptor.field);
  // In a script without upper and lower case, the type can have the same name.
  return vocabularyNames.has(name) || otherNames.has(name) || name === table.descriptor.type ? `${name}Table` : name;
}

/**
 * Names that no descriptor may have: the runtime's name, parameters and other constants of
 * generated files, and names that earlier versions imported, so that descriptors which they renamed
 * keep their names.
 */
const otherNames: ReadonlySet<string> = new Set([
  runtimeName,
  ...['exchange', 'ctx', 'info'],
  ...['enums', 'composites', 'procedures', 'functions'],
  ...['aggregateTypes', 'readTypes', 'createTypes', 'updateTypes'],
]);

/**
 * The constant that holds a table's routes. It avoids the name of a descriptor: the tables `bus`
 * and `bus_routes` may both exist.
 */
export function routesName({ tables }: Pick<EmitContext, 'tables'>, table: TableModel): string {
  let name = `${table.descriptor.field}Routes`;
  while (tables.has(name)) name += '_';
  return name;
}

/** The source that the first line of a generated file names: `table kanban.issues`. */
export function sourceOf(table: TableModel): string {
  const { schema, name, kind } = table.descriptor;
  const kinds = { table: 'table', view: 'view', materializedView: 'materialized view' };
  return `${kinds[kind]} ${schema}.${name}`;
}

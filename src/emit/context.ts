import type { Model, TableModel } from '../model/model.js';
import { identifier } from '../model/files.js';
import type { Homes } from './graphql/modules.js';
import type { TableDefinitions } from './graphql/table.js';
import { vocabularyNames } from './vocabulary.js';

/** What every emitter of the project is given. */
export interface EmitContext {
  readonly model: Model;
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

/** What `<table>.graphql.ts` imports beside the descriptor. */
const helperNames: ReadonlySet<string> = new Set(['aggregateTypes', 'readTypes', 'createTypes', 'updateTypes']);

export function routesName(table: TableModel): string {
  return `${table.descriptor.field}Routes`;
}

/** What a generated file says it is made from: `table kanban.issues`. */
export function sourceOf(table: TableModel): string {
  const { schema, name, kind } = table.descriptor;
  const kinds = { table: 'table', view: 'view', materializedView: 'materialized view' };
  return `${kinds[kind]} ${schema}.${name}`;
}

/**
 * The entry for generated files: descriptors and their vocabulary, GraphQL types and arguments, and
 * REST routes.
 */
export type * from './descriptor/descriptor.js';
export * from './descriptor/relations.js';
export * from './dialect/postgres/types.js';
/** The vocabulary of MariaDB and MySQL: `tw.mysql.text`. */
export * as mysql from './dialect/mysql/types.js';
export { AggregateOf, ComputedArguments, FunctionArguments, RootArguments, Rows } from './descriptor/format.js';
export * from './schema/declarations.js';
export * from './schema/scalars.js';
export * from './schema/common-types.js';
export type { Context } from './execute/custom/context.js';
export { mergeSchemas, type GeneratedSchema, type GeneratedServer, type TableRoutes } from './descriptor/generated.js';
export type { RowRules } from './descriptor/row-rules.js';
export type { Settings } from './settings/settings.js';

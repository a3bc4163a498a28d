/** What generated files are made of: descriptors and their words, GraphQL's types and arguments, and the routes of REST. */
export type * from '../descriptor/descriptor.js';
export * from '../descriptor/relations.js';
export * from '../dialect/postgres/types.js';
/** The words of MySQL-style tables: `tw.mysql.text`. */
export * as mysql from '../dialect/mysql/types.js';
export * from './declarations.js';
export * from './scalars.js';
export * from './common-types.js';
export { mergeSchemas, type GeneratedSchema, type GeneratedServer, type TableRoutes } from '../descriptor/generated.js';
export type { Settings } from '../settings/settings.js';

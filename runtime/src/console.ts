/** What `@tablewright/console` is made with: the served tables, their catalogue, and answers. */
export type {
  Catalog,
  ForeignKey,
  Index,
  Policy,
  QualifiedName,
  ReferentialAction,
  Routine,
  Table as CatalogTable,
} from './catalog/catalog.js';
export type { ColumnDescriptor, ColumnType, RelationDescriptor } from './descriptor/descriptor.js';
export { rootFields } from './descriptor/names.js';
export { fieldOf, restNameOf, type Registry, type Table } from './descriptor/registry.js';
export type { RuleRows } from './descriptor/row-rules.js';
export type { Identity } from './dialect/driver.js';
export { codes, ServerError } from './errors.js';
export { runStatement } from './execute/run-statement.js';
export type { ConsolePackage, ConsoleSource, PageSource } from './http/console.js';
export { createPageOf } from './http/senders.js';
export type { RowFilter } from './plan/context.js';
export { restForm } from './plan/intent-form.js';
export type { BoundStatement } from './plan/statement.js';
export { basePathOf, type Answer } from './response/answer.js';
export { compress, type Coding } from './response/content-coding.js';
export { toServerError } from './response/server-error.js';
export type { Settings } from './settings/settings.js';

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
export { codes, ServerError } from './errors.js';
export type { ConsolePackage, ConsoleSource, PageSource } from './http/console.js';
export type { Answer } from './response/answer.js';
export { compress, type Coding } from './response/content-coding.js';

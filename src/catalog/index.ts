export type * from './catalog.js';
export type { CatalogConnection } from './connection/connection.js';
export { connect } from './connect.js';
export { pgliteConnection } from './connection/pglite.js';
export { readCatalog, type ReadOptions } from './postgres/read.js';

export type * from './catalog.js';
export type { CatalogConnection } from './connection/connection.js';
export { connect } from './connect.js';
export { pgliteConnection } from './connection/pglite.js';
export { readCatalog, type ReadOptions } from './postgres/read.js';
export { fingerprint } from './fingerprint.js';
export { portable } from './portable.js';
export { parseCatalog, serializeCatalog } from './snapshot.js';

/** What generated code says about a database: plain data, and the words it is written in. */
export type * from './descriptor.js';
export { createRegistry, type Descriptors, type Registry, type Table } from './registry.js';

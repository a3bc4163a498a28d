/**
 * The imports of generated files, in one module, because each import of each file costs time at
 * start.
 */
export type * from './filter-types.js';
export { enumType, filterInput, tableTypes, type AggregateResult } from './stand-ins.js';

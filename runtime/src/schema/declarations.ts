/** What generated files take from this room, from one place: at start, every import of every file costs time. */
export { FunctionArguments, RootArguments } from './arguments.js';
export { enumType } from './enum-type.js';
export { filterInput } from './filter-input.js';
export type * from './filter-types.js';
export { AggregateOf, Rows } from './rows.js';
export { tableTypes, type AggregateResult } from './table-types.js';

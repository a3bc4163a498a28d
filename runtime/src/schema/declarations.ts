/**
 * The imports of generated files, in one module, because each import of each file costs time at
 * start.
 */
export { ComputedArguments, FunctionArguments, RootArguments } from './arguments.js';
export { enumType } from './enum-type.js';
export { filterInput } from './filter-input.js';
export type * from './filter-types.js';
export { AggregateOf, Rows } from './rows.js';
export { tableTypes, type AggregateResult } from './table-types.js';

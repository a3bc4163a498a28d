import type { ColumnType } from '../descriptor/descriptor.js';
import { classOf, declareTypes } from './declare.js';
import { filterShape } from './filter-shape.js';

/**
 * Declares the filter input of a type, with the operators that the operator table has for its kind. `Filter` is what its values are to
 * TypeScript: one of filter-types.ts.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- says what TypeScript can't see: the fields are made at run time
export function filterInput<Filter extends object>(name: string, type: ColumnType): new () => Filter {
  declareTypes([filterShape(name, type)]);
  return classOf(name) as new () => Filter;
}

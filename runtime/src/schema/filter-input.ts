import type { ColumnType } from '../descriptor/descriptor.js';
import { classOf, declareTypes } from './declare.js';
import { filterShape } from './filter-shape.js';

/**
 * Declares the filter input of a type, with the operators of its kind in the operator table.
 * `Filter` is the TypeScript type of its values, from filter-types.ts.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- says what TypeScript can't see: the fields are made at run time
export function filterInput<Filter extends object>(name: string, type: ColumnType): new () => Filter {
  declareTypes([filterShape(name, type)]);
  return classOf(name) as new () => Filter;
}

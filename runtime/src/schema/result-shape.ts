import type { ColumnDescriptor, CompositeDescriptor, FunctionDescriptor } from '../descriptor/descriptor.js';
import { fieldOf } from '../descriptor/registry.js';
import { resultTable } from '../descriptor/results.js';
import { filterShape } from './filter-shape.js';
import { hasOwnFilter } from './graphql-type.js';
import { isSortable, nestedArguments, orderByInput, whereInput } from './read-shape.js';
import type { FieldShape, TypeShape } from './type-shape.js';

type Composites = (type: string) => CompositeDescriptor | undefined;

/**
 * The inputs that filter and sort the values of a function; none if its values cannot be filtered.
 */
export function resultShapes(called: FunctionDescriptor, composites: Composites): readonly TypeShape[] {
  const result = resultTable(called, composites);
  if (result === undefined) return [];
  const table = { ...result, columns: result.columns.map((column) => withFilter(result.type, column)) };
  return [
    whereInput(table, noTable),
    ...(isSortable(table) ? [orderByInput(table, noTable)] : []),
    ...table.columns.flatMap(({ filter, type }) => (filter === undefined ? [] : [filterShape(filter, type)])),
  ];
}

/**
 * `where`, `orderBy`, `limit` and `offset` for the values of a function; none if they cannot be
 * filtered.
 */
export function resultArguments(called: FunctionDescriptor, composites: Composites): readonly FieldShape[] {
  const table = resultTable(called, composites);
  return table === undefined ? [] : nestedArguments(table);
}

/** Each enum column has its own filter input. */
const withFilter = (type: string, column: ColumnDescriptor): ColumnDescriptor =>
  hasOwnFilter(column.type) ? { ...column, filter: `${type}_${fieldOf(column)}FilterInput` } : column;

function noTable(): never {
  throw new TypeError('The result of a function has no relations.');
}

import type { CompositeDescriptor, FunctionDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { fieldOf } from '../descriptor/registry.js';
import { resultTable } from '../descriptor/results.js';
import { filterShape } from './filter-shape.js';
import { hasOwnFilter } from './graphql-type.js';
import { isSortable, nestedArguments, orderByInput, whereInput, type OwnFilters } from './read-shape.js';
import type { FieldShape, TypeShape } from './type-shape.js';

type Composites = (type: string) => CompositeDescriptor | undefined;

/**
 * The inputs that filter and sort the values of a function; none if its values cannot be filtered.
 */
export function resultShapes(called: FunctionDescriptor, composites: Composites): readonly TypeShape[] {
  const table = resultTable(called, composites);
  if (table === undefined) return [];
  const filters = ownFilters(table);
  return [
    whereInput(table, filters, noTable),
    ...(isSortable(table) ? [orderByInput(table, noTable)] : []),
    ...table.columns.flatMap((column) => {
      const name = filters[fieldOf(column)];
      return name === undefined ? [] : [filterShape(name, column.type)];
    }),
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
const ownFilters = ({ type, columns }: TableDescriptor): OwnFilters =>
  Object.fromEntries(
    columns
      .filter((column) => hasOwnFilter(column.type))
      .map((column) => [fieldOf(column), `${type}_${fieldOf(column)}FilterInput`]),
  );

function noTable(): never {
  throw new TypeError('The result of a function has no relations.');
}

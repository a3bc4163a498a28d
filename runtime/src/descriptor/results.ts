import type { ColumnDescriptor, CompositeDescriptor, FunctionDescriptor, TableDescriptor } from './descriptor.js';
import { indexTable, type Registry, type Table } from './registry.js';

/** The one column of values that have no names of their own. */
export const valueColumn = 'value';

/**
 * The values that a function answers, as rows of a table: those of TABLE (…) have its columns,
 * others the column `value`. Undefined where they are not filtered.
 */
export function resultTable(
  { field, schema, name, inputs, returns, record }: FunctionDescriptor,
  composites: (type: string) => CompositeDescriptor | undefined,
): TableDescriptor | undefined {
  if (inputs === undefined || returns === undefined) return undefined;
  const attributes =
    record === true ? (composites(returns.composite ?? '')?.attributes ?? []) : [{ name: valueColumn, type: returns }];
  const columns = attributes.map((each): ColumnDescriptor => ({ ...each, nullable: true }));
  return { field, type: inputs, schema, name, kind: 'view', columns };
}

const known = new WeakMap<FunctionDescriptor, Table>();

/** The same with its look-ups. */
export function resultRows(called: FunctionDescriptor, { composites }: Registry): Table | undefined {
  const found = known.get(called);
  if (found !== undefined) return found;
  const table = resultTable(called, (type) => composites.get(type));
  if (table === undefined) return undefined;
  const indexed = indexTable(table);
  known.set(called, indexed);
  return indexed;
}

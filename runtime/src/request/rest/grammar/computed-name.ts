import type { ComputedDescriptor } from '../../../descriptor/descriptor.js';
import type { Table } from '../../../descriptor/registry.js';

/**
 * The GraphQL field of a computed column. As in PostgREST, REST also finds the column by its
 * function.
 */
export function computedOf(table: Table, name: string): string | undefined {
  return computedDescriptor(table, name)?.name;
}

export const computedDescriptor = (table: Table, name: string): ComputedDescriptor | undefined =>
  table.computed?.find((each) => each.name === name || each.function.name === name);

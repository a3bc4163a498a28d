import type { Table } from '../../descriptor/registry.js';

/** The GraphQL field of a computed column, which REST also finds by its function, as PostgREST does. */
export function computedOf(table: Table, name: string): string | undefined {
  return table.computed?.find((each) => each.name === name || each.function.name === name)?.name;
}

import type { TableDescriptor } from '../descriptor/descriptor.js';

// What generated files have declared, for what leads from one table to another. Like TypeGraphQL's store it belongs to the process.

const byField = new Map<string, TableDescriptor>();
const byType = new Map<string, TableDescriptor>();

export function rememberTable(table: TableDescriptor): void {
  byField.set(table.field, table);
  byType.set(table.type, table);
}

/** The table of a root field, which is what relations call it. */
export const findTable = (field: string): TableDescriptor | undefined => byField.get(field);

/** The table whose rows a class stands for. Throws TypeError for a class that is no table's. */
export function tableOfRows({ name }: { readonly name: string }): TableDescriptor {
  const table = byType.get(name);
  if (table === undefined) throw new TypeError(`No table has rows of the type ${name}.`);
  return table;
}

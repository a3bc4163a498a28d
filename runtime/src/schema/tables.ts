import type { TableDescriptor } from '../descriptor/descriptor.js';

// The tables that generated files have declared, for relations between them. Like TypeGraphQL's
// store, this store belongs to the process.

const byField = new Map<string, TableDescriptor>();
const byType = new Map<string, TableDescriptor>();

export function rememberTable(table: TableDescriptor): void {
  byField.set(table.field, table);
  byType.set(table.type, table);
}

/** The table of a root field. Relations refer to tables by this field. */
export const findTable = (field: string): TableDescriptor | undefined => byField.get(field);

/** The table whose rows a class represents. Throws TypeError for another class. */
export function tableOfRows({ name }: { readonly name: string }): TableDescriptor {
  const table = byType.get(name);
  if (table === undefined) throw new TypeError(`No table has rows of the type ${name}.`);
  return table;
}

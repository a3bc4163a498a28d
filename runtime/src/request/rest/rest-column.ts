import { unknownColumn } from '../../plan/refuse.js';
import type { Table } from '../../descriptor/registry.js';

/** The database's name of a column that a request names. Throws ServerError 400 where there is none. */
export function columnNamed(table: Table, name: string): string {
  const column = table.byRestName.get(name);
  if (column === undefined) throw unknownColumn(name, table);
  return column.name;
}

/** The same for what is planned later: where both have one name for a column, the planner is the one to refuse it. */
export const toBePlanned = (table: Table, name: string): string =>
  table.byRestName === table.byName ? name : columnNamed(table, name);

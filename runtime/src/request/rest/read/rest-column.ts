import type { ErrorReason } from '../../../errors.js';
import { unknownColumn } from '../../../plan/refuse.js';
import type { Table } from '../../../descriptor/registry.js';

/**
 * The database's name of a column in a request. Throws ServerError 400 if the column does not
 * exist.
 */
export function columnNamed(table: Table, name: string, reason?: ErrorReason): string {
  const column = table.byRestName.get(name);
  if (column === undefined) throw unknownColumn(name, table, reason);
  return column.name;
}

/**
 * The same, for columns that are planned later. If REST uses the names of the database, the planner
 * reports an unknown column.
 */
export const toBePlanned = (table: Table, name: string): string =>
  table.byRestName === table.byName ? name : columnNamed(table, name);

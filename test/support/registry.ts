import type { Registry, Table } from '../../runtime/src/descriptor/registry.js';
import { caseText, describeCase, type Described } from './described.js';

/** The SQL of a small board, test/cases/board, with rows. */
export const boardSql = `${caseText('board', 'schema.sql')}\n${caseText('board', 'rows.sql')}`;

/** The board as the generator describes it. */
export const board: Described = describeCase('board');

export const boardRegistry: Registry = board.registry;

/** The table with this key, e.g. `kanbanIssues`. */
export function tableOf(registry: Registry, field: string): Table {
  const table = registry.table.get(field);
  if (table === undefined) throw new Error(`no table ${field} in the registry`);
  return table;
}

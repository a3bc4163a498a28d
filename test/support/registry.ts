import type { Registry, Table } from '../../runtime/src/descriptor/registry.js';
import { caseText, describeModel, parseModel, type Described } from './described.js';

/** The SQL of a small board, test/cases/board, with rows. */
export const boardSql = `${caseText('board', 'schema.sql')}\n${caseText('board', 'rows.sql')}`;

/**
 * The board as the generator describes it. The model is kept, because a model is made with a
 * dialect, and suites of the parts that know no dialect use the board;
 * test/unit/model/kept-board.test.ts compares it with the model of the catalogue.
 */
export const board: Described = describeModel(parseModel(caseText('board', 'model.json')));

export const boardRegistry: Registry = board.registry;

/** The table with this key, e.g. `kanbanIssues`. */
export function tableOf(registry: Registry, field: string): Table {
  const table = registry.table.get(field);
  if (table === undefined) throw new Error(`no table ${field} in the registry`);
  return table;
}

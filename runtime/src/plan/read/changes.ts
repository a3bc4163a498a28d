import { fieldOf } from '../../descriptor/registry.js';
import { formerRows, type ChangesInputs, type ChangesIntent } from '../intent.js';
import type { Parameter } from '../parameter.js';
import { ownRows, styleOf, type PlanContext } from '../context.js';
import type { ChangesPlan } from './plan.js';
import { knownColumn, readTable } from './columns.js';
import { planAsked } from './filters.js';
import { planSelections } from './read.js';

/**
 * Changed rows by their keys. Throws ServerError 400 for names and operators that are not there.
 */
export function planChanges(intent: ChangesIntent, context: PlanContext): ChangesPlan {
  const { table, keys, where, rows, formerRows: before, form } = intent;
  const columns = (table.primaryKey?.columns ?? []).map((name) => knownColumn(table, name));
  return {
    kind: 'changes',
    // Feeds report a row with the table it is in. Keys tell the rows of one table apart.
    table: { ...readTable(table, context), ...ownRows(table) },
    keys: columns.flatMap((column, at) => {
      const value = keys[at];
      if (value === undefined) return [];
      return [{ as: fieldOf(column), column: column.name, values: { value, as: 'list', type: column.type } }];
    }),
    ...planAsked(where, table, context),
    rows: rows.map((each) => planSelections(each, table, context)),
    ...(before.length === 0
      ? {}
      : { former: { values: formerValues, rows: before.map((each) => planSelections(each, table, context)) } }),
    style: styleOf(form, context),
  };
}

const formerValues: Parameter = {
  value: { read: (inputs) => (inputs as ChangesInputs)[formerRows], form: 'text' },
  as: 'list',
  type: { kind: 'text', sql: { name: 'text' } },
};

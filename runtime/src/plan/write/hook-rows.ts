import type { Table } from '../../descriptor/registry.js';
import { tableoid } from '../../descriptor/unique-keys.js';
import type { PlanContext } from '../context.js';
import type { Filter } from '../intent.js';
import { planTouched } from '../read/filters.js';
import { keyColumns } from '../read/orders.js';
import type { Condition, TableName } from '../read/plan.js';
import { tableName } from '../context.js';
import { typedColumn } from './rows.js';
import type { TypedColumn } from './write-plan.js';

/**
 * Whole rows of a table for the user's code, with values as the database's Node.js driver returns
 * them.
 */
export interface HookRowsPlan {
  readonly table: TableName;
  readonly columns: readonly TypedColumn[];
  readonly rows:
    | { readonly kind: 'matching'; readonly where?: Condition; readonly lock: boolean }
    /** Those of the keys that the inputs are: a JSON text of lists of texts. In their order. */
    | { readonly kind: 'keyed'; readonly key: readonly TypedColumn[] };
}

/**
 * Rows that a write is about, before it.
 * @param lock until the transaction ends: rows of a table that are going to be updated
 */
export function planMatchingRows(
  table: Table,
  where: Filter | undefined,
  lock: boolean,
  context: PlanContext,
): HookRowsPlan {
  const matching = planTouched(where, table, context);
  return { ...wholeRows(table), rows: { kind: 'matching', lock: lock && table.kind === 'table', ...matching } };
}

/** Rows that a write has written. Undefined where the table has no key to find them by. */
export function planKeyedRows(table: Table): HookRowsPlan | undefined {
  const key = keyColumns(table);
  if (key === undefined) return undefined;
  return { ...wholeRows(table), rows: { kind: 'keyed', key: key.map((name) => typedColumn(table, name)) } };
}

const wholeRows = (table: Table): Pick<HookRowsPlan, 'table' | 'columns'> => ({
  table: tableName(table),
  columns: [...table.columns, ...(table.inherited === true ? [tableoid] : [])].map(({ name, type }) => ({
    name,
    type,
  })),
});

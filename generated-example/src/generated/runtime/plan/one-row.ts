import type { Filter } from './intent.js';
import type { InsertIntent, UpdateIntent } from './write-intent.js';
import { uniqueKeys } from '../unique-keys.js';

/**
 * Whether a write is about one row at most, which its shape says whatever is in the table: an insert of one row, or an update of
 * the row with a key. What is no table of its own may do anything.
 */
export function writesOneRow(intent: InsertIntent | UpdateIntent): boolean {
  const { table } = intent;
  if (table.kind !== 'table') return false;
  if (intent.kind === 'insert') return (intent.rows.cells?.length ?? 0) > 0;
  const fixed = intent.where === undefined ? new Set<string>() : fixedBy(intent.where);
  // Nulls are not equal, so a row that is found by a unique key is the only one, too.
  return uniqueKeys(table).some(({ columns }) => columns.every((column) => fixed.has(column)));
}

/** Columns that have one value in all rows that match. */
function fixedBy(filter: Filter): ReadonlySet<string> {
  if (filter.kind === 'and') return new Set(filter.filters.flatMap((each) => [...fixedBy(each)]));
  const isFixed =
    filter.kind === 'compare' && filter.operator === 'eq' && filter.path === undefined && filter.of === undefined;
  return new Set(isFixed ? [filter.column] : []);
}

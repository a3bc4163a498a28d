import type { PlanContext, RowFilter } from '../context.js';

/**
 * The context, for a plan of which is asked afterwards whether it reads a table of which the caller
 * may not read all rows.
 */
export function observed(context: PlanContext): { readonly context: PlanContext; readonly isLimited: () => boolean } {
  const { rowFilter } = context;
  if (rowFilter === undefined) return { context, isLimited: () => false };
  let isLimited = false;
  const watched: RowFilter = {
    condition: (table) => {
      const found = rowFilter.condition(table);
      isLimited ||= found !== undefined;
      return found;
    },
    written: (table) => rowFilter.written(table),
    hidden: (table) => rowFilter.hidden(table),
    unread: (table) => rowFilter.unread?.(table),
    shape: (table) => rowFilter.shape(table),
    conditions: rowFilter.conditions,
    kept: (cache, shape, make) => rowFilter.kept(cache, shape, make),
  };
  return { context: { ...context, rowFilter: watched }, isLimited: () => isLimited };
}

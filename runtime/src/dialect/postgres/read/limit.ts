import { sql } from 'kysely';
import type { Limit, ReadPlan } from '../../../plan/read/plan.js';
import { clauses, countParameter, nothing, type Fragment } from '../sql.js';

/** A number of rows: a literal if the server sets it, otherwise a parameter. */
export const count64 = (limit: Limit): Fragment => (typeof limit === 'number' ? sql.lit(limit) : countParameter(limit));

type Bounds = Pick<ReadPlan, 'limit' | 'offset' | 'reach'>;

/**
 * The end of a select. The planner cannot use a limit that is a parameter, so the statement has the
 * bucket's largest limit, and `page` takes the requested rows from the result.
 */
export const pageLimit = (bounds: Bounds): Fragment =>
  bounds.reach === undefined ? limitOf(bounds) : sql`limit ${sql.lit(bounds.reach)}`;

/**
 * The page, out of the rows of a select with `pageLimit`, in their order. Both are FROM items
 * called `name`.
 */
export const page = (rows: Fragment, name: Fragment, bounds: Bounds): Fragment =>
  bounds.reach === undefined ? rows : sql`(select * from ${rows} ${limitOf(bounds)}) as ${name}`;

function limitOf({ limit, offset }: Bounds): Fragment {
  const rowLimit = limit === undefined ? nothing : sql`limit ${count64(limit)}`;
  return offset === undefined ? rowLimit : clauses(rowLimit, sql`offset ${count64(offset)}`);
}

import { sql } from 'kysely';
import type { MediaHandler } from '../../../catalog/catalog.js';
import type { ReadPlan } from '../../../plan/read/plan.js';
import { sourceOf } from '../../sql/source.js';
import { clauses, table, type Fragment } from '../sql.js';
import { orderBy } from './expression.js';
import { page, pageLimit } from './limit.js';
import type { Compiler } from './scope.js';

/**
 * The rows of a read as an aggregate of the database writes them: text, or the hexadecimal digits
 * of bytes. It gets the table's own rows, whatever is selected.
 */
export function handledRows(
  plan: ReadPlan,
  handler: MediaHandler,
  compiler: Compiler,
): { readonly answer: Fragment; readonly from: Fragment } {
  const { scope, tail } = sourceOf(plan, compiler);
  // row(r.*) and not r: a column may have the name of our row.
  const whole = scope.whole ?? sql`row(${sql.id(scope.row)}.*)::${table(plan.table)}`;
  const rows = sql`(${clauses(sql`select ${whole} as whole`, tail, orderBy(plan.order, scope), pageLimit(plan))}) as t`;
  const written = sql`${table(handler)}(t.whole)`;
  const answer = handler.isBinary === true ? sql`encode(${written}::bytea, 'hex')` : sql`${written}::text`;
  return { answer, from: page(rows, sql`t`, plan) };
}

import { sql } from 'kysely';
import type { MediaHandler } from '../../../catalog/catalog.js';
import type { ReadPlan, TableName } from '../../../plan/read/plan.js';
import { sourceOf } from '../../sql/source.js';
import { clauses, table, type Fragment } from '../sql.js';
import { orderBy } from './expression.js';
import { page, pageLimit } from './limit.js';
import type { Compiler, Scope } from './scope.js';

/** What an aggregate of the database writes of rows: text, or the hexadecimal digits of bytes. */
export function writtenBy(handler: MediaHandler, row: Fragment): Fragment {
  const written = sql`${table(handler)}(${row})`;
  return handler.isBinary === true ? sql`encode(${written}::bytea, 'hex')` : sql`${written}::text`;
}

/** A whole row of a table: row(r.*) and not r, because a column may have the name of our row. */
export const wholeRow = ({ row }: Pick<Scope, 'row'>, of: TableName): Fragment =>
  sql`row(${sql.id(row)}.*)::${table(of)}`;

/**
 * Has an aggregate over whole rows of the table write the rows of a read. The selection of the read
 * does not matter.
 */
export function handledRows(
  plan: ReadPlan,
  handler: MediaHandler,
  compiler: Compiler,
): { readonly answer: Fragment; readonly from: Fragment } {
  const { scope, tail } = sourceOf(plan, compiler);
  const whole = scope.whole ?? wholeRow(scope, plan.table);
  const rows = sql`(${clauses(sql`select ${whole} as whole`, tail, orderBy(plan.order, scope), pageLimit(plan))}) as t`;
  return { answer: writtenBy(handler, sql`t.whole`), from: page(rows, sql`t`, plan) };
}

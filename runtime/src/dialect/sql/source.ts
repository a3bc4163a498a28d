import { sql } from 'kysely';
import type { ReadPlan } from '../../plan/read/plan.js';
import { filterOf, joined, readableIn, tableIn, where, type Readable } from './condition.js';
import { clauses, type Fragment } from './fragment.js';
import type { Belonging, Compiler, Scope, Source, Target } from './words.js';

/** The rows of a read without their order: FROM and WHERE. */
export function sourceOf<D extends Target>(plan: ReadPlan, compiler: Compiler<D>, belonging?: Belonging<D>): Source<D> {
  const isCalled = plan.from !== undefined || belonging?.join.call !== undefined;
  const scope: Scope<D> = { row: compiler.newRow(), style: plan.style, compiler, ...(isCalled && { isCalled }) };
  const source = { scope, tail: tailOf(plan, scope, belonging) };
  return plan.distinctOn === undefined ? source : compiler.words.distinct(plan, plan.distinctOn, source);
}

/** FROM and WHERE of all rows of a table, or of those that belong to a row. */
export function tailOf<D extends Target>(
  plan: Pick<ReadPlan, 'table' | 'from' | 'where'>,
  scope: Scope<D>,
  belonging: Belonging<D> | undefined,
): Fragment {
  if (belonging !== undefined) {
    const { from, on } = joined(belonging.join, belonging.outer, scope.row);
    return clauses(sql`from ${from}`, where([on, filterOf(plan.where, scope)]));
  }
  const { from, readable } = rootIn(plan, scope);
  return clauses(sql`from ${from}`, where([...readable, filterOf(plan.where, scope)]));
}

/** The table, or the function that answers its rows. */
function rootIn<D extends Target>(
  { table, from: called }: Pick<ReadPlan, 'table' | 'from'>,
  scope: Scope<D>,
): Readable {
  if (called === undefined) return tableIn(table, scope);
  const { from, on } = scope.compiler.words.source({ table, from: called }, scope);
  const readable = readableIn(table, scope);
  return { from, readable: on === undefined ? readable : [on, ...readable] };
}

/** How many rows a read would find without its limit; it stops counting at `ceiling`. */
export function count<D extends Target>(plan: ReadPlan, compiler: Compiler<D>, ceiling?: number): Fragment {
  const tail = countedTail(plan, compiler);
  return ceiling === undefined
    ? sql`(select count(*) ${tail})`
    : sql`(select count(*) from (${compiler.words.selectRow} ${tail} limit ${sql.lit(ceiling)}) as counted)`;
}

/** Any row of a read, for the database to estimate how many there are. */
export const anyRow = <D extends Target>(plan: ReadPlan, compiler: Compiler<D>): Fragment =>
  sql`${compiler.words.selectRow} ${countedTail(plan, compiler)}`;

/** FROM and WHERE for counting rows or groups of rows. */
function countedTail<D extends Target>(plan: ReadPlan, compiler: Compiler<D>): Fragment {
  const source = sourceOf(plan, compiler);
  return plan.grouped === true ? compiler.words.groupedSource(plan, source) : source.tail;
}

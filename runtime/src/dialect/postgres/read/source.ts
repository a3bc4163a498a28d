import { sql } from 'kysely';
import { tableoid } from '../../../descriptor/unique-keys.js';
import { answerIn } from '../../../plan/intent.js';
import type { DistinctPlan, Join, ReadPlan } from '../../../plan/read/plan.js';
import type { RawRow, Slot } from '../../../plan/statement.js';
import type { Joined } from '../../sql/words.js';
import { columnOf, join, nothing, table, type Fragment } from '../sql.js';
import { callOf } from './call.js';
import { compared, orderKey } from './expression.js';
import type { Compiler, Scope, Source } from './scope.js';

/** A function that answers rows of the table, or the rows that a function has answered. */
export function source(
  { table: name, from }: Required<Pick<ReadPlan, 'table' | 'from'>>,
  { row, compiler: { types } }: Scope,
): Pick<Joined, 'from'> & Partial<Joined> {
  const as = sql.id(row);
  if ('held' in from) return { from: sql`unnest(${heldArray}::${table(name)}[]) as ${as}` };
  if (from.answers !== undefined) return { from: sql`${calledName} as ${as}` };
  const called = { from: sql`${callOf(from, types)} as ${as}` };
  return from.returnsSet ? called : { ...called, on: isRow(row) };
}

const calledName = sql.id('called');

/** A function that writes, or is slow, is called once, also where its rows are counted. */
export function calledOnce({ from }: ReadPlan, { types }: Compiler): Fragment {
  if (from === undefined || 'held' in from || from.answers === undefined) return nothing;
  const { answers } = from;
  const call = callOf(from, types);
  const select =
    'value' in answers
      ? sql`select ${call} as ${sql.id(answers.value)}`
      : sql`select * from ${call} as f(${join(answers.columns.map((name) => sql.id(name)))})`;
  return sql`with ${calledName} as materialized (${select}) `;
}

const heldArray: Slot = { bind: (inputs) => (answerIn(inputs) as RawRow)[0] ?? null };

/** A function that answers one row answers a row of NULLs where there is none. */
const isRow = (row: string): Fragment => sql`not (${sql.id(row)}.* is null)`;

/** The rows that a function answers for the row around them. */
export function calledSource({ call }: Required<Pick<Join, 'call'>>, outer: Scope, row: string): Joined {
  const of = outer.whole ?? sql`${sql.id(outer.row)}.*`;
  const on = call.returnsSet ? sql`true` : isRow(row);
  return { from: sql`${table(call)}(${of}) as ${sql.id(row)}`, on };
}

/**
 * The first row of each combination, as a subselect instead of the table: the remaining rows are
 * then put in the order of the request. Computed fields are functions of the table's row type,
 * which the row of a subselect is not, so the subselect has the whole row as one column, too.
 */
export function distinct(plan: ReadPlan, { by, wholeRow }: DistinctPlan, { scope: inner, tail }: Source): Source {
  const row = inner.compiler.newRow();
  const combination = by.map((each) => compared(each, inner));
  const order = [...combination, ...plan.order.map((each) => orderKey(each, inner))];
  const all = sql`${sql.id(inner.row)}.*`;
  // row(r.*) and not r: a column may have the name of our row.
  const whole = sql`row(${all})::${table(plan.table)} as ${sql.id(wholeRow)}`;
  // The order of an inherited table ends with the table of the row, which is no part of `all`.
  const ordersTables = plan.order.some(({ by }) => by.kind === 'column' && by.column === tableoid.name);
  const system = ordersTables ? sql`, ${columnOf(inner.row, tableoid.name)}` : nothing;
  const select = sql`select distinct on (${join(combination)}) ${all}, ${whole}${system}`;
  return {
    scope: { ...inner, row, whole: columnOf(row, wholeRow) },
    tail: sql`from (${select} ${tail} order by ${join(order)}) as ${sql.id(row)}`,
  };
}

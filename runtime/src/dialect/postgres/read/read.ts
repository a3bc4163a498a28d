import { sql } from 'kysely';
import type { AttributePlan, DistinctPlan, ReadPlan, SelectionPlan, Style } from '../../../plan/read/plan.js';
import { compileAggregate } from './aggregate.js';
import { condition, where } from './condition.js';
import { compared, expression, orderBy, orderKey } from './expression.js';
import { groups } from './grouped.js';
import { page, pageLimit } from './limit.js';
import { nodeIdText } from './opaque.js';
import { jsonOf, listOf, objectOf, rowsOf, type Entry, type Rows } from './object.js';
import { attributeOf, project, projectLiteral } from './projection.js';
import { columnOf, joined, rowSource, type Belonging, type Compiler, type Scope } from './scope.js';
import { clauses, join, nothing, table, typeNameText, type Fragment } from '../sql.js';

/** The rows of a read, with the selection of each. */
export function rows(plan: ReadPlan, compiler: Compiler, belonging?: Belonging, literals = false): Rows {
  const source = sourceOf(plan, compiler, belonging);
  if (plan.grouped === true) return groupedRows(plan, source);
  const tail = clauses(source.tail, orderBy(plan.order, source.scope), pageLimit(plan));
  const found = rowsOf(entries(plan.select, { ...source.scope, literals }), tail);
  return { ...found, from: page(found.from, sql`t`, plan) };
}

function groupedRows(plan: ReadPlan, { scope, tail }: Source): Rows {
  const end = clauses(orderBy(plan.order, scope), pageLimit(plan));
  const { from, columns } = groups(plan, scope, selected, tail, end);
  const found = rowsOf(columns, sql`from ${from}`);
  return { ...found, from: page(found.from, sql`t`, plan) };
}

/** A scalar subselect with all rows of a read as a JSON list. */
export function list(plan: ReadPlan, compiler: Compiler, belonging?: Belonging): Fragment {
  const found = rows(plan, compiler, belonging);
  return sql`(select ${listOf(found)} from ${found.from})`;
}

/** A scalar subselect with the one row of a read as a JSON object, or null. */
export function one(plan: ReadPlan, compiler: Compiler, belonging?: Belonging): Fragment {
  const found = rows(plan, compiler, belonging);
  return sql`(select ${jsonOf(found)} from ${found.from})`;
}

/** How many rows a read would find without its limit; it stops counting at `ceiling`. */
export function count(plan: ReadPlan, compiler: Compiler, ceiling?: number): Fragment {
  const tail = countedTail(plan, compiler);
  return ceiling === undefined
    ? sql`(select count(*) ${tail})`
    : sql`(select count(*) from (select ${tail} limit ${sql.lit(ceiling)}) as counted)`;
}

/** Any row of a read, for the database to estimate how many there are. */
export const anyRow = (plan: ReadPlan, compiler: Compiler): Fragment => sql`select ${countedTail(plan, compiler)}`;

/** FROM and WHERE for counting rows or groups of rows. */
function countedTail(plan: ReadPlan, compiler: Compiler): Fragment {
  const { scope, tail } = sourceOf(plan, compiler);
  return plan.grouped === true ? sql`from ${groups(plan, scope, selected, tail, nothing).from}` : tail;
}

interface Source {
  readonly scope: Scope;
  /** FROM and WHERE. */
  readonly tail: Fragment;
}

function sourceOf(plan: ReadPlan, compiler: Compiler, belonging?: Belonging): Source {
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const { from, on } = fromOf(plan, scope, belonging);
  const matching = plan.where === undefined ? undefined : condition(plan.where, scope);
  const tail = clauses(sql`from ${from}`, where([on, matching]));
  return plan.distinctOn === undefined ? { scope, tail } : distinct(plan, plan.distinctOn, scope, tail);
}

function fromOf(
  plan: ReadPlan,
  { row, compiler }: Scope,
  belonging?: Belonging,
): { from: Fragment; on: Fragment | undefined } {
  if (belonging !== undefined) return joined(belonging.join, belonging.outer, row);
  return { from: sql`${rowSource(plan, compiler.types)} as ${sql.id(row)}`, on: existing(plan, row) };
}

/** A function that answers one row answers a row of NULLs where there is none. */
const existing = ({ from }: ReadPlan, row: string): Fragment | undefined =>
  from === undefined || from.returnsSet ? undefined : sql`not (${sql.id(row)}.* is null)`;

/**
 * The first row of each combination, as a subselect instead of the table: the remaining rows are
 * then put in the order asked for. Computed fields are functions of the table's row type, which a
 * subselect's row is not, so that one goes along.
 */
function distinct(plan: ReadPlan, { by, wholeRow }: DistinctPlan, inner: Scope, tail: Fragment): Source {
  const row = inner.compiler.newRow();
  const combination = by.map((each) => compared(each, inner));
  const order = [...combination, ...plan.order.map((each) => orderKey(each, inner))];
  const all = sql`${sql.id(inner.row)}.*`;
  // row(r.*) and not r: a column may have the name of our row.
  const whole = sql`row(${all})::${table(plan.table)} as ${sql.id(wholeRow)}`;
  const select = sql`select distinct on (${join(combination)}) ${all}, ${whole}`;
  return {
    scope: { ...inner, row, whole: columnOf(row, wholeRow) },
    tail: sql`from (${select} ${tail} order by ${join(order)}) as ${sql.id(row)}`,
  };
}

export const entries = (select: readonly SelectionPlan[], scope: Scope): readonly Entry[] =>
  select.map((selection) => ({ as: selection.as, value: selected(selection, scope) }));

function selected(selection: SelectionPlan, scope: Scope): Fragment {
  const { compiler, style } = scope;
  switch (selection.kind) {
    case 'constant':
      return typeNameText(selection.text);
    case 'nodeId':
      return nodeIdText([
        typeNameText(selection.type),
        ...selection.keys.map((key) => sql`${compared(key, scope)}::text`),
      ]);
    case 'value':
      return (scope.literals === true ? projectLiteral : project)(
        selection.expression.type,
        expression(selection.expression, scope),
        style,
        compiler.types,
      );
    case 'one':
      return one(selection.read, compiler, { join: selection.join, outer: scope });
    case 'spread':
      return spread(selection, scope);
    case 'many':
      return list(selection.read, compiler, { join: selection.join, outer: scope });
    case 'aggregate':
      return compileAggregate(selection.aggregate, compiler, { join: selection.join, outer: scope });
    case 'composite':
      return attributes(selection.select, columnOf(scope.row, selection.column), style, compiler);
  }
}

/** `v` is the one value that the read selects. */
function spread({ read, join: to, isList }: Extract<SelectionPlan, { kind: 'spread' }>, outer: Scope): Fragment {
  const { from } = rows(read, outer.compiler, { join: to, outer });
  return isList ? sql`(select coalesce(json_agg(t.v), '[]') from ${from})` : sql`(select t.v from ${from})`;
}

/** The attributes of a composite value that are wanted, as a JSON object. */
export function attributes(
  select: readonly AttributePlan[],
  value: Fragment,
  style: Style,
  compiler: Compiler,
): Fragment {
  const members = select.map((each): Entry => {
    if (each.kind === 'constant') return { as: each.as, value: typeNameText(each.text) };
    const attribute = attributeOf(value, each.attribute);
    const projected =
      each.select === undefined
        ? project(each.type, attribute, style, compiler.types)
        : attributes(each.select, attribute, style, compiler);
    return { as: each.as, value: projected };
  });
  return sql`case when ${value} is distinct from null then ${objectOf(members)} end`;
}

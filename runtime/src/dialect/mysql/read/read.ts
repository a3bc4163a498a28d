import { sql } from 'kysely';
import type { DistinctPlan, Expression, ReadPlan } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import { expression } from '../../sql/expression.js';
import { canBeNull, holdsAggregate } from '../../sql/expression-facts.js';
import { entries } from '../../sql/selection.js';
import { sourceOf } from '../../sql/source.js';
import type { Selection } from '../../sql/words.js';
import { clauses, columnOf, join, limitOf, nothing, type Fragment } from '../sql.js';
import { allKeys, orderBy, sortedInList, type OrderKey } from './expression.js';
import { nestedList } from './nested-list.js';
import { opaqueList } from './opaque.js';
import { plainText, project } from './projection.js';
import type { Belonging, Compiler, Scope, Source } from './scope.js';
import { jsonText, listOf, objectText, valueText, whole, wholeOfRows, type Entry, type Text } from './text.js';

/** Rows as a FROM item named `t`: `t.j` is the text of a row, and `order` its sort keys. */
export interface Rows {
  readonly from: Fragment;
  readonly order: readonly Fragment[];
}

/** The text of a row. */
export type WriteRow = (entries: readonly Entry[]) => Fragment;

/** Whether a row stands for several rows of the table, so that its text has aggregates. */
export const isGrouped = ({ grouped }: ReadPlan): boolean => grouped === true;

/** The rows of a read, with the selection of each. */
export function rows(plan: ReadPlan, compiler: Compiler, write: WriteRow = objectText, belonging?: Belonging): Rows {
  const { scope, tail: source } = sourceOf(plan, compiler, belonging);
  const tail = clauses(source, groupBy(plan, scope));
  const keys = allKeys(plan.order, scope);
  const row = write(entries(plan.select, scope));
  return { from: ordered(row, keys, tail, limitOf(plan)), order: outerOrder(keys) };
}

/** Groups are by values of columns, from which the text of a row is made. */
function groupBy({ grouped, select }: ReadPlan, scope: Scope): Fragment {
  if (grouped !== true) return nothing;
  const keys = select.flatMap((selection) => {
    if (selection.kind !== 'value')
      throw unsupported('This database does not group by embedded tables. Select columns beside the aggregates.');
    return holdsAggregate(selection.expression) ? [] : [expression(selection.expression, scope)];
  });
  return keys.length === 0 ? nothing : sql`group by ${join(keys)}`;
}

/**
 * Rows with their sort keys. There is no window function beside the text of a row: the database
 * would write the text of every row before it applies the limit.
 */
export function ordered(row: Fragment, keys: readonly OrderKey[], tail: Fragment, limit: Fragment): Fragment {
  const columns = [sql`${row} as j`, ...keys.map(({ value }, at) => sql`${value} as ${keyName(at)}`)];
  return sql`(${clauses(sql`select ${join(columns)}`, tail, orderBy(keys), limit)}) as t`;
}

const keyName = (at: number): Fragment => sql.id(`k${String(at)}`);

export const outerOrder = (keys: readonly OrderKey[]): readonly Fragment[] =>
  keys.flatMap((key, at) => sortedInList({ ...key, value: sql`t.${keyName(at)}` }));

/**
 * A scalar subselect with all rows of a read as a JSON list. With `belonging` it has a derived
 * table that refers to the row around it.
 */
export function list(
  plan: ReadPlan,
  compiler: Compiler,
  belonging?: Belonging,
  write: WriteRow = objectText,
): Fragment {
  const { from, order } = rows(plan, compiler, write, belonging);
  return whole(sql`(select ${listOf(sql`t.j`, order)} from ${from})`);
}

/** A select of the one row of a read as a JSON object. */
export function row(plan: ReadPlan, compiler: Compiler, belonging?: Belonging, write: WriteRow = objectText): Fragment {
  const { scope, tail } = sourceOf(plan, compiler, belonging);
  const text = (isGrouped(plan) ? wholeOfRows : whole)(write(entries(plan.select, scope)));
  return clauses(sql`select ${text}`, tail, groupBy(plan, scope), orderBy(allKeys(plan.order, scope)), limitOf(plan));
}

/** The one row of a read as a JSON object, or `null`. */
export const one = (plan: ReadPlan, compiler: Compiler, belonging?: Belonging, write?: WriteRow): Fragment =>
  sql`coalesce((${row(plan, compiler, belonging, write)}), 'null')`;

/** FROM with a row for each group. */
export const groupedSource = (plan: ReadPlan, { scope, tail }: Source): Fragment =>
  sql`from (${clauses(sql`select count(*) as n`, tail, groupBy(plan, scope))}) as g`;

/** The first row of each combination, as a subselect in the place of the table. */
export function distinct(plan: ReadPlan, { by, wholeRow }: DistinctPlan, { scope: inner, tail }: Source): Source {
  const row = inner.compiler.newRow();
  const combination = join(by.map((each) => expression(each, inner)));
  const order = orderBy(allKeys(plan.order, inner));
  const over = clauses(sql`partition by ${combination}`, order);
  const number = sql`row_number() over (${over}) as ${sql.id(wholeRow)}`;
  return {
    scope: { ...inner, row },
    tail: sql`from (select ${sql.id(inner.row)}.*, ${number} ${tail}) as ${sql.id(row)} where ${columnOf(row, wholeRow)} = 1`,
  };
}

export function nodeId({ type, keys }: Selection<'nodeId'>, scope: Scope): Text {
  const { style, compiler } = scope;
  const keyText = (key: Expression): Text => {
    const value = expression(key, scope);
    // As REST shows it, which is the form that a value of the client is read in.
    const text = plainText(key.type, value, { ...style, enums: 'label' }, compiler.types);
    // JSON_QUOTE answers NULL for a number.
    return { text: sql`cast(${text} as char)`, form: 'escaped', nullable: true, test: value };
  };
  const texts = [jsonText(sql.raw(`'"${type}"'`)), ...keys.map(keyText)];
  return { text: opaqueList(texts), form: 'plain', nullable: false };
}

export const value = (of: Expression, scope: Scope): Text =>
  project(of.type, expression(of, scope), canBeNull(of), scope.style, scope.compiler.types);

/** The value that the read selects: of the one related row, or of each. */
export function spread({ read, join: to, isList }: Selection<'spread'>, scope: Scope): Fragment {
  const { compiler } = scope;
  const belonging = { join: to, outer: scope };
  if (!isList) return one(read, compiler, belonging, onlyValue);
  if (compiler.types.features.correlatedDerivedTables) return list(read, compiler, belonging, onlyValue);
  return nestedList(read, compiler, belonging, (inner) => onlyValue(entries(read.select, inner)));
}

/** The row is its only value. */
export const onlyValue: WriteRow = ([first]) => (first === undefined ? nothing : valueText(first.value));

/** The rows that belong to the row of the scope. */
export function many(read: ReadPlan, compiler: Compiler, belonging: Belonging): Fragment {
  if (read.grouped === true && !compiler.types.features.correlatedDerivedTables)
    throw unsupported('This database has no groups in nested lists.');
  if (read.distinctOn !== undefined) throw unsupported('This database has no distinctOn in nested lists.');
  if (compiler.types.features.correlatedDerivedTables) return list(read, compiler, belonging);
  return nestedList(read, compiler, belonging, (inner) => objectText(entries(read.select, inner)));
}

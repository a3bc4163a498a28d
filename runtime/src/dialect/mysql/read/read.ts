import { sql } from 'kysely';
import type { DistinctPlan, Expression, Join, ReadPlan, SelectionPlan } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import { opaqueList } from './opaque.js';
import { plainText, project } from './projection.js';
import { compileAggregate } from './aggregate.js';
import { condition, where } from './condition.js';
import { allKeys, canBeNull, expression, orderBy, sortedInList, type OrderKey } from './expression.js';
import { clauses, join, limitOf, nothing, table, type Fragment } from '../sql.js';
import { nestedList } from './nested-list.js';
import { columnOf, joined, type Belonging, type Compiler, type Scope } from './scope.js';
import { jsonText, listOf, objectText, valueText, whole, type Entry, type Text } from './text.js';

/** Rows as a FROM item named `t`: `t.j` is the text of a row, and `order` its sort keys. */
export interface Rows {
  readonly from: Fragment;
  readonly order: readonly Fragment[];
}

/** The text of a row. */
type WriteRow = (entries: readonly Entry[]) => Fragment;

/** The rows of a read, with the selection of each. */
export function rows(plan: ReadPlan, compiler: Compiler, write: WriteRow = objectText, belonging?: Belonging): Rows {
  const { scope, tail: source } = sourceOf(plan, compiler, belonging);
  const tail = clauses(source, groupBy(plan, scope));
  const keys = allKeys(plan.order, scope);
  const row = write(entries(plan.select, scope));
  return { from: ordered(row, keys, tail, limitOf(plan)), order: outerOrder(keys) };
}

/** Groups are by the values of columns; the text of a row is made of these. */
function groupBy({ grouped, select }: ReadPlan, scope: Scope): Fragment {
  if (grouped !== true) return nothing;
  const keys = select.flatMap((selection) => {
    if (selection.kind !== 'value')
      throw unsupported('This database does not group by embedded tables. Select columns beside the aggregates.');
    return holdsAggregate(selection.expression) ? [] : [expression(selection.expression, scope)];
  });
  return keys.length === 0 ? nothing : sql`group by ${join(keys)}`;
}

const holdsAggregate = (of: Expression): boolean =>
  of.kind === 'aggregated' || (of.kind === 'cast' && holdsAggregate(of.of));

/**
 * Rows with their keys beside them. No window function stands beside the text of a row: the
 * database would write that of every row before the limit counts.
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
  const text = whole(write(entries(plan.select, scope)));
  return clauses(sql`select ${text}`, tail, groupBy(plan, scope), orderBy(allKeys(plan.order, scope)), limitOf(plan));
}

/** The one row of a read as a JSON object, or `null`. */
export const one = (plan: ReadPlan, compiler: Compiler, belonging?: Belonging, write?: WriteRow): Fragment =>
  sql`coalesce((${row(plan, compiler, belonging, write)}), 'null')`;

/** How many rows a read would find without its limit; it stops counting at `ceiling`. */
export function count(plan: ReadPlan, compiler: Compiler, ceiling?: number): Fragment {
  const tail = countedTail(plan, compiler);
  return ceiling === undefined
    ? sql`(select count(*) ${tail})`
    : sql`(select count(*) from (select 1 ${tail} limit ${sql.lit(ceiling)}) as counted)`;
}

/** Any row of a read, for the database to estimate how many there are. */
export const anyRow = (plan: ReadPlan, compiler: Compiler): Fragment => sql`select 1 ${countedTail(plan, compiler)}`;

/** FROM and WHERE for counting rows or groups of rows. */
function countedTail(plan: ReadPlan, compiler: Compiler): Fragment {
  const { scope, tail } = sourceOf(plan, compiler);
  if (plan.grouped !== true) return tail;
  return sql`from (${clauses(sql`select count(*) as n`, tail, groupBy(plan, scope))}) as g`;
}

interface Source {
  readonly scope: Scope;
  /** FROM and WHERE. */
  readonly tail: Fragment;
}

function sourceOf(plan: ReadPlan, compiler: Compiler, belonging?: Belonging): Source {
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const { from, on } =
    belonging === undefined
      ? { from: sql`${table(plan.table)} as ${sql.id(scope.row)}`, on: undefined }
      : joined(belonging.join, belonging.outer, scope.row);
  const matching = plan.where === undefined ? undefined : condition(plan.where, scope);
  const tail = clauses(sql`from ${from}`, where([on, matching]));
  return plan.distinctOn === undefined ? { scope, tail } : distinct(plan, plan.distinctOn, scope, tail);
}

/** The first row of each combination, as a subselect in the place of the table. */
function distinct(plan: ReadPlan, { by, wholeRow }: DistinctPlan, inner: Scope, tail: Fragment): Source {
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

export const entries = (select: readonly SelectionPlan[], scope: Scope): readonly Entry[] =>
  select.map((selection) => ({ as: selection.as, value: selected(selection, scope) }));

function selected(selection: SelectionPlan, scope: Scope): Text {
  const { compiler, style } = scope;
  switch (selection.kind) {
    case 'constant':
      return jsonText(sql.raw(`'"${selection.text}"'`));
    case 'nodeId': {
      const keyText = (key: Expression): Text => {
        const value = expression(key, scope);
        // As REST shows it, which is what a value of the client's is read as.
        const text = plainText(key.type, value, { ...style, enums: 'label' }, compiler.types);
        // JSON_QUOTE answers NULL for a number.
        return { text: sql`cast(${text} as char)`, form: 'escaped', nullable: true, test: value };
      };
      const texts = [jsonText(sql.raw(`'"${selection.type}"'`)), ...selection.keys.map(keyText)];
      return { text: opaqueList(texts), form: 'plain', nullable: false };
    }
    case 'value': {
      const { expression: of } = selection;
      return project(of.type, expression(of, scope), canBeNull(of), style, compiler.types);
    }
    case 'one':
      return jsonText(one(selection.read, compiler, { join: selection.join, outer: scope }));
    case 'many':
      return jsonText(many(selection, scope));
    case 'spread':
      return jsonText(spread(selection, scope));
    case 'aggregate':
      return jsonText(compileAggregate(selection.aggregate, compiler, { join: selection.join, outer: scope }));
    case 'composite':
      return jsonText(nothing);
  }
}

/** The one value that the read selects, of the related row or of each. */
function spread({ read, join: to, isList }: Extract<SelectionPlan, { kind: 'spread' }>, scope: Scope): Fragment {
  const { compiler } = scope;
  const belonging = { join: to, outer: scope };
  if (!isList) return one(read, compiler, belonging, onlyValue);
  if (compiler.types.features.correlatedDerivedTables) return list(read, compiler, belonging, onlyValue);
  return nestedList(read, compiler, belonging, (inner) => onlyValue(entries(read.select, inner)));
}

const onlyValue: WriteRow = ([first]) => (first === undefined ? nothing : valueText(first.value));

/** The rows that belong to the row of the scope. */
function many({ read, join: to }: { readonly read: ReadPlan; readonly join: Join }, scope: Scope): Fragment {
  const { compiler } = scope;
  if (read.grouped === true && !compiler.types.features.correlatedDerivedTables)
    throw unsupported('This database has no groups in nested lists.');
  if (read.distinctOn !== undefined) throw unsupported('This database has no distinctOn in nested lists.');
  const belonging = { join: to, outer: scope };
  if (compiler.types.features.correlatedDerivedTables) return list(read, compiler, belonging);
  return nestedList(read, compiler, belonging, (inner) => objectText(entries(read.select, inner)));
}

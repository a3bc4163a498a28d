import { sql } from 'kysely';
import type { AttributePlan, Expression, ReadPlan, Style } from '../../../plan/read/plan.js';
import { expression } from '../../sql/expression.js';
import { entries, selected } from '../../sql/selection.js';
import { sourceOf } from '../../sql/source.js';
import type { Selection } from '../../sql/words.js';
import { clauses, columnOf, nothing, typeNameText, type Fragment } from '../sql.js';
import { compared, orderBy } from './expression.js';
import { groups } from './grouped.js';
import { page, pageLimit } from './limit.js';
import { jsonOf, listOf, objectOf, rowsOf, type Rows } from './object.js';
import { nodeIdText } from './opaque.js';
import { attributeOf, project, projectLiteral } from './projection.js';
import { represented } from './represented.js';
import type { Belonging, Compiler, Entry, Scope, Source } from './scope.js';

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

export const groupedSource = (plan: ReadPlan, { scope, tail }: Source): Fragment =>
  sql`from ${groups(plan, scope, selected, tail, nothing).from}`;

/** A select of all rows of a read as a JSON list. */
export function allRows(plan: ReadPlan, compiler: Compiler, belonging?: Belonging): Fragment {
  const found = rows(plan, compiler, belonging);
  return sql`select ${listOf(found)} from ${found.from}`;
}

/** A select of the one row of a read as a JSON object. */
export function row(plan: ReadPlan, compiler: Compiler, belonging?: Belonging): Fragment {
  const found = rows(plan, compiler, belonging);
  return sql`select ${jsonOf(found)} from ${found.from}`;
}

export function value(of: Expression, scope: Scope): Fragment {
  const shown = represented(of, scope);
  if (shown !== undefined) return scope.literals === true ? sql`${shown}::text` : shown;
  return (scope.literals === true ? projectLiteral : project)(
    of.type,
    expression(of, scope),
    scope.style,
    scope.compiler.types,
  );
}

export const nodeId = ({ type, keys }: Selection<'nodeId'>, scope: Scope): Fragment =>
  nodeIdText([typeNameText(type), ...keys.map((key) => sql`${compared(key, scope)}::text`)]);

export const composite = ({ select, column }: Selection<'composite'>, { row, style, compiler }: Scope): Fragment =>
  attributes(select, columnOf(row, column), style, compiler);

/** `v` is the value that the read selects. */
export function spread({ read, join: to, isList }: Selection<'spread'>, outer: Scope): Fragment {
  const { from } = rows(read, outer.compiler, { join: to, outer });
  return isList ? sql`(select coalesce(json_agg(t.v), '[]') from ${from})` : sql`(select t.v from ${from})`;
}

/** The selected attributes of a composite value as a JSON object. */
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

import { sql } from 'kysely';
import type { Condition, Join } from '../../plan/read/plan.js';
import { beyondCursor } from './cursor.js';
import { clauses, columnOf, join, nothing, type Fragment } from './fragment.js';
import type { Joined, Scope, Target } from './words.js';

/** A condition on the row of the scope, in parentheses where something may stand beside it. */
export function condition<D extends Target>(of: Condition, scope: Scope<D>): Fragment {
  const { words } = scope.compiler;
  switch (of.kind) {
    case 'and':
    case 'or':
      return connected(of.kind, of.conditions, (each) => condition(each, scope));
    case 'not':
      return sql`(not ${condition(of.condition, { ...scope, negated: true })})`;
    case 'notTrue':
      return sql`(${condition(of.condition, scope)} is not true)`;
    case 'operation':
      return words.operation(of, of.operand, scope);
    case 'exists':
      return exists(of, scope);
    case 'missing':
      return sql`(not ${exists(of, scope)})`;
    case 'cursor':
      return beyondCursor(of, scope);
  }
}

/** Conditions with `and` or `or` between them. */
export function connected<C>(kind: 'and' | 'or', conditions: readonly C[], condition: (of: C) => Fragment): Fragment {
  if (conditions.length === 0) return kind === 'and' ? sql`true` : sql`false`;
  return sql`(${join(conditions.map(condition), kind === 'and' ? sql` and ` : sql` or `)})`;
}

/** The condition of a plan; undefined if it has none. */
export const filterOf = <D extends Target>(of: Condition | undefined, scope: Scope<D>): Fragment | undefined =>
  of === undefined ? undefined : condition(of, scope);

/** `where …`, or nothing. */
export function where(conditions: readonly (Fragment | undefined)[]): Fragment {
  const given = conditions.filter((each) => each !== undefined);
  return given.length === 0 ? nothing : sql`where ${join(given, sql` and `)}`;
}

/** The scope of another row in the same statement. */
export const innerScope = <D extends Target>({ style, compiler }: Scope<D>): Scope<D> => ({
  row: compiler.newRow(),
  style,
  compiler,
});

function exists<D extends Target>(of: Extract<Condition, { kind: 'exists' | 'missing' }>, scope: Scope<D>): Fragment {
  const inner = innerScope(scope);
  const { from, on } = joined(of.join, scope, inner.row);
  const rows = sql`${scope.compiler.words.selectRow} from ${from}`;
  return sql`exists (${clauses(rows, where([on, filterOf(of.where, inner)]))})`;
}

/** The tables of a joined read, and the condition that ties them to the row they belong to. */
export function joined<D extends Target>(to: Join, outer: Scope<D>, row: string): Joined {
  const { through, call } = to;
  const { words } = outer.compiler;
  if (call !== undefined) {
    const { from, on } = words.calledSource({ ...to, call }, outer, row);
    return { from, on: withRowFilter(to, row, outer, on) };
  }
  const target = sql`${words.table(to.table, outer.compiler)} as ${sql.id(row)}`;
  if (through === undefined)
    return { from: target, on: withRowFilter(to, row, outer, equal(row, to.references, outer.row, to.columns)) };
  const junction = outer.compiler.newRow();
  const meets = equal(junction, through.references, row, to.references);
  const on = withRowFilter(through, junction, outer, equal(junction, through.columns, outer.row, to.columns));
  return {
    from: sql`${target} inner join ${words.table(through.table, outer.compiler)} as ${sql.id(junction)} on ${meets}`,
    on: withRowFilter(to, row, outer, on),
  };
}

/** The condition of a join, with the filter on rows that the caller may read. */
const withRowFilter = <D extends Target>(
  { rowFilter }: Pick<Join, 'rowFilter'>,
  row: string,
  { style, compiler }: Scope<D>,
  on: Fragment,
): Fragment => (rowFilter === undefined ? on : sql`${on} and ${condition(rowFilter, { row, style, compiler })}`);

export function equal(
  left: string,
  leftColumns: readonly string[],
  right: string,
  rightColumns: readonly string[],
): Fragment {
  const pairs = leftColumns.map(
    (column, at) => sql`${columnOf(left, column)} = ${columnOf(right, rightColumns[at] ?? '')}`,
  );
  return join(pairs, sql` and `);
}

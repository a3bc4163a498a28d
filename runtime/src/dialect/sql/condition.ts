import { sql } from 'kysely';
import type { KeyEquality } from '../../descriptor/descriptor.js';
import type { Condition, Join, ReadTable } from '../../plan/read/plan.js';
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

/** The scope of another row in the same statement, which a relation leads to. */
export const innerScope = <D extends Target>({ style, compiler }: Scope<D>, to?: Join): Scope<D> => ({
  row: compiler.newRow(),
  style,
  compiler,
  ...(to?.call === undefined ? {} : { isCalled: true }),
});

function exists<D extends Target>(of: Extract<Condition, { kind: 'exists' | 'missing' }>, scope: Scope<D>): Fragment {
  const inner = innerScope(scope, of.join);
  const { from, on } = joined(of.join, scope, inner.row);
  const rows = sql`${scope.compiler.words.selectRow} from ${from}`;
  return sql`exists (${clauses(rows, where([on, filterOf(of.where, inner)]))})`;
}

/**
 * A table in FROM, and the condition of the rows that the caller may read. Nothing else names a
 * table that a statement reads: what makes its own FROM forgets the condition.
 */
export function tableIn<D extends Target>(table: ReadTable, { row, style, compiler }: Scope<D>): Readable {
  const from = sql`${compiler.words.table(table, compiler)} as ${sql.id(row)}`;
  return { from, readable: readableIn(table, { row, style, compiler }) };
}

/** The condition of the rows that the caller may read, for what stands in the place of a table. */
export const readableIn = <D extends Target>({ rowFilter }: ReadTable, scope: Scope<D>): readonly Fragment[] =>
  rowFilter === undefined ? [] : [condition(rowFilter, scope)];

/** Tables in FROM, with the conditions of the rows that the caller may read. */
export interface Readable {
  readonly from: Fragment;
  readonly readable: readonly Fragment[];
}

/**
 * The other table of a relation, and the table between the two. `columns` are those that equal the
 * join's columns of the row around it, which may be out of reach here.
 */
export function linked<D extends Target>(
  { table, references, through }: Join,
  scope: Scope<D>,
): Readable & { readonly columns: readonly Fragment[] } {
  const target = tableIn(table, scope);
  if (through === undefined) return { ...target, columns: references.map((name) => columnOf(scope.row, name)) };
  const inner = innerScope(scope);
  const junction = tableIn(through.table, inner);
  const operators = through.equality?.references;
  const meets = join(
    through.references.map((name, at) => {
      const [theirs, key] = [columnOf(inner.row, name), columnOf(scope.row, references[at] ?? '')];
      return equal(theirs, key, operators && { operator: operators[at], key: 'right' }, scope);
    }),
    sql` and `,
  );
  return {
    from: sql`${target.from} inner join ${junction.from} on ${meets}`,
    columns: through.columns.map((name) => columnOf(inner.row, name)),
    readable: [...junction.readable, ...target.readable],
  };
}

/** The tables of a joined read, and the condition that ties them to the row they belong to. */
export function joined<D extends Target>(to: Join, outer: Scope<D>, row: string): Joined {
  const { call, table } = to;
  const { style, compiler } = outer;
  const scope = { row, style, compiler };
  if (call !== undefined) {
    const { from, on } = compiler.words.calledSource({ ...to, call }, outer, row);
    return { from, on: join([on, ...readableIn(table, scope)], sql` and `) };
  }
  const { from, columns, readable } = linked(to, scope);
  const { operators, key } = keyOf(to);
  const same = columns.map((column, at) => {
    const theirs = columnOf(outer.row, to.columns[at] ?? '');
    return equal(column, theirs, operators && { operator: operators[at], key }, outer);
  });
  const within = to.through === undefined ? to.own : to.through.near;
  const own = within === undefined || outer.isCalled === true ? [] : [compiler.words.isIn(within, outer)];
  return { from, on: join([...same, ...own, ...readable], sql` and `) };
}

/** The operators of the row around a join, and on which side of them the key is. */
function keyOf({ equality, through }: Join): {
  readonly operators: KeyEquality | undefined;
  readonly key: 'left' | 'right';
} {
  if (through !== undefined) return { operators: through.equality?.columns, key: 'right' };
  return { operators: equality?.operators, key: equality?.key === 'references' ? 'left' : 'right' };
}

/** A key equals the columns that refer to it, as the foreign key compares them. */
function equal<D extends Target>(
  left: Fragment,
  right: Fragment,
  by: { readonly operator: KeyEquality[number] | undefined; readonly key: 'left' | 'right' } | undefined,
  { compiler }: Scope<D>,
): Fragment {
  if (by?.operator == null) return sql`${left} = ${right}`;
  const [key, reference] = by.key === 'left' ? [left, right] : [right, left];
  return compiler.words.keyComparison(key, reference, by.operator);
}

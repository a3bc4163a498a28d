import { sql } from 'kysely';
import type { Types } from '../parameters/encode.js';
import type { CallSource, Condition, Join, Style, TableName } from '../../../plan/read/plan.js';
import { callOf } from './call.js';
import { join, table, type Fragment } from '../sql.js';

/** The row that expressions are about: its name in the statement, and how values are written. */
export interface Scope {
  readonly row: string;
  readonly style: Style;
  readonly compiler: Compiler;
  /**
   * Its values are fields of CSV, where arrays, ranges and composites are literals that the
   * database accepts as input.
   */
  readonly literals?: boolean;
  /** The whole row as the table's row type, where `row.*` is not that. */
  readonly whole?: Fragment;
}

/** The row a read belongs to, and how. */
export interface Belonging {
  readonly join: Join;
  readonly outer: Scope;
}

/** Of one statement. */
export interface Compiler {
  readonly types: Types;
  /**
   * A name for one more row: `r0`, `r1`, … Unique in the statement, so that a nested select may
   * speak of every row around it.
   */
  readonly newRow: () => string;
  /** A condition on the row of a scope. */
  readonly condition: (of: Condition, scope: Scope) => Fragment;
}

export const columnOf = (row: string, column: string): Fragment => sql.id(row, column);

/** What stands in FROM: the table, or the function that answers rows of it. */
export const rowSource = (
  { table: name, from }: { readonly table: TableName; readonly from?: CallSource },
  types: Types,
): Fragment => (from === undefined ? table(name) : callOf(from, types));

/** The tables of a joined read, and what ties them to the row they belong to. */
export interface Joined {
  readonly from: Fragment;
  readonly on: Fragment;
}

export function joined(to: Join, outer: Scope, row: string): Joined {
  const { through, call } = to;
  if (call !== undefined) {
    const of = outer.whole ?? sql`${sql.id(outer.row)}.*`;
    // A function that answers one row answers a row of NULLs where there is none.
    const on = call.returnsSet ? sql`true` : sql`not (${sql.id(row)}.* is null)`;
    return { from: sql`${table(call)}(${of}) as ${sql.id(row)}`, on };
  }
  const target = sql`${table(to.table)} as ${sql.id(row)}`;
  if (through === undefined)
    return { from: target, on: readable(to, row, outer, equal(row, to.references, outer.row, to.columns)) };
  const junction = outer.compiler.newRow();
  const meets = equal(junction, through.references, row, to.references);
  const on = readable(through, junction, outer, equal(junction, through.columns, outer.row, to.columns));
  return {
    from: sql`${target} inner join ${table(through.table)} as ${sql.id(junction)} on ${meets}`,
    on: readable(to, row, outer, on),
  };
}

/** The join, of rows that may be read. */
function readable(
  { readable: of }: Pick<Join, 'readable'>,
  row: string,
  { style, compiler }: Scope,
  on: Fragment,
): Fragment {
  return of === undefined ? on : sql`${on} and ${compiler.condition(of, { row, style, compiler })}`;
}

function equal(left: string, leftColumns: readonly string[], right: string, rightColumns: readonly string[]): Fragment {
  const pairs = leftColumns.map(
    (column, at) => sql`${columnOf(left, column)} = ${columnOf(right, rightColumns[at] ?? '')}`,
  );
  return join(pairs, sql` and `);
}

import { sql } from 'kysely';
import type { Types } from '../parameters/encode.js';
import type { CallSource, Join, Style, TableName } from '../../../plan/read/plan.js';
import { callOf } from './call.js';
import { join, table, type Fragment } from '../sql.js';

/** The row that expressions are about: its name in the statement, and how values are written. */
export interface Scope {
  readonly row: string;
  readonly style: Style;
  readonly compiler: Compiler;
  /** Its values are fields of CSV, where arrays, ranges and composites are literals: what the database takes back. */
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
   * A name for one more row: `r0`, `r1`, … Unique in the statement, so that a nested select may speak of every row
   * around it.
   */
  readonly newRow: () => string;
}

export function createCompiler(types: Types): Compiler {
  let rows = 0;
  return { types, newRow: () => `r${String(rows++)}` };
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
  const { through } = to;
  const target = sql`${table(to.table)} as ${sql.id(row)}`;
  if (through === undefined) return { from: target, on: equal(row, to.references, outer.row, to.columns) };
  const junction = outer.compiler.newRow();
  const meets = equal(junction, through.references, row, to.references);
  return {
    from: sql`${target} inner join ${table(through.table)} as ${sql.id(junction)} on ${meets}`,
    on: equal(junction, through.columns, outer.row, to.columns),
  };
}

function equal(left: string, leftColumns: readonly string[], right: string, rightColumns: readonly string[]): Fragment {
  const pairs = leftColumns.map(
    (column, at) => sql`${columnOf(left, column)} = ${columnOf(right, rightColumns[at] ?? '')}`,
  );
  return join(pairs, sql` and `);
}

import { sql } from 'kysely';
import type { Registry } from '../../../descriptor/registry.js';
import type { Join, Style, TableName } from '../../../plan/read/plan.js';
import { keyColumns } from '../../../plan/read/orders.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import { join, table, type Fragment } from '../sql.js';

/** Where enum descriptors and the keys of tables are found. */
export type Types = Pick<Registry, 'enums' | 'composites'> & Partial<Pick<Registry, 'schemas'>>;

/** Of one statement. */
export interface Compiler {
  readonly types: Types;
  /** A name for one more row: `r0`, `r1`, … Unique in the statement. */
  readonly newRow: () => string;
}

/** The row that expressions are about: its name in the statement, and how values are written. */
export interface Scope {
  readonly row: string;
  readonly style: Style;
  readonly compiler: Compiler;
}

/** The row that a read belongs to, and how. */
export interface Belonging {
  readonly join: Join;
  readonly outer: Scope;
}

export function createCompiler(types: Types): Compiler {
  let rows = 0;
  return { types, newRow: () => `r${String(rows++)}` };
}

export const columnOf = (row: string, column: string): Fragment => sql.id(row, column);

/** The columns of the key that tells the rows of a table apart; undefined where there is none. */
export function keyOf({ schema, name }: TableName, { schemas }: Types): readonly TypedColumn[] | undefined {
  const found = schemas?.get(schema)?.get(name);
  const key = found === undefined ? undefined : keyColumns(found);
  return key?.flatMap((column) => {
    const type = found?.byName.get(column)?.type;
    return type === undefined ? [] : [{ name: column, type }];
  });
}

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

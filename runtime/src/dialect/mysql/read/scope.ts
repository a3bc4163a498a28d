import { sql } from 'kysely';
import type { Registry } from '../../../descriptor/registry.js';
import type { Condition, Join, Style, TableName } from '../../../plan/read/plan.js';
import { keyColumns } from '../../../plan/read/orders.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import type { Features } from '../start-up/features.js';
import { join, table, type Fragment } from '../sql.js';

/** The registry of enum descriptors and keys of tables, and the features of the database server. */
export interface Types extends Pick<Registry, 'enums' | 'composites'>, Partial<Pick<Registry, 'schemas'>> {
  readonly features: Features;
}

/** Of one statement. */
export interface Compiler {
  readonly types: Types;
  /** A name for one more row: `r0`, `r1`, … Unique in the statement. */
  readonly newRow: () => string;
  /** A condition on the row of a scope. */
  readonly condition: (of: Condition, scope: Scope) => Fragment;
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

export const columnOf = (row: string, column: string): Fragment => sql.id(row, column);

/** The columns of the key that identifies the rows of a table; undefined if there is none. */
export function keyOf(
  { schema, name }: TableName,
  { schemas }: Pick<Types, 'schemas'>,
): readonly TypedColumn[] | undefined {
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

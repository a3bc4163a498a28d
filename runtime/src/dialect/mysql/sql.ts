import { DummyDriver, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely';
import type { Count } from '../../plan/parameter.js';
import type { Limit } from '../../plan/read/plan.js';
import { nothing, type Fragment } from '../fragment.js';
import type { QueryBuilder } from '../dialect.js';
import type { Slot, Statement } from '../statement.js';

export { clauses, join, nothing, table, type Fragment } from '../fragment.js';

export const queryBuilder: QueryBuilder = {
  createAdapter: () => new MysqlAdapter(),
  createIntrospector: (db) => new MysqlIntrospector(db),
  createQueryCompiler: () => new MysqlQueryCompiler(),
};

const compiler = new Kysely<unknown>({ dialect: { ...queryBuilder, createDriver: () => new DummyDriver() } });

/** The text, and the slots in the order of their `?`. */
export function compileFragment(fragment: Fragment): Statement {
  const { sql: text, parameters } = fragment.compile(compiler);
  return { text, slots: parameters as readonly Slot[] };
}

/** A value as a parameter. MariaDB takes it as a text; the SQL around it gives it another type. */
export const slot = (of: Slot): Fragment => sql`${of}`;

/** A text that is known when compiling, as a parameter: its characters need no quoting. */
export const constant = (text: string): Fragment => slot({ bind: () => text });

const plainText = /^[\w {}[\]":,.+-]*$/;

/**
 * A text in SQL. It stands in the statement where every character means itself in every `sql_mode`;
 * other texts become parameters.
 */
export const literal = (text: string): Fragment => (plainText.test(text) ? sql.raw(`'${text}'`) : constant(text));

/** A number of rows: written where it is the server's own, otherwise a parameter. */
export const rowCount = (limit: Limit): Fragment =>
  typeof limit === 'number' ? sql.lit(limit) : countParameter(limit);

const countParameter = ({ read }: Count): Fragment => slot({ bind: (inputs) => String(read(inputs)) });

/** The same in an expression, where a parameter would be a text. */
export const rowNumber = (limit: Limit): Fragment =>
  typeof limit === 'number' ? sql.lit(limit) : sql`cast(${countParameter(limit)} as signed)`;

/** `limit … offset …`. MySQL has no OFFSET without LIMIT. */
export function limitOf({ limit, offset }: { readonly limit?: Limit; readonly offset?: Limit }): Fragment {
  if (limit === undefined && offset === undefined) return nothing;
  const rows = limit === undefined ? sql.raw('9223372036854775807') : rowCount(limit);
  return offset === undefined ? sql`limit ${rows}` : sql`limit ${rows} offset ${rowCount(offset)}`;
}

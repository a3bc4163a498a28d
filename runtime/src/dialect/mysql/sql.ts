import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  sql,
  type SchemableIdentifierNode,
} from 'kysely';
import type { Count } from '../../plan/parameter.js';
import type { Limit, TableName } from '../../plan/read/plan.js';
import { nothing, renamed, type Fragment } from '../sql/fragment.js';
import { sameNames, type SchemaNames } from '../schema-names.js';
import type { QueryBuilder } from '../dialect.js';
import type { Slot, Statement } from '../../plan/statement.js';

export { clauses, columnOf, join, nothing, type Fragment } from '../sql/fragment.js';

/** For handles in the user's code, which names tables by the schemas of the generated code. */
export const queryBuilderOf = (databases: SchemaNames): QueryBuilder => ({
  createAdapter: () => new MysqlAdapter(),
  createIntrospector: (db) => new MysqlIntrospector(db),
  createQueryCompiler: () => new LocatingCompiler(databases),
});

class LocatingCompiler extends MysqlQueryCompiler {
  constructor(private readonly databases: SchemaNames) {
    super();
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    super.visitSchemableIdentifier(renamed(node, this.databases));
  }
}

const compiler = new Kysely<unknown>({
  dialect: { ...queryBuilderOf(sameNames), createDriver: () => new DummyDriver() },
});

/** The text, and the slots in the order of their `?`. */
export function compileFragment(fragment: Fragment): Statement {
  const { sql: text, parameters } = fragment.compile(compiler);
  return { text, slots: parameters as readonly Slot[] };
}

/** A table, view or procedure, in the database that has its schema. */
export const table = ({ schema, name }: TableName, { databases }: { readonly databases: SchemaNames }): Fragment =>
  sql.id(databases.of(schema), name);

/** A value as a parameter. MariaDB receives it as a text; the SQL around it casts it. */
export const slot = (of: Slot): Fragment => sql`${of}`;

/** A text that is known when the statement is compiled, as a parameter: it needs no quoting. */
export const constant = (text: string): Fragment => slot({ bind: () => text });

const plainText = /^[\w {}[\]":,.+-]*$/;

/**
 * A text in SQL. It is a literal if none of its characters has a special meaning in any `sql_mode`;
 * otherwise it is a parameter.
 */
export const literal = (text: string): Fragment => (plainText.test(text) ? sql.raw(`'${text}'`) : constant(text));

/** A number of rows: a literal if the server sets it, otherwise a parameter. */
export const rowCount = (limit: Limit): Fragment =>
  typeof limit === 'number' ? sql.lit(limit) : countParameter(limit);

const countParameter = ({ read }: Count): Fragment => slot({ bind: (inputs) => String(read(inputs)) });

/** A number of rows in an expression, where a parameter has to be cast from text. */
export const rowNumber = (limit: Limit): Fragment =>
  typeof limit === 'number' ? sql.lit(limit) : sql`cast(${countParameter(limit)} as signed)`;

/** `limit … offset …`. MySQL has no OFFSET without LIMIT. */
export function limitOf({ limit, offset }: { readonly limit?: Limit; readonly offset?: Limit }): Fragment {
  if (limit === undefined && offset === undefined) return nothing;
  const rows = limit === undefined ? sql.raw('9223372036854775807') : rowCount(limit);
  return offset === undefined ? sql`limit ${rows}` : sql`limit ${rows} offset ${rowCount(offset)}`;
}

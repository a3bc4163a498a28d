import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely';
import type { ColumnType, SqlType } from '../../descriptor.js';
import type { Slot, Statement } from '../../session/statement.js';
import type { Parameter, TableName } from '../plan.js';

/** A piece of SQL: text written in this folder, identifiers quoted by Kysely, values as slots. */
export type Fragment = RawBuilder<unknown>;

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The text, and the slots in the order of their `$n`. */
export function compileFragment(fragment: Fragment): Statement {
  const { sql: text, parameters } = fragment.compile(compiler);
  return { text, slots: parameters as readonly Slot[] };
}

export const nothing: Fragment = sql``;

/** Clauses in their order, without those that are `nothing`. */
export const clauses = (...parts: readonly Fragment[]): Fragment =>
  sql.join(
    parts.filter((part) => part !== nothing),
    sql` `,
  );

export const join = (fragments: readonly Fragment[], separator: Fragment = sql`, `): Fragment =>
  sql.join(fragments, separator);

export const table = (name: TableName): Fragment => sql.id(name.schema, name.name);

/** `"kanban"."issue_status"`, `"int4"[]`. */
export function typeName(type: SqlType): Fragment {
  const name = type.schema === undefined ? sql.id(type.name) : sql.id(type.schema, type.name);
  return type.array === true ? sql`${name}[]` : name;
}

/** `$n::type`. The cast is what tells PostgreSQL the parameter's type: nothing else does. */
export const parameter = ({ slot, type }: Parameter): Fragment => sql`${slot}::${typeName(type.sql)}`;

/** A text known when compiling, as a parameter: no literal depends on how the server reads backslashes. */
export const constant = (text: string): Fragment => sql`${{ bind: () => text } satisfies Slot}::text`;

/**
 * An operator by its schema where its type is an extension's: the extension may be outside the search path, and then
 * `=` on citext would quietly be `=` on text, and `<->` on vector unknown.
 */
export function operator(symbol: string, type: ColumnType): Fragment {
  const schema = type.kind === 'array' ? undefined : extensionSchema(type);
  return schema === undefined ? sql.raw(symbol) : sql`operator(${sql.id(schema)}.${sql.raw(symbol)})`;
}

function extensionSchema(type: ColumnType): string | undefined {
  return type.kind === 'vector' || type.kind === 'text' ? type.sql.schema : undefined;
}

import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type SchemableIdentifierNode,
} from 'kysely';
import type { ColumnType, SqlType } from '../../descriptor/descriptor.js';
import { onceForEach } from '../../once-for-each.js';
import { qualified, renamed, table, type Fragment } from '../sql/fragment.js';
import type { QueryBuilder } from '../dialect.js';
import type { TableName } from '../../plan/read/plan.js';
import type { Slot, Statement } from '../../plan/statement.js';
import type { Count, Parameter } from '../../plan/parameter.js';
import { sameNames, type SchemaNames } from '../schema-names.js';
import type { Types } from './parameters/encode.js';
import { int4, text } from './types.js';
import { operandType } from './parameters/forms.js';
import { countSlot, slotOf } from './parameters/slot.js';

export { clauses, columnOf, join, nothing, qualified, table, type Fragment } from '../sql/fragment.js';

/** The rows of a table; with ONLY, none of tables that inherit from it. */
export const tableRows = (name: TableName & { readonly isOnly?: true }): Fragment =>
  name.isOnly === true ? sql`only ${table(name)}` : table(name);

/** For handles in the user's code, which names tables by the schemas of the generated code. */
export const queryBuilderOf = (names: SchemaNames): QueryBuilder => ({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new NamingCompiler(names),
});

class NamingCompiler extends PostgresQueryCompiler {
  constructor(private readonly names: SchemaNames) {
    super();
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    super.visitSchemableIdentifier(renamed(node, this.names));
  }
}

const compilerOf = onceForEach(
  (names: SchemaNames) =>
    new Kysely<unknown>({ dialect: { ...queryBuilderOf(names), createDriver: () => new DummyDriver() } }),
);

/** The text, and the slots in the order of their `$n`. */
export function compileFragment(fragment: Fragment, { names = sameNames }: Pick<Types, 'names'>): Statement {
  const { sql: text, parameters } = fragment.compile(compilerOf(names));
  return { text, slots: parameters as readonly Slot[] };
}

/** `"kanban"."issue_status"`, `"int4"[]`. */
export function typeName(type: SqlType): Fragment {
  const name = type.schema === undefined ? sql.id(type.name) : qualified(type.schema, type.name);
  return type.array === true ? sql`${name}[]` : name;
}

/** `$n::type`. Only the cast gives PostgreSQL the parameter's type. */
export const cast = (slot: Slot, { sql: type }: Pick<ColumnType, 'sql'>): Fragment => sql`${slot}::${typeName(type)}`;

/** A parameter with the cast to its type. */
export const parameter = (of: Parameter, types: Types): Fragment => cast(slotOf(of, types), of.type);

/** A parameter that an operator compares something with. */
export const operand = (of: Parameter, types: Types): Fragment => cast(slotOf(of, types), operandType(of.as, of.type));

/** A number of rows as a parameter. */
export const countParameter = (count: Count): Fragment => sql`${countSlot(count)}::int8`;

/**
 * A text that is known when the statement is compiled, as a parameter: the meaning of a backslash
 * in a literal depends on the server.
 */
export const constant = (text: string): Fragment => sql`${{ bind: () => text } satisfies Slot}::text`;

/** A key or an index of a JSON path, with the cast that distinguishes the two. */
export const jsonKey = (key: string | number): Fragment =>
  cast({ bind: () => String(key) }, typeof key === 'number' ? int4 : text);

/**
 * An operator by its schema where its type is an extension's: the extension may be outside the
 * search path, and then `=` on citext would quietly be `=` on text, and `<->` on vector unknown.
 * Nothing else names an operator that a type outside of pg_catalog may have.
 */
export function operator(symbol: string, type: ColumnType): Fragment {
  const schema = operatorSchema(type);
  return schema === undefined ? sql.raw(symbol) : sql`operator(${sql.id(schema)}.${sql.raw(symbol)})`;
}

/** The schema of the type's own operators, `min` and `max`, if it has any. */
export function operatorSchema({ kind, sql: { schema, operators } }: ColumnType): string | undefined {
  return kind === 'vector' || kind === 'text' || kind === 'other' ? (operators ?? schema) : undefined;
}

/** A GraphQL type name from the planner: letters, digits and underscores only. */
export const typeNameText = (text: string): Fragment => sql`${sql.lit(text)}::text`;

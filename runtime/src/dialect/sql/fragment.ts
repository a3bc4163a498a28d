import { SchemableIdentifierNode, sql, type RawBuilder } from 'kysely';
import type { TableName } from '../../plan/read/plan.js';
import type { SchemaNames } from '../schema-names.js';

/**
 * A piece of SQL: text written in this folder or in a dialect's, identifiers quoted by Kysely,
 * values as slots.
 */
export type Fragment = RawBuilder<unknown>;

export const nothing: Fragment = sql``;

/** Clauses in their order, without those that are `nothing`. */
export const clauses = (...parts: readonly Fragment[]): Fragment =>
  sql.join(
    parts.filter((part) => part !== nothing),
    sql` `,
  );

export const join = (fragments: readonly Fragment[], separator: Fragment = sql`, `): Fragment =>
  sql.join(fragments, separator);

/** A name of a schema's object, of which a compiler may replace the schema. */
export function qualified(schema: string, name: string): Fragment {
  const node = SchemableIdentifierNode.createWithSchema(schema, name);
  return sql`${{ expressionType: undefined, toOperationNode: () => node }}`;
}

/** The same name with that of its schema in the database. */
export const renamed = (node: SchemableIdentifierNode, { of }: SchemaNames): SchemableIdentifierNode =>
  node.schema === undefined
    ? node
    : SchemableIdentifierNode.createWithSchema(of(node.schema.name), node.identifier.name);

export const table = (name: TableName): Fragment => qualified(name.schema, name.name);

export const columnOf = (row: string, column: string): Fragment => sql.id(row, column);

import { sql, type RawBuilder } from 'kysely';
import type { TableName } from '../../plan/read/plan.js';

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

export const table = (name: TableName): Fragment => sql.id(name.schema, name.name);

export const columnOf = (row: string, column: string): Fragment => sql.id(row, column);

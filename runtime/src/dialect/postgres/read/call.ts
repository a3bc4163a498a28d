import { sql } from 'kysely';
import type { CallArgument, CallSource } from '../../../plan/read/plan.js';
import type { Types } from '../parameters/encode.js';
import { slotOf } from '../parameters/slot.js';
import { join, table, typeName, type Fragment } from '../sql.js';

/** `"shop"."search"($1::"text", "most" => $2::"int4")` */
export const callOf = (source: CallSource, types: Types): Fragment =>
  sql`${table(source)}(${argumentList(source.arguments, source.positional, types)})`;

/**
 * Arguments are by position up to the first omitted one, then by name. Casts choose among
 * overloads.
 * Source: https://www.postgresql.org/docs/current/sql-syntax-calling-funcs.html
 */
export const argumentList = (given: readonly CallArgument[], positional: number, types: Types): Fragment =>
  join(
    given.map(({ name, mode, type, parameter }, at) => {
      const value = sql`${parameter === undefined ? sql`null` : slotOf(parameter, types)}::${typeName(type)}`;
      const named = at >= positional ? sql`${sql.id(name)} => ${value}` : value;
      return mode === 'variadic' ? sql`variadic ${named}` : named;
    }),
  );

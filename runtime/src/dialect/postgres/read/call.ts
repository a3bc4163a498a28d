import { sql } from 'kysely';
import type { CallArgument, CallSource } from '../../../plan/read/plan.js';
import type { Types } from '../parameters/encode.js';
import type { Parameter } from '../../../plan/parameter.js';
import { writeJson } from '../../json-text.js';
import type { Slot } from '../../../plan/statement.js';
import { slotOf } from '../parameters/slot.js';
import { join, table, typeName, type Fragment } from '../sql.js';

/** `"shop"."search"("words" => $1::"text", "most" => $2::"int4")` */
export const callOf = (source: CallSource, types: Types): Fragment =>
  sql`${table(source)}(${argumentList(source.arguments, types)})`;

/**
 * Arguments are given by their names, and by position up to the last one without a name of its own
 * (IN and OUT may have the same). Names and casts choose among overloads.
 * Source: https://www.postgresql.org/docs/current/sql-syntax-calling-funcs.html
 */
export function argumentList(given: readonly CallArgument[], types: Types): Fragment {
  const isNamed = ({ name }: CallArgument): boolean =>
    name !== '' && given.filter((other) => other.name === name).length === 1;
  const positional = given.reduce((count, each, at) => (isNamed(each) ? count : at + 1), 0);
  return join(
    given.map(({ name, mode, type, parameter }, at) => {
      const value =
        parameter !== undefined && isJsonOf(parameter)
          ? sql`(select a.v from json_to_record(${jsonSlot(parameter)}::json) as a(v ${typeName(type)}))`
          : sql`${parameter === undefined ? sql`null` : slotOf(parameter, types)}::${typeName(type)}`;
      const named = at >= positional ? sql`${sql.id(name)} => ${value}` : value;
      return mode === 'variadic' ? sql`variadic ${named}` : named;
    }),
  );
}

/**
 * Whether the database reads a value from JSON, as PostgREST has it: of composites that have no
 * descriptor.
 */
const isJsonOf = ({ type, value }: Parameter): boolean =>
  value.form === 'json' && (type.element ?? type).kind === 'composite' && (type.element ?? type).composite === '';

const jsonSlot = ({ value }: Parameter): Slot => ({
  bind: (inputs, conditions) => writeJson({ v: value.read(inputs, conditions) ?? null }),
});

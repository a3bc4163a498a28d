import { sql } from 'kysely';
import { answerIn } from '../../../plan/intent.js';
import type { CallSource, HeldSet, ReadPlan, ValuePlan } from '../../../plan/read/plan.js';
import type { RawRow, Slot } from '../../../plan/statement.js';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { isGeometry } from '../parameters/type-name.js';
import { keyValue, parameter } from '../parameters/parameter.js';
import { join, slot, table, type Fragment } from '../sql.js';
import { project } from './projection.js';
import type { Compiler, Types } from './scope.js';
import { jsonText, valueText, type Text } from './text.js';

/** `shop.price_in(cast(? as signed), ?)`. Stored functions have neither defaults nor overloads. */
export const callOf = (call: Pick<CallSource, 'schema' | 'name' | 'arguments'>, types: Types): Fragment =>
  sql`${table(call, types)}(${join(argumentsOf(call, types))})`;

/**
 * The database converts each value to the declared type. In a strict session it refuses a value
 * that does not fit.
 */
export const argumentsOf = (given: Pick<CallSource, 'arguments'> | undefined, types: Types): readonly Fragment[] =>
  (given?.arguments ?? []).map(({ parameter: value }) => (value === undefined ? sql`null` : parameter(value, types)));

/**
 * The one value of a function, as a row. The text of a value names it several times: with a limit
 * the database keeps the row instead of calling the function again.
 */
const calledRow = (call: CallSource, column: string, types: Types): Fragment =>
  sql`(select ${callOf(call, types)} as ${sql.id(column)} limit 1)`;

/** The result of a function in the place of a table. */
export function source(
  { table: name, from }: Required<Pick<ReadPlan, 'table' | 'from'>>,
  row: string,
  types: Types,
): Fragment {
  if ('held' in from && from.set !== undefined) return sql`${heldRows(from.set, types)} as ${sql.id(row)}`;
  if ('held' in from || from.answers === undefined || !('value' in from.answers))
    return sql`${table(name, types)} as ${sql.id(row)}`;
  return sql`${calledRow(from, from.answers.value, types)} as ${sql.id(row)}`;
}

/** A scalar subselect with the JSON of the value of a function. */
export function functionValue({ call, type, style }: ValuePlan, { types }: Compiler): Text {
  if (type === undefined) throw new TypeError('A stored function answers a value.');
  const value = valueText(project(type, sql`f.v`, true, style, types));
  return jsonText(sql`(select ${value} from ${calledRow(call, 'v', types)} as f)`);
}

/** The rows that a procedure has answered, from JSON, with the types of their columns. */
function heldRows({ columns, number }: HeldSet, types: Types): Fragment {
  const cell = (at: number): string => `c${String(at)}`;
  const texts = columns.map((_, at) => sql.raw(`${cell(at)} longtext path '$[${String(at)}]'`));
  const values = columns.map(
    ({ name, type }, at) => sql`${heldValue(type, sql.raw(`j.${cell(at)}`), types)} as ${sql.id(name)}`,
  );
  const all = sql`json_table(${slot(heldText)}, '$[*]' columns (n for ordinality, ${join(texts)})) as j`;
  return sql`(select j.n as ${sql.id(number)}, ${join(values)} from ${all})`;
}

/**
 * In a temporary table MariaDB 10.11 makes UNHEX of a column of JSON_TABLE empty, but not UNHEX of
 * a CAST.
 */
function heldValue(type: ColumnType, text: Fragment, { features }: Types): Fragment {
  const bytes = sql`unhex(cast(${text} as char))`;
  if (isGeometry(type.sql)) return sql`st_geomfromwkb(${bytes})`;
  // The procedure has written the time in the zone of the session.
  if (type.kind === 'timestamp') return sql`cast(${text} as datetime(6))`;
  return type.kind === 'bytes' ? bytes : keyValue(type, text, features);
}

const heldText: Slot = { bind: (inputs) => (answerIn(inputs) as RawRow)[0] ?? null };

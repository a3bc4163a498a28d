import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { rowKeyOf, sameColumns, uniqueKeys } from '../../../descriptor/unique-keys.js';
import type { Condition, RowsFormat, ReadTable, SelectionPlan, Style, TableName } from '../../../plan/read/plan.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import type { Slot, Statement } from '../../../plan/statement.js';
import { encoderOf } from '../parameters/encode.js';
import { isText } from '../comparison.js';
import { inUtc } from '../parameters/instant.js';
import { keyValue, typed } from '../parameters/parameter.js';
import { isSingle } from '../parameters/type-name.js';
import { plainText } from '../read/projection.js';
import { filterOf, tableIn, where } from '../../sql/condition.js';
import { writerOf } from '../read/format.js';
import { columnOf, compileFragment, join, slot, type Fragment } from '../sql.js';
import { entries } from '../../sql/selection.js';
import { createCompiler } from '../read/words.js';
import { keyOf, type Types } from '../read/scope.js';
import { whole, wholeOfRows } from '../read/text.js';

/** The texts of a row's key. */
export type Key = readonly (string | null)[];

/** The value of a key as a text that `keyTable` can read. */
export function keyText({ name, type }: TypedColumn, row: string, style: Style, types: Types): Fragment {
  const value = columnOf(row, name);
  const isFormatted = type.kind === 'bytes' || type.kind === 'other' || isSingle(type.sql);
  return isFormatted ? plainText(type, value, style, types) : sql`cast(${inUtc(type, value, types.features)} as char)`;
}

/**
 * The name of the given rows in an INSERT, whose table has no alias: another one than its name,
 * because both rows are known in ON DUPLICATE KEY UPDATE.
 */
export const givenRowsBeside = ({ name }: TableName): string => (name.toLowerCase() === 'k' ? 'g' : 'k');

/**
 * Keys as a table, usually named `k`: `k.rn` is the number of a key, and `k.c0`, `k.c1`, … are its
 * parts.
 */
export function keyTable(key: readonly TypedColumn[], keys: Fragment, extra = 0, name = 'k'): Fragment {
  const columns = [...key.map((_, at) => at), ...Array.from({ length: extra }, (_, at) => key.length + at)].map(
    (at) => sql`${sql.id(`c${String(at)}`)} longtext path ${sql.raw(`'$[${String(at)}]'`)}`,
  );
  return sql`json_table(${keys}, '$[*]' columns (rn for ordinality, ${join(columns)})) as ${sql.id(name)}`;
}

/** The condition that a row has the key in `k`. */
export const sameKey = (key: readonly TypedColumn[], row: string, types: Types): Fragment =>
  join(
    key.map(({ name, type }, at) => sql`${columnOf(row, name)} = ${cell(type, `c${String(at)}`, 'key', types)}`),
    sql` and `,
  );

/**
 * A part of a key in `k` with the cast to its type.
 * @param as `key`: the value is compared with a column, whose collation has to win
 */
export function cell(type: ColumnType, name: string, as: 'key' | 'value', { features }: Types, row = 'k'): Fragment {
  const text = columnOf(row, name);
  return as === 'key' ? keyValue(type, text, features) : typed(type, text, features);
}

/** Keys as one JSON parameter, checked and in the form that `sameKey` compares. */
export function keysText(key: readonly TypedColumn[], keys: readonly Key[], types: Types): string {
  const encoders = key.map(({ type }) => {
    const encode = encoderOf(type, 'text', types);
    return isText(type) ? (text: string) => JSON.stringify(encode(text)) : encode;
  });
  return JSON.stringify(
    keys.map((each) => each.map((text, at) => (text === null ? null : (encoders[at]?.(text) ?? text)))),
  );
}

/** The same for values that are already in the form in which they are sent. */
export const sentTexts = (key: readonly TypedColumn[], keys: readonly Key[]): string =>
  JSON.stringify(
    keys.map((each) => each.map((text, at) => (text !== null && isTextAt(key, at) ? JSON.stringify(text) : text))),
  );

function isTextAt(key: readonly TypedColumn[], at: number): boolean {
  const column = key[at];
  return column !== undefined && isText(column.type);
}

/** A parameter that the step before has made. */
export const given: Slot = { bind: (inputs) => inputs as string };

export interface ReadByKeys {
  readonly table: ReadTable;
  readonly key: readonly TypedColumn[];
  readonly select: readonly SelectionPlan[];
  readonly as: 'list' | 'one';
  readonly format: RowsFormat;
  /** The text of the one row, without what stands around all rows. */
  readonly isAlone?: true;
  readonly style: Style;
  /** What the rows have to match. */
  readonly where?: Condition;
}

/**
 * The current rows of these keys, in the order of the keys, as one text, and of a list the number
 * of its rows.
 */
export function compileReadByKeys(plan: ReadByKeys, keys: Slot, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope = { row: compiler.newRow(), style: plan.style, compiler };
  const members = entries(plan.select, scope);
  const target = tableIn(plan.table, scope);
  const matching = where([...target.readable, filterOf(plan.where, scope)]);
  const from = sql`${keyTable(plan.key, slot(keys))} straight_join ${target.from} on ${sameKey(plan.key, scope.row, types)} ${matching}`;
  const writer = writerOf(plan.format, plan.select);
  if (plan.isAlone === true || (plan.as === 'one' && writer.isJson)) {
    return compileFragment(sql`select ${whole(writer.row(members))} from ${from} order by k.rn limit 1`);
  }
  const order = [sql`k.rn`];
  const answer = writer.all(writer.row(members), order);
  return compileFragment(sql`select ${wholeOfRows(answer)}, count(*) from ${from}`);
}

/** The key of a table with exactly these columns. A view has the key of its table. */
export function keyWith(
  columns: readonly string[],
  target: TableName,
  types: Types,
): readonly TypedColumn[] | undefined {
  const found = types.schemas?.get(target.schema)?.get(target.name);
  if (found === undefined) return undefined;
  const ofView = found.kind === 'table' ? [] : [rowKeyOf(found) ?? []];
  const key = [...uniqueKeys(found).map((each) => each.columns), ...ofView].find((each) => sameColumns(each, columns));
  return key === undefined ? undefined : columnsOf(target, key, types);
}

/** Columns of a table by their names. */
export function columnsOf(target: TableName, names: readonly string[], types: Types): readonly TypedColumn[] {
  const found = types.schemas?.get(target.schema)?.get(target.name);
  return names.flatMap((name) => {
    const type = found?.byName.get(name)?.type;
    return type === undefined ? [] : [{ name, type }];
  });
}

/** All unique keys of a table. */
export function allKeys(target: TableName, types: Types): readonly (readonly TypedColumn[])[] {
  const found = types.schemas?.get(target.schema)?.get(target.name);
  return found === undefined ? [] : uniqueKeys(found).map(({ columns }) => columnsOf(target, columns, types));
}

export { keyOf };

import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { uniqueKeys } from '../../../descriptor/unique-keys.js';
import type { Condition, RowsFormat, SelectionPlan, Style, TableName } from '../../../plan/read/plan.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import type { Slot, Statement } from '../../../plan/statement.js';
import { encoderOf } from '../parameters/encode.js';
import { isText } from '../comparison.js';
import { keyValue, typed } from '../parameters/parameter.js';
import { isSingle } from '../parameters/type-name.js';
import { plainText } from '../read/projection.js';
import { filterOf, where } from '../../sql/condition.js';
import { csvLine, csvOf } from '../read/csv.js';
import { columnOf, compileFragment, join, slot, table, type Fragment } from '../sql.js';
import { entries } from '../../sql/selection.js';
import { createCompiler } from '../read/words.js';
import { keyOf, type Types } from '../read/scope.js';
import { listOf, objectText, whole } from '../read/text.js';

/** The texts of a row's key. */
export type Key = readonly (string | null)[];

/** The value of a key as a text that `keyTable` can read. */
export function keyText({ name, type }: TypedColumn, row: string, style: Style, types: Types): Fragment {
  const value = columnOf(row, name);
  const isFormatted = type.kind === 'bytes' || type.kind === 'other' || isSingle(type.sql);
  return isFormatted ? plainText(type, value, style, types) : sql`cast(${value} as char)`;
}

/**
 * Keys as a table named `k`: `k.rn` is the number of a key, and `k.c0`, `k.c1`, … are its parts.
 */
export function keyTable(key: readonly TypedColumn[], keys: Fragment, extra = 0): Fragment {
  const columns = [...key.map((_, at) => at), ...Array.from({ length: extra }, (_, at) => key.length + at)].map(
    (at) => sql`${sql.id(`c${String(at)}`)} longtext path ${sql.raw(`'$[${String(at)}]'`)}`,
  );
  return sql`json_table(${keys}, '$[*]' columns (rn for ordinality, ${join(columns)})) as k`;
}

/** The condition that a row has the key in `k`. */
export const sameKey = (key: readonly TypedColumn[], row: string): Fragment =>
  join(
    key.map(({ name, type }, at) => sql`${columnOf(row, name)} = ${cell(type, `c${String(at)}`, 'key')}`),
    sql` and `,
  );

/**
 * A part of a key in `k` with the cast to its type.
 * @param as `key`: the value is compared with a column, whose collation has to win
 */
export function cell(type: ColumnType, name: string, as: 'key' | 'value'): Fragment {
  const text = columnOf('k', name);
  return as === 'key' ? keyValue(type, text) : typed(type, text);
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
  readonly table: TableName;
  readonly key: readonly TypedColumn[];
  readonly select: readonly SelectionPlan[];
  readonly as: 'list' | 'one';
  readonly format: RowsFormat;
  readonly style: Style;
  /** The rows that the caller may read. */
  readonly where?: Condition;
}

/** The current rows of these keys, in the order of the keys, as one text. */
export function compileReadByKeys(plan: ReadByKeys, keys: Slot, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope = { row: compiler.newRow(), style: plan.style, compiler };
  const members = entries(plan.select, scope);
  const readable = where([filterOf(plan.where, scope)]);
  const from = sql`${keyTable(plan.key, slot(keys))} straight_join ${table(plan.table, types)} as ${sql.id(scope.row)} on ${sameKey(plan.key, scope.row)} ${readable}`;
  if (plan.as === 'one' && plan.format === 'json') {
    return compileFragment(sql`select ${whole(objectText(members))} from ${from} order by k.rn limit 1`);
  }
  const order = [sql`k.rn`];
  const answer =
    plan.format === 'csv' ? csvOf(csvLine(members), order, plan.select) : listOf(objectText(members), order);
  return compileFragment(sql`select ${whole(sql`(select ${answer} from ${from})`)}`);
}

/** The primary key of a table, or its unique key of this name. */
export function keyNamed(name: string, target: TableName, types: Types): readonly TypedColumn[] | undefined {
  const found = types.schemas?.get(target.schema)?.get(target.name);
  const key = found === undefined ? undefined : uniqueKeys(found).find((each) => each.name === name);
  return key === undefined ? undefined : columnsOf(target, key.columns, types);
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

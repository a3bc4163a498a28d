import { codes, ServerError } from '../errors.js';
import { writeJson } from '../statement/encode/json.js';
import { jsonEncoder } from '../statement/encode/encode.js';
import type { InsertGroup, TypedColumn } from '../statement/write-plan.js';
import type { ColumnDescriptor } from '../descriptor.js';
import type { Table } from '../registry.js';
import { findColumn } from './columns.js';
import type { PlanContext } from './context.js';
import { quoted } from './refuse.js';
import type { Slot } from '../session/statement.js';
import type { Parameter } from '../statement/plan.js';
import type { Value } from './intent.js';
import { encodeAs } from './values.js';
import type { RowsShape, WrittenColumn } from './write-intent.js';

/** Different sets of columns in the rows of one request: each is a part of the statement. */
const mostKeySets = 50;

/** A body that can't be written as it is: 400. */
export const malformedRow = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint });

/** A column that may be written. Throws ServerError 400 for one that is not there, and for one that the database writes itself. */
export function writableColumn(table: Table, name: string): ColumnDescriptor {
  const column = findColumn(table, name);
  if (column.readOnly !== true) return column;
  throw malformedRow(
    `${quoted(name)} of ${quoted(table.name)} can't be written: the database gives it its value.`,
    'Leave it out.',
  );
}

export const typedColumn = (table: Table, name: string): TypedColumn => ({ name, type: findColumn(table, name).type });

/** A row as members of a JSON object that `json_to_recordset` reads: column by column, null where there is nothing. */
export type EncodeRow = (row: object) => Map<string, string>;

/**
 * Encodes rows of these columns: json as JSON, everything else as a JSON string of the database's text form, which is what the column would
 * take from a parameter too. The encoding throws ServerError 400 for a value that its type can't be, naming the column.
 */
export function rowEncoder(columns: readonly WrittenColumn[], table: Table, context: PlanContext): EncodeRow {
  const encoders = columns.map(({ column, key }) => {
    const { type } = writableColumn(table, column);
    const encode = jsonEncoder(type, context.registry);
    const isJson = type.kind === 'json' || type.kind === 'jsonb';
    return { column, key, encode: (value: unknown) => (isJson ? writeJson(value) : JSON.stringify(encode(value))) };
  });
  return (row) => {
    const given = row as Readonly<Record<string, unknown>>;
    const members = new Map<string, string>();
    for (const { column, key, encode } of encoders) {
      if (!Object.hasOwn(given, key) || given[key] === undefined) continue;
      members.set(column, given[key] === null ? 'null' : named(column, encode, given[key]));
    }
    return members;
  };
}

/** Each value of the one row as a parameter of its own, in the order of the columns. Its encoding throws as that of `rowEncoder` does. */
export const cellParameters = (
  columns: readonly WrittenColumn[],
  cells: readonly Value[],
  table: Table,
  context: PlanContext,
): readonly Parameter[] =>
  columns.map(({ column }, at) => {
    const cell = cells[at];
    if (cell === undefined) throw new TypeError(`${column} of ${table.name} is written, and nothing says where it is`);
    const { type } = writableColumn(table, column);
    const encode = encodeAs(type, cell, context);
    const bind: Slot['bind'] = (inputs) => {
      const given = cell.read(inputs);
      return given === null || given === undefined ? null : named(column, encode, given);
    };
    return { slot: { bind }, type };
  });

function named(column: string, encode: (value: unknown) => string, value: unknown): string {
  try {
    return encode(value);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw new ServerError(error.status, codes.malformedBody, `Column ${quoted(column)}: ${error.message}`, {
      hint: error.hint,
    });
  }
}

/** The groups of an insert without their conflict: one, unless rows lack columns that have a default. */
export function groupsOf(
  { columns, keySets }: RowsShape,
  table: Table,
  filled: readonly string[],
  exact: boolean,
): readonly Omit<InsertGroup, 'conflict'>[] {
  const all = [...new Set([...columns.map(({ column }) => column), ...filled])];
  const typed = all.map((name) => ({ name: name, type: writableColumn(table, name).type }));
  const sets = distinctSets(
    keySets ?? [],
    (name) => exact || table.kind !== 'table' || hasDefault(table, name),
    filled,
    all,
  );
  if (sets.length <= 1 && (sets[0]?.lacks.length ?? 0) === 0) return [{ columns: typed, has: [], lacks: [] }];
  if (sets.length > mostKeySets) {
    throw malformedRow(
      `The rows have more than ${mostKeySets} different sets of columns.`,
      'Give every row the same columns; REST: name them in ?columns=.',
    );
  }
  return sets.map(({ has, lacks }) => ({ columns: typed.filter(({ name }) => !lacks.includes(name)), has, lacks }));
}

/** By the columns that matter: those whose absence is something else than NULL. */
function distinctSets(
  keySets: readonly (readonly string[])[],
  matters: (name: string) => boolean,
  filled: readonly string[],
  all: readonly string[],
): readonly { readonly has: readonly string[]; readonly lacks: readonly string[] }[] {
  const varying = all.filter(
    (name) => !filled.includes(name) && matters(name) && keySets.some((set) => !set.includes(name)),
  );
  const found = new Map<string, { has: readonly string[]; lacks: readonly string[] }>();
  for (const set of keySets) {
    const given = new Set(set);
    const has = varying.filter((name) => given.has(name));
    const id = JSON.stringify(has);
    if (!found.has(id)) found.set(id, { has, lacks: varying.filter((name) => !given.has(name)) });
  }
  return [...found.values()];
}

const hasDefault = (table: Table, name: string): boolean => findColumn(table, name).hasDefault === true;

import { codes, ServerError } from '../../errors.js';
import type { GivenColumn, InsertGroup, RowsInput, TypedColumn } from './write-plan.js';
import type { ColumnDescriptor } from '../../descriptor/descriptor.js';
import { restNameOf, writtenOf, type Table } from '../../descriptor/registry.js';
import { findColumn, knownColumn, type ColumnLimits } from '../read/columns.js';
import { columnSubject, quoted, ungrantedColumn } from '../refuse.js';
import type { Inputs, Value } from '../intent.js';
import type { Parameter } from '../parameter.js';
import type { RowsShape, WrittenColumn } from './write-intent.js';
import { isRecord } from '../../is-record.js';

/** The error of a row that cannot be written: 400. */
export const malformedRow = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint });

/**
 * A column that clients may write. Throws ServerError 400 for an unknown column, and for a column
 * that the database computes.
 */
export function writableColumn(read: Table, name: string, limits: ColumnLimits): ColumnDescriptor {
  const table = writtenOf(read);
  const column = limits.isCustom === true ? knownColumn(table, name) : findColumn(table, name, limits);
  if (column.readOnly !== true) return column;
  if (column.ungranted === true) throw ungrantedColumn(restNameOf(table, name), table);
  throw malformedRow(
    `${quoted(restNameOf(table, name))} of ${quoted(table.name)} can't be written: the database gives it its value.`,
    'Leave it out.',
  );
}

/** A column that an update may write. Throws ServerError 400 for other columns. */
export function updatableColumn(table: Table, name: string, limits: ColumnLimits): ColumnDescriptor {
  const column = writableColumn(table, name, limits);
  if (column.insertOnly !== true) return column;
  if (column.ungranted === true) throw ungrantedColumn(restNameOf(table, name), table);
  throw malformedRow(
    `${quoted(restNameOf(table, name))} of ${quoted(table.name)} can't be updated: it decides which server has the row.`,
    'Leave it out. To move a row, delete it and insert it again.',
  );
}

export const typedColumn = (table: Table, name: string): TypedColumn => typed(knownColumn(writtenOf(table), name));

/** A column that clients may write, with the type its values are given in. */
export const writtenColumn = (table: Table, name: string, limits: ColumnLimits): TypedColumn =>
  typed(writableColumn(table, name, limits));

/** The same for a column that an update may write. */
export const updatedColumn = (table: Table, name: string, limits: ColumnLimits): TypedColumn =>
  typed(updatableColumn(table, name, limits));

const typed = ({ name, type, representation }: ColumnDescriptor): TypedColumn =>
  representation === undefined ? { name, type } : { name, type, representation };

export const givenColumns = (
  columns: readonly WrittenColumn[],
  table: Table,
  limits: ColumnLimits,
): readonly GivenColumn[] => columns.map(({ column, key }) => ({ ...writtenColumn(table, column, limits), key }));

/** All rows. */
export function listInput(
  rows: Value,
  columns: readonly WrittenColumn[],
  table: Table,
  limits: ColumnLimits,
): RowsInput {
  if (rows.form === 'text') return { as: 'json', read: (inputs) => rows.read(inputs) as string };
  return { as: 'list', read: (inputs) => rowsIn(rows, inputs), columns: givenColumns(columns, table, limits) };
}

/** The new values of an update. */
export function objectInput(
  set: Value,
  columns: readonly WrittenColumn[],
  table: Table,
  limits: ColumnLimits,
): RowsInput {
  if (set.form === 'text') return { as: 'json', read: (inputs) => set.read(inputs) as string };
  return { as: 'object', read: (inputs) => asRow(set.read(inputs)), columns: givenColumns(columns, table, limits) };
}

export function rowsIn(rows: Value, inputs: Inputs): readonly object[] {
  const given = rows.read(inputs);
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map(asRow);
}

function asRow(given: unknown): object {
  if (isRecord(given)) return given;
  throw malformedRow('A row has to be an object with its columns.');
}

/** Each value of the one row as a parameter of its own, in the order of the columns. */
export const cellParameters = (
  columns: readonly WrittenColumn[],
  cells: readonly Value[],
  table: Table,
  limits: ColumnLimits,
): readonly Parameter[] =>
  columns.map(({ column }, at) => {
    const value = cells[at];
    if (value === undefined) throw new TypeError(`${column} of ${table.name} is written, and nothing says where it is`);
    return {
      value,
      as: 'value',
      type: writableColumn(table, column, limits).type,
      subject: columnSubject(restNameOf(table, column)),
      cell: restNameOf(table, column),
    };
  });

/**
 * The groups of an insert without their conflict: one for each set of columns that rows have. The
 * catalogue does not decide which missing columns matter: a default may be younger than it.
 */
export function groupsOf(
  { columns, keySets }: RowsShape,
  table: Table,
  filled: readonly string[],
  limits: ColumnLimits,
): readonly Omit<InsertGroup, 'conflict'>[] {
  const all = [...new Set([...columns.map(({ column }) => column), ...filled])];
  const written = all.map((name) => writtenColumn(table, name, limits));
  const refused = all.find((name) => writtenOf(table).byName.get(name)?.updateOnly === true);
  if (refused !== undefined) throw ungrantedColumn(restNameOf(table, refused), table);
  const sets = distinctSets(keySets ?? [], filled, all);
  if (sets.length <= 1 && (sets[0]?.lacks.length ?? 0) === 0) return [{ columns: written, has: [], lacks: [] }];
  return sets.map(({ has, lacks }) => ({ columns: written.filter(({ name }) => !lacks.includes(name)), has, lacks }));
}

function distinctSets(
  keySets: readonly (readonly string[])[],
  filled: readonly string[],
  all: readonly string[],
): readonly { readonly has: readonly string[]; readonly lacks: readonly string[] }[] {
  const varying = all.filter((name) => !filled.includes(name) && keySets.some((set) => !set.includes(name)));
  const found = new Map<string, { has: readonly string[]; lacks: readonly string[] }>();
  for (const set of keySets) {
    const given = new Set(set);
    const has = varying.filter((name) => given.has(name));
    const id = JSON.stringify(has);
    if (!found.has(id)) found.set(id, { has, lacks: varying.filter((name) => !given.has(name)) });
  }
  return [...found.values()];
}

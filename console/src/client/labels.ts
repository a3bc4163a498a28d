/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleModel, ConsoleTable } from '../console-model.js';
import { tableOf } from './links.js';
import { rowsOf, send, type Row } from './requests.js';
import { columnOf, listOf, readRequest, textOf } from './row-state.js';

/** A foreign key of one column, and what people call the rows that it refers to. */
export interface Reference {
  readonly table: ConsoleTable;
  readonly column: ConsoleColumn;
  readonly label: ConsoleColumn | undefined;
}

/** The first unique text, otherwise the first text. */
export function labelOf(table: ConsoleTable): ConsoleColumn | undefined {
  const texts = table.columns.filter(({ kind }) => kind === 'text');
  const keys = [...table.uniques.map(({ columns }) => columns), table.primaryKey];
  const isUnique = ({ name }: ConsoleColumn): boolean => keys.some((each) => each.length === 1 && each[0] === name);
  return texts.find(isUnique) ?? texts[0];
}

/** The reference that a column is, where it is one by itself. */
export function referenceOf(model: ConsoleModel, table: ConsoleTable, name: string): Reference | undefined {
  const relation = table.relations.find(
    ({ direction, columns }) => direction === 'forward' && columns.length === 1 && columns[0] === name,
  );
  const other = relation === undefined ? undefined : tableOf(model, relation.table);
  const column = other === undefined ? undefined : columnOf(other, relation?.references[0]);
  if (other === undefined || column === undefined) return undefined;
  const label = labelOf(other);
  return { table: other, column, label: label === column ? undefined : label };
}

/** Labels by column and by the text of a value. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * The labels of the rows that these rows refer to: one request for each foreign key. A table that
 * the caller may not read has none, and its keys are shown as they are.
 */
export async function readLabels(
  model: ConsoleModel,
  table: ConsoleTable,
  columns: readonly ConsoleColumn[],
  rows: readonly Row[],
): Promise<Labels> {
  const found = columns.map(async (column): Promise<readonly [string, ReadonlyMap<string, string>]> => {
    const reference = referenceOf(model, table, column.name);
    const keys = new Set(rows.flatMap((row) => (row[column.rest] == null ? [] : [textOf(row[column.rest])])));
    if (reference?.label === undefined || keys.size === 0) return [column.name, new Map()];
    return [column.name, await labelsFor(model, reference, [...keys])];
  });
  return new Map(await Promise.all(found));
}

async function labelsFor(
  model: ConsoleModel,
  { table, column, label }: Reference,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (label === undefined) return new Map();
  const filter = `${encodeURIComponent(column.rest)}=in.(${encodeURIComponent(listOf(keys))})`;
  const select = [column, label].map(({ rest }) => encodeURIComponent(rest)).join(',');
  const answer = await send(readRequest(model, table, `${filter}&select=${select}&limit=${String(keys.length)}`));
  return new Map((rowsOf(answer) ?? []).map((row) => [textOf(row[column.rest]), textOf(row[label.rest])]));
}

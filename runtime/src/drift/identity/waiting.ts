import type { Warning } from '../../model/model.js';
import type { Protection } from './protection.js';
import { keyOf, type Shape, type TableShape } from './shape.js';

/** The tables of the generated code, as `schema.name`, each with the names of its columns. */
export type ServedTables = Readonly<Record<string, readonly string[]>>;

/**
 * New tables, views and columns that may be something protected under another name, as `exclude`
 * names them: a person decides about them, by the next `generate`. Where rules exist, every new
 * table waits.
 * @param known the served state
 */
export function waitingIn(
  found: Shape,
  known: Shape | undefined,
  served: ServedTables,
  protection: Protection,
): readonly string[] {
  const fresh = found.tables.filter((table) => served[keyOf(table)] === undefined && !protection.isExcluded(table));
  const before = new Map(known?.tables.map((table) => [keyOf(table), table]));
  const still = new Set(found.tables.map(keyOf));
  const guarded = [...before.values()].filter((table) => protection.guards(table));
  // Where something protected is gone, a change with something new is refused as a whole.
  const isRefused = guarded.some((table) => !still.has(keyOf(table)));
  const mayBeGuarded = (table: TableShape): boolean =>
    protection.hasRules || guarded.some((each) => resembles(table, each));
  const columnsOf = (table: TableShape): readonly string[] =>
    waitingColumns(table, before.get(keyOf(table)), served, protection);
  return [
    ...(isRefused ? [] : fresh.filter(mayBeGuarded).map(keyOf)),
    ...(found.dialect === 'postgres' ? [] : found.tables.flatMap(columnsOf)),
  ];
}

/** Whether a table has more than half of the columns of another one. */
function resembles(table: TableShape, other: TableShape): boolean {
  const names = new Set(table.columns.map(({ name }) => name));
  return other.columns.filter(({ name }) => names.has(name)).length * 2 > other.columns.length;
}

/** New columns that differ from a protected one of their table by the name alone. */
function waitingColumns(
  table: TableShape,
  before: TableShape | undefined,
  served: ServedTables,
  protection: Protection,
): readonly string[] {
  const known = served[keyOf(table)];
  const covered = [...table.columns, ...(before?.columns ?? [])].filter(({ name }) => protection.covers(table, name));
  const facts = new Set(covered.map((column) => column.facts));
  const isRefused = covered.some(({ name }) => !table.columns.some((column) => column.name === name));
  if (known === undefined || isRefused) return [];
  return table.columns
    .filter(
      (column) => !known.includes(column.name) && !protection.covers(table, column.name) && facts.has(column.facts),
    )
    .map(({ name }) => `${keyOf(table)}.${name}`);
}

export const waits = (name: string): Warning => ({
  code: 'WAITS',
  message: `${name} is new, and may be something protected under another name: it is not served until the next generate.`,
  hint: 'Generate, build and start the server again. If clients may not see it, add it to exclude, or give it a rule, first.',
});

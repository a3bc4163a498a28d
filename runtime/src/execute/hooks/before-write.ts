import { ExactNumber, parseExact } from '../../exact-number.js';
import { withoutSource } from '../../json-source.js';
import { knownRelation, relatedTable } from '../../plan/read/columns.js';
import type { Value } from '../../plan/intent.js';
import {
  isNestedWrite,
  isRoutine,
  type InsertIntent,
  type NestedInsert,
  type RowsShape,
  type UpdateIntent,
  type WriteIntent,
  type WrittenColumn,
} from '../../plan/write/write-intent.js';
import type { Table } from '../../descriptor/registry.js';
import type { NestedPlace } from '../../plan/write-program.js';
import { rowsInside } from '../insert-tree.js';
import type { Services } from '../services.js';
import type { NestedHooks } from '../nested/writer.js';
import type { AnyTableHooks, Concerned, WriteEvent } from './table-hooks.js';

export type Row = Readonly<Record<string, unknown>>;
type Hooking = Pick<Services, 'hooks' | 'registry' | 'settings'>;

/** The parts of a write that its hooks receive. */
export interface HookPlace {
  /** The properties of every event of a table. */
  readonly event: (table: Table) => WriteEvent;
  /** The rows that the write concerns, before it. */
  readonly current: Concerned<Row>['current'];
}

/** A write with other rows than those of the request: the inputs have them by `withRows`. */
export interface ChangedWrite {
  readonly intent: InsertIntent | UpdateIntent;
  readonly rows: unknown;
}

/** The write that a table's hooks have changed. Undefined: they have not. */
export async function hookWrite(
  intent: WriteIntent,
  inputs: unknown,
  place: HookPlace,
  services: Hooking,
): Promise<ChangedWrite | undefined> {
  if (isRoutine(intent) || isNestedWrite(intent) || !isHooked(intent, services)) return undefined;
  const hooks = hooksOf(intent.table, services);
  switch (intent.kind) {
    case 'delete':
      await hooks?.beforeDelete?.({ ...place.event(intent.table), current: place.current });
      return undefined;
    case 'update':
      return hookUpdate(intent, inputs, place, hooks);
    case 'insert': {
      const { rows, ...shape } = await hookRows(intent, intent.table, rowsIn(intent.rows, inputs), place, services);
      return { intent: { ...intent, ...shape, rows: answered }, rows };
    }
  }
}

/**
 * Hooks of nested writes. The rows that a nested write finds decide which of them are called.
 * @param event the properties of every event of a table
 */
export const nestedHooks = (event: (table: Table) => WriteEvent, services: Hooking): NestedHooks => ({
  insert: async (table, rows) => (await hooksOf(table, services)?.beforeInsert?.({ ...event(table), rows })) ?? rows,
  update: async (table, set) =>
    (await hooksOf(table, services)?.beforeUpdate?.({ ...event(table), set, current: notKnown })) ?? set,
  remove: async (table) => {
    await hooksOf(table, services)?.beforeDelete?.({ ...event(table), current: notKnown });
  },
});

const notKnown = (): Promise<never> =>
  Promise.reject(new TypeError('current() is not available for a write with nested rows: read them by `event.db`'));

/** Whether the table of a write has hooks, or the table of rows inside its rows. */
export const isHooked = (intent: WriteIntent, services: Hooking): boolean =>
  isNestedWrite(intent)
    ? services.hooks !== undefined
    : !isRoutine(intent) && hasHooks(intent.table, intent.kind === 'insert' ? intent : {}, services);

/** Whether a hook of the table receives the rows after such a write. */
export function receivesRows(kind: 'insert' | 'update' | 'delete', hooks: AnyTableHooks): boolean {
  const names = { insert: 'afterInsert', update: 'afterUpdate', delete: 'afterDelete' } as const;
  return hooks[names[kind]] !== undefined;
}

/** Rows inside the rows of an insert, by table, for tables with a hook of the commit. */
export function hookedTables(
  intent: WriteIntent,
  inputs: unknown,
  services: Hooking,
): readonly { readonly table: Table; readonly affected: number }[] {
  if (intent.kind !== 'insert' || intent.nested === undefined || isNestedWrite(intent)) return [];
  const found: { table: Table; affected: number }[] = [];
  const walk = (shape: RowsShape, table: Table, rows: readonly Row[]): void => {
    for (const nested of shape.nested ?? []) {
      const other = relatedTable(knownRelation(table, nested.relation), services);
      const rowsBelow = rows.flatMap((row) => below(row, nested));
      if (rowsBelow.length === 0) continue;
      if (hooksOf(other, services)?.afterCommit !== undefined) found.push({ table: other, affected: rowsBelow.length });
      walk(nested, other, rowsBelow);
    }
  };
  walk(intent, intent.table, rowsIn(intent.rows, inputs));
  return found;
}

export const hooksOf = (table: Table, { hooks }: Hooking): AnyTableHooks | undefined =>
  hooks?.[`${table.schema}.${table.name}`];

/** `onRead` is a condition on reads, so it does not count. */
const isOfWrites = (hooks: AnyTableHooks | undefined): boolean =>
  hooks !== undefined && Object.entries(hooks).some(([name, hook]) => name !== 'onRead' && hook !== undefined);

function hasHooks(table: Table, shape: Pick<RowsShape, 'nested'>, services: Hooking): boolean {
  if (isOfWrites(hooksOf(table, services))) return true;
  return (shape.nested ?? []).some((each) =>
    hasHooks(relatedTable(knownRelation(table, each.relation), services), each, services),
  );
}

async function hookUpdate(
  intent: UpdateIntent,
  inputs: unknown,
  place: HookPlace,
  hooks: AnyTableHooks | undefined,
): Promise<ChangedWrite | undefined> {
  if (hooks?.beforeUpdate === undefined) return undefined;
  const given = intent.set === undefined ? {} : byColumn(rowsIn(intent.set, inputs)[0] ?? {}, intent.columns);
  withoutSource(given);
  const set = await hooks.beforeUpdate({ ...place.event(intent.table), set: given, current: place.current });
  return set === undefined ? undefined : { intent: { ...intent, columns: columnsIn([set]), set: answered }, rows: set };
}

interface HookedRows extends RowsShape {
  readonly rows: readonly Row[];
}

/**
 * Rows by column, changed by the hooks of their table; rows inside them likewise.
 */
async function hookRows(
  shape: RowsShape,
  table: Table,
  rows: readonly Row[],
  place: HookPlace,
  services: Hooking,
): Promise<HookedRows> {
  const given = rows.map((row) => byColumn(row, shape.columns));
  const event = { ...place.event(table), rows: given };
  withoutSource(given);
  const written = (await hooksOf(table, services)?.beforeInsert?.(event)) ?? given;
  const [columns, keySets] = [columnsIn(written), keySetsOf(written)];
  if (shape.nested === undefined) return { rows: written, columns, keySets };
  if (written.length !== rows.length) {
    throw new TypeError(`beforeInsert of ${event.table} returned another number of rows than have nested rows`);
  }
  const whole: Row[] = written.map((row) => ({ ...row }));
  const nested: NestedInsert[] = [];
  for (const each of shape.nested) nested.push(await hookNested(each, table, rows, whole, place, services));
  return { rows: whole, columns, keySets, nested };
}

/** No column has such a name, so no relation is taken for a column. */
const nestedKey = (key: string): string => `\0${key}`;

async function hookNested(
  each: NestedInsert,
  table: Table,
  rows: readonly Row[],
  whole: Row[],
  place: HookPlace,
  services: Hooking,
): Promise<NestedInsert> {
  const inside = rows.map((row) => below(row, each));
  const other = relatedTable(knownRelation(table, each.relation), services);
  const hooked = await hookRows(each, other, inside.flat(), place, services);
  if (hooked.rows.length !== inside.flat().length) {
    throw new TypeError(
      `beforeInsert of ${other.schema}.${other.name} returned another number of rows than it was given`,
    );
  }
  let taken = 0;
  inside.forEach(({ length }, at) => {
    if (length === 0) return;
    whole[at] = { ...whole[at], [nestedKey(each.key)]: { data: hooked.rows.slice(taken, taken + length) } };
    taken += length;
  });
  const { columns, keySets, nested } = hooked;
  const shape = { columns, ...(keySets === undefined ? {} : { keySets }), ...(nested === undefined ? {} : { nested }) };
  const { relation, onConflict } = each;
  const conflict = onConflict === undefined ? {} : { onConflict };
  return { relation, ...conflict, ...shape, key: nestedKey(each.key) };
}

function byColumn(row: Row, columns: readonly WrittenColumn[]): Row {
  const given = columns.filter(({ key }) => Object.hasOwn(row, key) && row[key] !== undefined);
  return Object.fromEntries(given.map(({ column, key }) => [column, row[key]]));
}

const columnsIn = (rows: readonly Row[]): readonly WrittenColumn[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].map((column) => ({ column, key: column }));

/** The different sets of columns. */
const keySetsOf = (rows: readonly Row[]): readonly (readonly string[])[] => [
  ...new Map(rows.map(Object.keys).map((names) => [JSON.stringify(names), names])).values(),
];

const answeredRows = Symbol('the rows that hooks answered');

/** Beside the inputs of the request, so that a program of other inputs may be kept. */
export const withRows = (inputs: unknown, rows: unknown): unknown =>
  Object.assign(Array.isArray(inputs) ? [...(inputs as readonly unknown[])] : { ...Object(inputs) }, {
    [answeredRows]: rows,
  });

const answered: Value = {
  read: (inputs) => (inputs as { readonly [answeredRows]: unknown })[answeredRows],
  form: 'json',
};

export function rowsIn(value: Value, inputs: unknown): readonly Row[] {
  const read = value.read(inputs);
  const given: unknown = value.form === 'text' ? parseExact(read as string) : read;
  return ((Array.isArray(given) ? given : [given]) as readonly Row[]).map(plainRow);
}

/** Hooks receive plain numbers if these are exact: 1.5 for `1.50`. */
function plainRow(row: Row): Row {
  if (!Object.values(row).some(isShort)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isShort(value) ? Number(value) : value]));
}

const isShort = (value: unknown): boolean => value instanceof ExactNumber && value.isShort;

const below = (row: Row, place: NestedPlace): readonly Row[] => rowsInside(row, place) as readonly Row[];

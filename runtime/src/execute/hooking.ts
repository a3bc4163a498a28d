import { parse as parseLossless } from 'lossless-json';
import { exactNumber } from '../exact-number.js';
import { findRelation, relatedTable } from '../plan/read/columns.js';
import type { Value } from '../plan/intent.js';
import {
  isRoutine,
  type NestedInsert,
  type RowsShape,
  type UpdateIntent,
  type WriteIntent,
  type WrittenColumn,
} from '../plan/write/write-intent.js';
import type { Table } from '../descriptor/registry.js';
import type { Identity } from '../dialect/driver.js';
import type { NestedPlace } from '../dialect/write-program.js';
import { rowsInside } from './insert-tree.js';
import type { Services } from './services.js';
import { refuse, type AnyTableHooks, type WriteEvent } from './hooks.js';

export type Row = Readonly<Record<string, unknown>>;
type Hooking = Pick<Services, 'hooks' | 'registry' | 'settings'>;

/** The write after its table's hooks: the same object when there are none, or one with the rows that they answered, as constants. */
export async function hookWrite(
  intent: WriteIntent,
  inputs: unknown,
  identity: Identity,
  services: Hooking,
): Promise<WriteIntent> {
  if (isRoutine(intent) || !isHooked(intent, services)) return intent;
  const hooks = hooksOf(intent.table, services);
  switch (intent.kind) {
    case 'delete':
      await hooks?.beforeDelete?.(eventOf(intent.table, identity));
      return intent;
    case 'update':
      return hookUpdate(intent, inputs, identity, hooks);
    case 'insert': {
      const { rows, ...shape } = await hookRows(intent, intent.table, rowsIn(intent.rows, inputs), identity, services);
      return { ...intent, ...shape, rows: constant(rows) };
    }
  }
}

/** Whether the table of a write has hooks, or one with rows inside its rows. */
export const isHooked = (intent: WriteIntent, services: Hooking): boolean =>
  !isRoutine(intent) && hasHooks(intent.table, intent.kind === 'insert' ? intent : {}, services);

/** Rows inside the rows of an insert, by table, for those tables that are told of a commit. */
export function hookedTables(
  intent: WriteIntent,
  inputs: unknown,
  services: Hooking,
): readonly { readonly table: Table; readonly affected: number }[] {
  if (intent.kind !== 'insert' || intent.nested === undefined) return [];
  const found: { table: Table; affected: number }[] = [];
  const walk = (shape: RowsShape, table: Table, rows: readonly Row[]): void => {
    for (const nested of shape.nested ?? []) {
      const other = relatedTable(findRelation(table, nested.relation), services);
      const rowsBelow = rows.flatMap((row) => below(row, nested));
      if (rowsBelow.length === 0) continue;
      if (hooksOf(other, services)?.afterCommit !== undefined) found.push({ table: other, affected: rowsBelow.length });
      walk(nested, other, rowsBelow);
    }
  };
  walk(intent, intent.table, rowsIn(intent.rows, inputs));
  return found;
}

const hooksOf = (table: Table, { hooks }: Hooking): AnyTableHooks | undefined =>
  hooks?.[`${table.schema}.${table.name}`];

function hasHooks(table: Table, shape: Pick<RowsShape, 'nested'>, services: Hooking): boolean {
  if (hooksOf(table, services) !== undefined) return true;
  return (shape.nested ?? []).some((each) =>
    hasHooks(relatedTable(findRelation(table, each.relation), services), each, services),
  );
}

const eventOf = (table: Table, identity: Identity): WriteEvent => ({
  table: `${table.schema}.${table.name}`,
  identity,
  refuse,
});

async function hookUpdate(
  intent: UpdateIntent,
  inputs: unknown,
  identity: Identity,
  hooks: AnyTableHooks | undefined,
): Promise<WriteIntent> {
  if (hooks?.beforeUpdate === undefined) return intent;
  const given = intent.set === undefined ? {} : byColumn(rowsIn(intent.set, inputs)[0] ?? {}, intent.columns);
  const set = await hooks.beforeUpdate({ ...eventOf(intent.table, identity), set: given });
  return set === undefined ? intent : { ...intent, columns: columnsIn([set]), set: constant(set) };
}

interface HookedRows extends RowsShape {
  readonly rows: readonly Row[];
}

/** Rows by column, changed by the hooks of their table, with what is inside them done the same way. */
async function hookRows(
  shape: RowsShape,
  table: Table,
  rows: readonly Row[],
  identity: Identity,
  services: Hooking,
): Promise<HookedRows> {
  const given = rows.map((row) => byColumn(row, shape.columns));
  const event = { ...eventOf(table, identity), rows: given };
  const answered = (await hooksOf(table, services)?.beforeInsert?.(event)) ?? given;
  const columns = columnsIn(answered);
  if (shape.nested === undefined) return { rows: answered, columns, keySets: answered.map((row) => Object.keys(row)) };
  if (answered.length !== rows.length) {
    throw new TypeError(`beforeInsert of ${event.table} answered another number of rows than have rows inside them`);
  }
  const whole: Row[] = answered.map((row) => ({ ...row }));
  const nested: NestedInsert[] = [];
  for (const each of shape.nested) nested.push(await hookNested(each, table, rows, whole, identity, services));
  return { rows: whole, columns, keySets: answered.map((row) => Object.keys(row)), nested };
}

/** No column has this name, so that a relation is never taken for one. */
const nestedKey = (key: string): string => `\0${key}`;

async function hookNested(
  each: NestedInsert,
  table: Table,
  rows: readonly Row[],
  whole: Row[],
  identity: Identity,
  services: Hooking,
): Promise<NestedInsert> {
  const inside = rows.map((row) => below(row, each));
  const other = relatedTable(findRelation(table, each.relation), services);
  const hooked = await hookRows(each, other, inside.flat(), identity, services);
  if (hooked.rows.length !== inside.flat().length) {
    throw new TypeError(
      `beforeInsert of ${other.schema}.${other.name} answered another number of rows than it was given`,
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

const constant = (given: unknown): Value => ({ read: () => given, form: 'json' });

export function rowsIn(value: Value, inputs: unknown): readonly Row[] {
  const read = value.read(inputs);
  const given: unknown = value.form === 'text' ? parseLossless(read as string, undefined, exactNumber) : read;
  return (Array.isArray(given) ? given : [given]) as readonly Row[];
}

const below = (row: Row, place: NestedPlace): readonly Row[] => rowsInside(row, place) as readonly Row[];

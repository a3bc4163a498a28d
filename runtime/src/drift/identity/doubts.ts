import type { Exchange } from './exchange.js';
import { isAsNamed, possibleNames } from './explanations.js';
import type { Protection } from './protection.js';
import { keyOf, type ColumnShape, type Shape, type TableShape } from './shape.js';

/** Whether a column may be an earlier one that was renamed. */
type MayBe = (other: ColumnShape, column: ColumnShape) => boolean;

/** Protected columns of a table that another column may be now, where no ids tell it. */
export function doubtsOf(
  before: TableShape,
  now: TableShape,
  protection: Protection,
  dialect: Shape['dialect'],
): readonly Exchange[] {
  const key = keyOf(before);
  if (protection.isExcluded(before)) return [];
  if (before.isView !== now.isView)
    return [{ message: `${key} is a ${now.isView ? 'view' : 'table'} now.`, withheld: [] }];
  const covered = before.columns.filter(({ name }) => protection.covers(before, name));
  // A rule without a column of its condition is refused elsewhere, and no statement reads it.
  const read = before.columns.filter(({ name }) => protection.reads(before, name) && has(now, name));
  const isThere = covered.every(({ name }) => has(now, name));
  const guarded = [...covered, ...read];
  if (!isThere && isRenamedAlone(before, now)) return [];
  if (isThere && (dialect === 'postgres' ? isAsNamed(before, now) : looksHarmless(before, now, guarded))) return [];
  const mayBe = dialect === 'postgres' ? possibleNames(before, now) : byFacts(before, now);
  return [...new Set(guarded)].flatMap((column) => {
    const other = now.columns.filter(
      (each) =>
        each.name !== column.name &&
        !(protection.isExcluded(before, column.name) && protection.isExcluded(now, each.name)) &&
        mayBe(each, column),
    );
    if (other.length === 0) return [];
    const isShown = read.includes(column) || other.some(({ name }) => has(before, name));
    const names = other.map(({ name }) => name).join(', ');
    return [{ message: `${key}.${column.name} may be ${names} now.`, withheld: isShown ? [before.name] : [] }];
  });
}

/** Whether one column has a new name, and all others their places: other checks refuse that. */
function isRenamedAlone(before: TableShape, now: TableShape): boolean {
  const differing = before.columns.filter(({ name }, at) => now.columns[at]?.name !== name);
  const [column, ...others] = differing;
  if (column === undefined || others.length > 0 || now.columns.length !== before.columns.length) return false;
  const other = now.columns[before.columns.indexOf(column)];
  return (
    other !== undefined &&
    !has(before, other.name) &&
    before.columns.every(({ facts }, at) => now.columns[at]?.facts === facts)
  );
}

/** Whether columns can only have been added and dropped: their order and types are as before. */
function looksHarmless(before: TableShape, now: TableShape, guarded: readonly ColumnShape[]): boolean {
  const kept = now.columns.filter(({ name }) => has(before, name));
  const order = before.columns.filter(({ name }) => has(now, name));
  if (!order.every(({ name, type }, at) => kept[at]?.name === name && kept[at].type === type)) return false;
  const facts = new Map(now.columns.map((column) => [column.name, column.facts]));
  const hasNew = kept.length < now.columns.length;
  // A column that is gone can have given its name to one with other facts.
  const isAltered = order.some((column) => facts.get(column.name) !== column.facts);
  if (isAltered && order.length < before.columns.length) return false;
  return guarded.every((column) => {
    if (facts.get(column.name) !== column.facts) return !hasNew;
    const [was, is] = [before, now].map(({ columns }) => columns.findIndex(({ name }) => name === column.name));
    const added = now.columns.slice(0, is).filter(({ name, type }) => !has(before, name) && type === column.type);
    return was === is || added.length === 0;
  });
}

/**
 * Without numbers, and with columns that are added anywhere: a column that is new, or that has the
 * type, default and so on of the other one. If one column is gone and the others are as they were,
 * only its neighbours can have its place.
 */
function byFacts(before: TableShape, now: TableShape): MayBe {
  const known = new Map(before.columns.map((column) => [column.name, column]));
  const gone = before.columns.filter(({ name }) => !has(now, name));
  const rest = before.columns.filter(({ name }) => has(now, name));
  const isShorter =
    gone.length === 1 &&
    rest.length === now.columns.length &&
    rest.every(({ name, facts }, at) => now.columns[at]?.name === name && now.columns[at].facts === facts);
  const distance = (one: ColumnShape, other: ColumnShape): number =>
    Math.abs(before.columns.findIndex(({ name }) => name === one.name) - before.columns.indexOf(other));
  return (other, column) => {
    const was = known.get(other.name);
    if (was === undefined) return true;
    if (isShorter) return gone.includes(column) && other.facts === column.facts && distance(other, column) === 1;
    return other.type === column.type && (other.facts === column.facts || other.facts !== was.facts);
  };
}

const has = ({ columns }: TableShape, name: string): boolean => columns.some((column) => column.name === name);

/** Served tables that may have the name of a protected one now. */
export function tableDoubts(
  table: TableShape,
  known: Shape,
  named: ReadonlyMap<string, TableShape>,
  protection: Protection,
): readonly Exchange[] {
  return known.tables.flatMap((other) => {
    const now = named.get(keyOf(other));
    if (now === undefined || keyOf(other) === keyOf(table) || protection.isExcluded(other)) return [];
    if (!hasBecome(now, other, table)) return [];
    const withheld = protection.isRuled(table) ? [other.name, table.name] : [other.name];
    return [{ message: `${keyOf(table)} may be ${keyOf(other)} now.`, withheld }];
  });
}

/** Whether a table has the keys or columns of another one now, and had not before. */
function hasBecome(now: TableShape, before: TableShape, other: TableShape): boolean {
  const own = other.keys.filter((key) => !before.keys.includes(key));
  if (own.some((key) => now.keys.includes(key))) return true;
  return hasAll(now, other) && !hasAll(before, other) && !hasAll(now, before);
}

const hasAll = (table: TableShape, { columns }: TableShape): boolean =>
  columns.every(({ name, type }) => table.columns.some((column) => column.name === name && column.type === type));

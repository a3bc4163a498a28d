import type { Catalog, Column, Key, Table } from '../catalog/catalog.js';
import { compareText } from '../compare-text.js';
import { sameColumns } from '../descriptor/unique-keys.js';
import type { Patterns } from './patterns.js';
import { typeKey } from './types.js';
import { isView, type LinkedKey, type Links } from './views.js';

/** A table without the columns and keys that the configuration excludes. */
export interface ScopedTable {
  readonly key: string;
  readonly facts: Table;
  readonly columns: readonly Column[];
  readonly primaryKey: Key | null;
  /** Columns that identify its rows: the primary key or its substitute. */
  readonly rowKey: readonly string[] | null;
  /** See Links. */
  readonly shownKey: readonly string[];
  /** Unique constraints that can be the target of an upsert, and then such indexes. */
  readonly uniques: readonly Key[];
  /** Columns of unique keys that can not. */
  readonly unmergedKeys: readonly (readonly string[])[];
  /** To tables in scope, one for each set of columns. */
  readonly foreignKeys: readonly LinkedKey[];
  /** To views in scope, in the place of tables that they show: relations of REST alone. */
  readonly toViews: readonly LinkedKey[];
  /** Sets of columns no two rows share: the row key, unique constraints, unique indexes. */
  readonly distinct: readonly (readonly string[])[];
}

/** Whether no column is excluded: one would be part of a row. */
export const isWhole = ({ columns, facts }: ScopedTable): boolean => columns.length === facts.columns.length;

/** The tables to serve, sorted; keys and foreign keys that lost a column are gone. */
export function scopeTables(
  catalog: Catalog,
  exclude: Patterns,
  links: ReadonlyMap<string, Links>,
): readonly ScopedTable[] {
  const kept = catalog.tables
    .filter((table) => !exclude.matches(table.schema, table.name))
    .sort((a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name));
  const visible = new Map(
    kept.map((table) => [
      typeKey(table),
      new Map(
        table.columns
          .filter((column) => !exclude.matches(table.schema, table.name, column.name))
          .map((column) => [column.name, column]),
      ),
    ]),
  );
  const has = (key: string, columns: readonly string[]): boolean => {
    const names = visible.get(key);
    return names !== undefined && columns.every((column) => names.has(column));
  };

  return kept.map((facts) => {
    const key = typeKey(facts);
    const within = (each: { readonly columns: readonly string[] }): boolean => has(key, each.columns);
    const { rowKey, shownKey, foreignKeys, toViews } = links.get(key) ?? noLinks;
    const keys = (all: readonly LinkedKey[]): readonly LinkedKey[] =>
      withoutDuplicates(
        all.filter((each) => within(each) && has(typeKey(each.references), each.references.columns)).sort(byName),
      );
    return {
      key,
      facts,
      columns: [...(visible.get(key)?.values() ?? [])],
      primaryKey: facts.primaryKey !== null && within(facts.primaryKey) ? facts.primaryKey : null,
      rowKey: rowKey !== null && has(key, rowKey) ? rowKey : null,
      shownKey: has(key, shownKey)
        ? facts.columns.map(({ name }) => name).filter((name) => shownKey.includes(name))
        : [],
      uniques: [
        ...facts.uniques.filter((each) => within(each) && !each.deferrable).sort(byName),
        ...uniqueIndexes(facts).filter(within).sort(byName),
      ],
      unmergedKeys: unmergedKeys(facts)
        .filter(within)
        .map(({ columns }) => columns),
      foreignKeys: keys(foreignKeys),
      toViews: keys(toViews),
      distinct: distinctSets(facts, rowKey),
    };
  });
}

const noLinks: Links = { rowKey: null, shownKey: [], foreignKeys: [], toViews: [] };

/** Whether at most one row can have the same values in these columns. */
export function isUnique(table: ScopedTable, columns: readonly string[]): boolean {
  return table.distinct.some((set) => set.every((column) => columns.includes(column)));
}

/**
 * Whether a constraint says so: PostgREST takes a relation to such columns for one to one, and none
 * that only a unique index makes one.
 */
export const isConstrained = ({ facts, rowKey }: ScopedTable, columns: readonly string[]): boolean =>
  [...keysOf(facts).map((each) => each.columns), rowKey ?? []].some((each) => sameColumns(each, columns));

/**
 * Unique indexes without a constraint that hold for every row, and by which the columns compare as
 * they do elsewhere.
 */
function uniqueIndexes(table: Table): readonly Key[] {
  if (isView(table)) return [];
  const constraints = new Set([...keysOf(table), ...table.exclusions].map(({ name }) => name));
  return table.indexes.flatMap(({ name, unique, predicate, keys, comparesOtherwise }) => {
    const columns = keys.flatMap(({ column }) => column ?? []);
    const isWholeKey = columns.length === keys.length && predicate === null && comparesOtherwise !== true;
    return unique && isWholeKey && !constraints.has(name) ? [{ name, columns }] : [];
  });
}

/** PostgreSQL uses a deferrable or temporal key for no ON CONFLICT. */
const unmergedKeys = ({ primaryKey, uniques }: Table): readonly Key[] => [
  ...(primaryKey?.deferrable === true || primaryKey?.temporal === true ? [primaryKey] : []),
  ...uniques.filter(({ deferrable }) => deferrable),
];

function distinctSets(table: Table, rowKey: readonly string[] | null): readonly (readonly string[])[] {
  // No key of it is one of the rows of tables that inherit from it.
  if (table.inherited === true) return [];
  const indexes = table.indexes
    .filter((index) => index.unique && index.predicate === null)
    .map((index) =>
      index.keys.flatMap((key) => (key.column === null ? [] : [key.column])).concat(expressionMarks(index)),
    );
  const keys = keysOf(table).map((each) => each.columns);
  return [...keys, ...(rowKey === null ? [] : [rowKey]), ...indexes].filter((set) => set.length > 0);
}

/** The primary key, and then the other unique constraints. */
export const keysOf = ({
  primaryKey,
  uniques,
}: {
  readonly primaryKey: Key | null;
  readonly uniques: readonly Key[];
}): readonly Key[] => (primaryKey === null ? uniques : [primaryKey, ...uniques]);

/**
 * An index over an expression says nothing about its columns: a mark that no column has keeps it
 * from matching.
 */
function expressionMarks(index: Table['indexes'][number]): readonly string[] {
  return index.keys.some((key) => key.column === null) ? ['\0expression'] : [];
}

/**
 * Two constraints over the same columns to the same columns are one relation: the first by name
 * stands for both.
 */
function withoutDuplicates(keys: readonly LinkedKey[]): readonly LinkedKey[] {
  const seen = new Set<string>();
  return keys.filter((key) => {
    const pairs = key.columns.map((column, at) => [column, key.references.columns[at] ?? '']);
    const mark = JSON.stringify([typeKey(key.references), pairs.sort(([a = ''], [b = '']) => compareText(a, b))]);
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  });
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}

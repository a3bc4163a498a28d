import { dialects } from '../../dialects/index.js';
import type { Catalog, Column, Table } from '@tablewright/runtime/model';
import { gapsBetween, type Gap } from './gaps.js';
import type { Rename } from './rename.js';

type Pair = Pick<Rename, 'certain' | 'evidence'> & { readonly from: string; readonly to: string };

/**
 * Renamed columns of one table. Two facts of the catalogue show a rename: a key or index that has
 * the new column in the place of the old one, and, in PostgreSQL, a new column between old ones,
 * because added columns always come last.
 */
export function findColumnRenames(before: Table, after: Table, dialect: Catalog['dialect']): readonly Rename[] {
  const gaps = gapsBetween(
    before.columns.map(({ name }) => name),
    after.columns.map(({ name }) => name),
  );
  const shown = shownByKeys(before, after);
  const known = new Set(shown.flatMap(({ from, to }) => [from, to]));
  const placed = gaps
    .map((gap) => without(gap, known))
    .flatMap((gap) => pairsOf(gap, before, after, dialects[dialect].keepsPlaces && before.kind === 'table'));
  return [...shown, ...placed].map(({ from, to, ...why }) => ({
    kind: 'column',
    from: { object: `${before.schema}.${before.name}`, member: from },
    to: { object: `${after.schema}.${after.name}`, member: to },
    ...why,
  }));
}

/** Pairs of a removed and a new column with the same position in the same key or index. */
function shownByKeys(before: Table, after: Table): readonly Pair[] {
  const [old, now] = [columnNames(before), columnNames(after)];
  const keys = new Map(keysOf(after).map((key) => [key.name, key.columns]));
  const pairs = new Map<string, Pair>();
  for (const { name, columns } of keysOf(before)) {
    const others = keys.get(name) ?? [];
    if (others.length !== columns.length) continue;
    columns.forEach((from, at) => {
      const to = others[at];
      if (from === null || to === undefined || to === null) return;
      if (now.has(from) || old.has(to) || pairs.has(from)) return;
      pairs.set(from, { from, to, certain: true, evidence: `it has the old column's place in ${name}` });
    });
  }
  return [...pairs.values()];
}

const columnNames = ({ columns }: Table): ReadonlySet<string> => new Set(columns.map(({ name }) => name));

function keysOf(table: Table): readonly { readonly name: string; readonly columns: readonly (string | null)[] }[] {
  const indexes = table.indexes.map(({ name, keys }) => ({ name, columns: keys.map(({ column }) => column) }));
  return [...(table.primaryKey === null ? [] : [table.primaryKey]), ...table.uniques, ...table.foreignKeys, ...indexes];
}

const without = ({ gone, added, last }: Gap, known: ReadonlySet<string>): Gap => ({
  gone: gone.filter((name) => !known.has(name)),
  added: added.filter((name) => !known.has(name)),
  last,
});

/**
 * A gap with as many new columns as old ones is a row of renames. Another one shows only columns of
 * a type of their own.
 */
function pairsOf({ gone, added, last }: Gap, before: Table, after: Table, addsAtEnd: boolean): readonly Pair[] {
  const [old, now] = [columnsByName(before), columnsByName(after)];
  const same = gone.length === added.length;
  return gone.flatMap((from, at): readonly Pair[] => {
    const to = same ? added[at] : onlyAlike(from, gone, added, old, now);
    if (to === undefined) return [];
    const alike = typeOf(old.get(from)) === typeOf(now.get(to));
    if (!alike && (last || !addsAtEnd)) return [];
    const certain = addsAtEnd && same && alike && !last;
    const evidence = certain
      ? "it has the old column's place in the table, and added columns come last"
      : alike
        ? "it has the old column's place and type"
        : "it has the old column's place in the table, and another type";
    return [{ from, to, certain, evidence }];
  });
}

const columnsByName = ({ columns }: Table): ReadonlyMap<string, Column> =>
  new Map(columns.map((column) => [column.name, column]));

const typeOf = (column: Column | undefined): string | undefined => column?.type.formatted;

/** The new column with the type of an old one, where no other column of the gap has that type. */
function onlyAlike(
  from: string,
  gone: readonly string[],
  added: readonly string[],
  old: ReadonlyMap<string, Column>,
  now: ReadonlyMap<string, Column>,
): string | undefined {
  const type = typeOf(old.get(from));
  const [to, ...more] = added.filter((name) => typeOf(now.get(name)) === type);
  const rivals = gone.filter((name) => name !== from && typeOf(old.get(name)) === type);
  return more.length > 0 || rivals.length > 0 ? undefined : to;
}

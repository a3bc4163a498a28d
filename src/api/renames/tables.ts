import { dialects } from '../../dialects/index.js';
import type { Catalog, Table } from '@tablewright/runtime/model';
import type { Rename } from './rename.js';

interface Candidate {
  readonly from: Table;
  readonly to: Table;
  readonly shared: string | undefined;
  /** The share of columns that both tables have, from 0 to 1. */
  readonly likeness: number;
}

/**
 * Renamed tables and views: a new table that has the keys, indexes or columns of a removed table.
 */
export function findTableRenames(before: Catalog, after: Catalog): readonly Rename[] {
  const [old, now] = [new Set(before.tables.map(keyOf)), new Set(after.tables.map(keyOf))];
  const gone = before.tables.filter((table) => !now.has(keyOf(table)));
  const added = after.tables.filter((table) => !old.has(keyOf(table)));
  const candidates = gone
    .flatMap((from) => added.map((to) => candidate(from, to)))
    .filter(({ shared, likeness }) => (shared === undefined ? likeness >= leastLikeness : likeness >= 0.5))
    .sort(byStrength);
  return settle(candidates, before);
}

/** Without a common index a new table has to have most of the columns. */
const leastLikeness = 0.8;

const keyOf = ({ schema, name }: Table): string => `${schema}.${name}`;

function candidate(from: Table, to: Table): Candidate {
  const names = new Set(namesOf(to));
  return { from, to, shared: namesOf(from).find((name) => names.has(name)), likeness: likenessOf(from, to) };
}

/** MySQL calls every primary key PRIMARY. */
const namesOf = (table: Table): readonly string[] =>
  [table.primaryKey, ...table.indexes, ...table.uniques, ...table.foreignKeys]
    .flatMap((each) => (each === null ? [] : [each.name]))
    .filter((name) => name !== 'PRIMARY');

function likenessOf(from: Table, to: Table): number {
  if ((from.kind === 'view') !== (to.kind === 'view')) return 0;
  const types = new Map(to.columns.map((column) => [column.name, column.type.formatted]));
  const common = from.columns.filter((column) => types.get(column.name) === column.type.formatted).length;
  return common / Math.max(from.columns.length, to.columns.length, 1);
}

const byStrength = (a: Candidate, b: Candidate): number =>
  Number(b.shared !== undefined) - Number(a.shared !== undefined) || b.likeness - a.likeness;

/**
 * Each table is used once. Equally strong proposals are all rejected, because they cannot be
 * distinguished.
 */
function settle(candidates: readonly Candidate[], { dialect }: Catalog): readonly Rename[] {
  const taken = new Set<Table>();
  return candidates.flatMap((each): readonly Rename[] => {
    const { from, to, shared, likeness } = each;
    if (taken.has(from) || taken.has(to)) return [];
    const rivals = candidates.filter(
      (other) => other !== each && (other.from === from || other.to === to) && byStrength(other, each) === 0,
    );
    if (rivals.some((other) => !taken.has(other.from) && !taken.has(other.to))) return [];
    taken.add(from).add(to);
    const certain = shared !== undefined && dialects[dialect].keepsPlaces;
    const evidence =
      shared === undefined
        ? `${String(Math.round(likeness * 100))} % of its columns are the same`
        : `it has the old table's ${shared}`;
    return [{ kind: 'table', from: { object: keyOf(from) }, to: { object: keyOf(to) }, certain, evidence }];
  });
}

import type { ForeignKey } from '../catalog/catalog.js';
import type { RelationDescriptor } from '../descriptor/descriptor.js';
import { compareText, legalStart, lowerCamel, pascal } from './names.js';
import { isUnique, type ScopedTable } from './scope.js';
import type { TableNames } from './type-names.js';
import { typeKey } from './types.js';
import { isView } from './views.js';

/** A relation before its name is settled: the preferred name, and what may be appended where it is taken. */
export interface RelationDraft {
  /** Says where it comes from, unique in its table: decides the suffix after a collision. */
  readonly id: string;
  readonly preferredName: string;
  readonly suffixes: readonly string[];
  readonly descriptor: Omit<RelationDescriptor, 'name'>;
}

interface Reference {
  readonly child: ScopedTable;
  readonly parent: ScopedTable;
  readonly key: ForeignKey;
}

/**
 * The relations of every table, by table key: forward, then reverse, then through junctions.
 * Source: decisions 1.
 */
export function draftRelations(
  tables: readonly ScopedTable[],
  names: ReadonlyMap<string, TableNames>,
): ReadonlyMap<string, readonly RelationDraft[]> {
  const byKey = new Map(tables.map((table) => [table.key, table]));
  const fieldOf = (table: ScopedTable): string => names.get(table.key)?.fields.list ?? table.key;
  const references = tables.flatMap((child) =>
    child.foreignKeys.flatMap((key): readonly Reference[] => {
      const parent = byKey.get(typeKey(key.references));
      return parent === undefined ? [] : [{ child, parent, key }];
    }),
  );
  const drafts = new Map<string, RelationDraft[]>(tables.map((table) => [table.key, []]));
  const add = (table: ScopedTable, draft: RelationDraft): void => {
    drafts.get(table.key)?.push(draft);
  };

  const between = countBetween(references);
  for (const reference of references) add(reference.child, forward(reference, fieldOf));
  for (const reference of references) add(reference.parent, reverse(reference, between, fieldOf));
  for (const [near, far] of junctions(references)) add(near.parent, through(near, far, fieldOf));
  return drafts;
}

type FieldOf = (table: ScopedTable) => string;

function forward({ child, parent, key }: Reference, fieldOf: FieldOf): RelationDraft {
  const [first = ''] = key.columns;
  const single = key.columns.length === 1;
  const prefix = lowerCamel(child.facts.schema);
  return {
    id: `${child.key}.${key.name}`,
    preferredName: legalStart(prefix + pascal(single ? first : parent.facts.name)),
    suffixes: single ? [pascal(parent.facts.name)] : [joined(key.columns)],
    descriptor: {
      cardinality: 'one',
      direction: 'forward',
      table: fieldOf(parent),
      constraint: key.name,
      columns: key.columns,
      references: key.references.columns,
    },
  };
}

function reverse(
  { child, parent, key }: Reference,
  between: ReadonlyMap<string, number>,
  fieldOf: FieldOf,
): RelationDraft {
  const several = (between.get(pairOf(child, parent)) ?? 0) > 1;
  return {
    id: `${child.key}.${key.name} reversed`,
    preferredName: legalStart(
      lowerCamel(child.facts.schema) + pascal(child.facts.name) + (several ? joined(key.columns) : ''),
    ),
    suffixes: several ? [] : [joined(key.columns)],
    descriptor: {
      cardinality: isUnique(child, key.columns) ? 'one' : 'many',
      direction: 'reverse',
      table: fieldOf(child),
      constraint: key.name,
      columns: key.references.columns,
      references: key.columns,
    },
  };
}

/** Seen from `near`'s parent: the rows of `far`'s parent that the junction table ties to it. */
function through(near: Reference, far: Reference, fieldOf: FieldOf): RelationDraft {
  const junction = near.child;
  const other = far.parent;
  return {
    id: `${junction.key}.${near.key.name} through ${far.key.name}`,
    preferredName: legalStart(
      `${lowerCamel(other.facts.schema)}${pascal(other.facts.name)}Via${pascal(junction.facts.name)}`,
    ),
    suffixes: [joined(far.key.columns)],
    descriptor: {
      cardinality: 'many',
      direction: 'through',
      table: fieldOf(other),
      constraint: far.key.name,
      columns: near.key.references.columns,
      references: far.key.references.columns,
      through: { table: fieldOf(junction), columns: near.key.columns, references: far.key.columns },
    },
  };
}

/** Both ways through each table that does nothing but join two: its columns are those of two foreign keys, and its key is all of them. */
function junctions(references: readonly Reference[]): readonly (readonly [Reference, Reference])[] {
  const byChild = new Map<string, Reference[]>();
  for (const reference of references) {
    byChild.set(reference.child.key, [...(byChild.get(reference.child.key) ?? []), reference]);
  }
  return [...byChild.values()].flatMap((group) => {
    const [left, right] = group;
    if (left === undefined || right === undefined || group.length !== 2 || !isPureJunction(left, right)) return [];
    return [
      [left, right],
      [right, left],
    ] as const;
  });
}

function isPureJunction(left: Reference, right: Reference): boolean {
  const columns = [...left.key.columns, ...right.key.columns];
  const table = left.child;
  return (
    !isView(table.facts) &&
    new Set(columns).size === columns.length &&
    table.facts.columns.length === columns.length &&
    isUnique(table, columns) &&
    !isUnique(table, left.key.columns) &&
    !isUnique(table, right.key.columns)
  );
}

function countBetween(references: readonly Reference[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { child, parent } of references) {
    const pair = pairOf(child, parent);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

function pairOf(child: ScopedTable, parent: ScopedTable): string {
  return JSON.stringify([child.key, parent.key]);
}

/** Order of the columns of a constraint may differ between databases with the same schema; their names do not. */
function joined(columns: readonly string[]): string {
  return [...columns].sort(compareText).map(pascal).join('');
}

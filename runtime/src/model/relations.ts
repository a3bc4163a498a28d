import type { RelationDescriptor } from '../descriptor/descriptor.js';
import { isUnique, type ScopedTable } from './scope.js';
import { createContractNames, type Reference, type RelationName, type RelationNames } from './relation-names.js';
import { createSimpleNames } from './simple-relations.js';
import type { TypeNames } from './type-names.js';
import { typeKey } from './types.js';
import { isView } from './views.js';

/** A relation before its name is settled. */
export interface RelationDraft extends RelationName {
  /** Says where it comes from, unique in its table: decides the suffix after a collision. */
  readonly id: string;
  readonly descriptor: Omit<RelationDescriptor, 'name'>;
}

/**
 * The relations of every table, by table key: forward, then reverse, then through junctions.
 * Source: decisions 1.
 */
export function draftRelations(
  tables: readonly ScopedTable[],
  names: Pick<TypeNames, 'tables' | 'rules'>,
): ReadonlyMap<string, readonly RelationDraft[]> {
  const byKey = new Map(tables.map((table) => [table.key, table]));
  const fieldOf = (table: ScopedTable): string => names.tables.get(table.key)?.fields.list ?? table.key;
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

  const called = names.rules.simple ? createSimpleNames(references) : createContractNames(references);
  for (const reference of references) add(reference.child, forward(reference, called, fieldOf));
  for (const reference of references) add(reference.parent, reverse(reference, called, fieldOf));
  for (const [near, far] of junctions(references)) add(near.parent, through(near, far, called, fieldOf));
  return drafts;
}

type FieldOf = (table: ScopedTable) => string;

function forward(reference: Reference, names: RelationNames, fieldOf: FieldOf): RelationDraft {
  const { child, parent, key } = reference;
  return {
    id: `${child.key}.${key.name}`,
    ...names.forward(reference),
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

function reverse(reference: Reference, names: RelationNames, fieldOf: FieldOf): RelationDraft {
  const { child, key } = reference;
  return {
    id: `${child.key}.${key.name} reversed`,
    ...names.reverse(reference),
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
function through(near: Reference, far: Reference, names: RelationNames, fieldOf: FieldOf): RelationDraft {
  const junction = near.child;
  const other = far.parent;
  return {
    id: `${junction.key}.${near.key.name} through ${far.key.name}`,
    ...names.through(near, far),
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

/**
 * Both ways through each table that does nothing but join two: its columns are those of two foreign
 * keys, and its key is all of them.
 */
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

import type { ForeignKey } from '../catalog/catalog.js';
import type { KeyEquality, RelationDescriptor } from '../descriptor/descriptor.js';
import { compareText } from '../compare-text.js';
import { pascal } from './names.js';
import { isConstrained, isUnique, type ScopedTable } from './scope.js';
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

/** The relations of a table. */
export interface TableRelations {
  /** Fields in GraphQL: forward, then reverse, then through junctions. */
  readonly fields: readonly RelationDraft[];
  /**
   * Relations that REST alone embeds: those of views in the place of tables, and those through
   * tables that may join two rows several times.
   */
  readonly embedded: readonly RelationDescriptor[];
}

/** The relations of every table, by table key. Source: decision 001. */
export function draftRelations(
  tables: readonly ScopedTable[],
  names: Pick<TypeNames, 'tables' | 'rules'>,
): ReadonlyMap<string, TableRelations> {
  const byKey = new Map(tables.map((table) => [table.key, table]));
  const fieldOf = (table: ScopedTable): string => names.tables.get(table.key)?.fields.list ?? table.key;
  const referencesOf = (keys: 'foreignKeys' | 'toViews'): readonly Reference[] =>
    tables.flatMap((child) =>
      child[keys].flatMap((key): readonly Reference[] => {
        const parent = byKey.get(typeKey(key.references));
        return parent === undefined ? [] : [{ child, parent, key }];
      }),
    );
  const [references, toViews] = [referencesOf('foreignKeys'), referencesOf('toViews')];
  const drafts = new Map<string, RelationDraft[]>(tables.map((table) => [table.key, []]));
  const add = (table: ScopedTable, draft: RelationDraft): void => {
    drafts.get(table.key)?.push(draft);
  };

  const called = names.rules.simple ? createSimpleNames(references) : createContractNames(references);
  for (const reference of references) add(reference.child, forward(reference, called, fieldOf));
  for (const reference of references) add(reference.parent, reverse(reference, called, fieldOf));
  const joins = new Set(pairs(references).filter(([near, far]) => isJunction(near, far)));
  for (const [near, far] of joins) add(near.parent, through(near, far, called, fieldOf));

  const embedded = new Map<string, RelationDescriptor[]>(tables.map((table) => [table.key, []]));
  const embed = (table: ScopedTable, { id, descriptor }: RelationDraft, other: ScopedTable): void => {
    // GraphQL has no such name, so that it meets no other.
    const ways =
      descriptor.onlyInPostgrest === true ? ` (${[...descriptor.columns, ...descriptor.references].join()})` : '';
    embedded.get(table.key)?.push({ name: `${id} to ${other.key}${ways}`, ...descriptor });
  };
  for (const reference of toViews) {
    const { child, parent } = reference;
    embed(child, forward(reference, called, fieldOf), parent);
    embed(parent, reverse(reference, called, fieldOf), child);
  }
  const taken = new Set([...joins].map(([near, far]) => pairId(near, far)));
  for (const [near, far] of pairs([...references, ...toViews.filter(({ key }) => key.isOther !== true)]))
    if (!taken.has(pairId(near, far)) && isWideJunction(near, far))
      embed(near.parent, through(near, far, called, fieldOf), far.parent);
  // A view's references come in the order of the catalogue.
  for (const list of embedded.values()) list.sort((a, b) => compareText(a.name, b.name));
  return new Map(tables.map(({ key }) => [key, { fields: drafts.get(key) ?? [], embedded: embedded.get(key) ?? [] }]));
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
      ...comparedBy(key),
      ...ownRows(reference),
      ...onlyInPostgrest(reference),
    },
  };
}

function reverse(reference: Reference, names: RelationNames, fieldOf: FieldOf): RelationDraft {
  const { child, key } = reference;
  const isOne = isUnique(child, key.columns);
  return {
    id: `${child.key}.${key.name} reversed`,
    ...names.reverse(reference),
    descriptor: {
      cardinality: isOne ? 'one' : 'many',
      ...(isOne && !isConstrained(child, key.columns) ? { isListInPostgrest: true } : {}),
      direction: 'reverse',
      table: fieldOf(child),
      constraint: key.name,
      columns: key.references.columns,
      references: key.columns,
      ...comparedBy(key),
      ...ownRows(reference),
      ...onlyInPostgrest(reference),
    },
  };
}

/** Seen from `near`'s parent: the rows of `far`'s parent that the junction table ties to it. */
function through(near: Reference, far: Reference, names: RelationNames, fieldOf: FieldOf): RelationDraft {
  const junction = near.child;
  const other = far.parent;
  return {
    id: `${junction.key}.${near.key.name} through ${far.key.name}`,
    ...nameThrough(near, far, names),
    descriptor: {
      cardinality: 'many',
      direction: 'through',
      table: fieldOf(other),
      constraint: far.key.name,
      columns: near.key.references.columns,
      references: far.key.references.columns,
      through: {
        table: fieldOf(junction),
        columns: near.key.columns,
        references: far.key.columns,
        ...comparedByBoth(near.key, far.key),
        ...nearOf(near),
      },
      ...ownRows(far),
    },
  };
}

/** A foreign key of the database refers to rows of the table itself. */
function ownRows({ parent: { facts }, key }: Reference): Pick<RelationDescriptor, 'own'> {
  const { schema, name, inherited } = facts;
  return inherited === true && key.isGiven !== true ? { own: { schema, name } } : {};
}

const onlyInPostgrest = ({ key }: Reference): Pick<RelationDescriptor, 'onlyInPostgrest'> =>
  key.isOther === true ? { onlyInPostgrest: true } : {};

function nearOf(reference: Reference): Pick<NonNullable<RelationDescriptor['through']>, 'near'> {
  const { own } = ownRows(reference);
  return own === undefined ? {} : { near: own };
}

const comparedBy = ({ equality }: ForeignKey): { readonly equality?: KeyEquality } =>
  equality === undefined ? {} : { equality };

function comparedByBoth(
  { equality: near }: ForeignKey,
  { equality: far }: ForeignKey,
): Pick<NonNullable<RelationDescriptor['through']>, 'equality'> {
  if (near === undefined && far === undefined) return {};
  return {
    equality: { ...(near === undefined ? {} : { columns: near }), ...(far === undefined ? {} : { references: far }) },
  };
}

/**
 * Names through a table with columns of its own never take the name of another field. One table may
 * lead from a table to another in several ways.
 */
function nameThrough(near: Reference, far: Reference, names: RelationNames): RelationName {
  const name = names.through(near, far);
  if (isBare(near, far)) return name;
  const last = name.suffixes.at(-1) ?? '';
  return { ...name, rank: 7, suffixes: [...name.suffixes, `${last}From${near.key.columns.map(pascal).join('')}`] };
}

/** Two foreign keys of a table, seen from the parent of the first. */
type Pair = readonly [near: Reference, far: Reference];

const pairId = (near: Reference, far: Reference): string =>
  JSON.stringify([near.child.key, near.key.name, near.parent.key, far.key.name, far.parent.key]);

/** Every two different foreign keys of a table, in both orders. */
function pairs(references: readonly Reference[]): readonly Pair[] {
  const byChild = new Map<string, Reference[]>();
  for (const reference of references) {
    const group = byChild.get(reference.child.key);
    if (group === undefined) byChild.set(reference.child.key, [reference]);
    else group.push(reference);
  }
  return [...byChild.values()].flatMap((group) =>
    group.flatMap((near) =>
      group.flatMap((far): readonly Pair[] => (near.key.name === far.key.name ? [] : [[near, far]])),
    ),
  );
}

/**
 * Whether a table joins rows of two others, each two of them once: the columns of two foreign keys
 * are unique together, and those of neither are alone. It may have further columns.
 */
function isJunction(near: Reference, far: Reference): boolean {
  const table = near.child;
  return !isView(table.facts) && joinsMany(near, far) && isUnique(table, columnsOf(near, far));
}

/** Whether the key of a table or a view contains the columns of both foreign keys. */
function isWideJunction(near: Reference, far: Reference): boolean {
  const table = near.child;
  const columns = columnsOf(near, far);
  const key = table.primaryKey?.columns ?? table.rowKey ?? [];
  return joinsMany(near, far) && (columns.every((name) => key.includes(name)) || isUnique(table, columns));
}

const joinsMany = (near: Reference, far: Reference): boolean =>
  !isUnique(near.child, near.key.columns) && !isUnique(near.child, far.key.columns);

const columnsOf = (near: Reference, far: Reference): readonly string[] => [...near.key.columns, ...far.key.columns];

/** Whether a junction table has no columns but those of its two foreign keys. */
const isBare = (near: Reference, far: Reference): boolean => {
  const columns = new Set(columnsOf(near, far));
  return columns.size === near.child.facts.columns.length && columns.size === columnsOf(near, far).length;
};

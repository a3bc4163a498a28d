import type { RelationDescriptor } from '../descriptor/descriptor.js';
import { aggregateField } from '../descriptor/names.js';
import { allocate, type Claim } from './allocate.js';
import { isLegalName, legalName, withSuffix } from './names.js';
import type { Rename } from './options.js';
import type { RelationDraft } from './relations.js';
import type { ComputedDraft } from './routines.js';
import type { ScopedTable } from './scope.js';
import { checkedName } from './type-names.js';

/** The field names of a table's object type. */
export interface FieldNames {
  /** By column. */
  readonly columns: ReadonlyMap<string, string>;
  /** By draft id: the name, and what it is without the configuration. */
  readonly relations: ReadonlyMap<string, { readonly name: string; readonly derived: string }>;
  readonly computed: ReadonlyMap<string, string>;
  /** Database names that did not get the name they asked for, each with the one it got. */
  readonly moved: readonly (readonly [string, string])[];
  /** Renames of things that are not there. */
  readonly unused: readonly string[];
}

/**
 * Names the fields of a table: a column keeps its name before a computed field does, and that before a relation.
 * @throws TablewrightError NAME_COLLISION, or CONFIG_INVALID for a new name that GraphQL does not allow.
 */
export function nameFields(
  table: ScopedTable,
  relations: readonly RelationDraft[],
  computed: readonly ComputedDraft[],
  rename: Rename | undefined,
): FieldNames {
  const columnClaims = table.columns.map((column) => columnClaim(table, column.name, rename));
  const computedClaims = computed.map((draft): Claim => ({
    id: draft.id,
    rank: 2,
    names: (suffix) => [withSuffix(draft.preferredName, suffix)],
  }));
  const derivedClaims = relations.map((draft) => relationClaim(draft));
  const derived = allocate([...columnClaims, ...computedClaims, ...derivedClaims]);
  const derivedName = (draft: RelationDraft): string =>
    withSuffix(draft.preferredName, derived.suffixes.get(draft.id) ?? '');

  const renamed = new Map(Object.entries(rename?.relations ?? {}));
  const finalClaims = relations.map((draft) => {
    const name = renamed.get(derivedName(draft));
    return name === undefined ? relationClaim(draft) : fixedRelation(table, draft, checkedName(name, table.key));
  });
  const final = renamed.size === 0 ? derived : allocate([...columnClaims, ...computedClaims, ...finalClaims]);
  const nameOf = (claim: Claim): string => claim.names(final.suffixes.get(claim.id) ?? '')[0] ?? '';

  const claims = [...columnClaims, ...computedClaims, ...finalClaims];
  const moved = new Set(final.moved);
  const isColumn = new Set(table.columns.map((column) => column.name));
  const isRelation = new Set(relations.map(derivedName));
  return {
    columns: new Map(table.columns.map((column, at) => [column.name, nameAt(columnClaims, at, nameOf)])),
    computed: new Map(computed.map((draft, at) => [draft.id, nameAt(computedClaims, at, nameOf)])),
    relations: new Map(
      relations.map((draft, at) => [draft.id, { name: nameAt(finalClaims, at, nameOf), derived: derivedName(draft) }]),
    ),
    moved: claims.filter((claim) => moved.has(claim.id)).map((claim) => [claim.id, nameOf(claim)]),
    unused: [
      ...Object.keys(rename?.columns ?? {}).filter((name) => !isColumn.has(name)),
      ...[...renamed.keys()].filter((name) => !isRelation.has(name)),
    ],
  };
}

/** The members of a set of names where only the names themselves may collide: enum labels, attributes, constraints. */
export function nameMembers(
  owner: string,
  members: readonly string[],
  rename: Readonly<Record<string, string>> | undefined,
  preferredName: (member: string) => string = legalName,
): readonly string[] {
  const claims = members.map((member): Claim => {
    const fixed = rename !== undefined && Object.hasOwn(rename, member) ? rename[member] : undefined;
    if (fixed === undefined) {
      const name = preferredName(member);
      return { id: member, rank: name === member ? 0 : 1, names: (suffix) => [withSuffix(name, suffix)] };
    }
    const name = checkedName(fixed, `${owner}.${member}`);
    return { id: member, rank: 0, names: () => [name], fixed: owner };
  });
  const { suffixes } = allocate(claims);
  return claims.map((claim) => claim.names(suffixes.get(claim.id) ?? '')[0] ?? claim.id);
}

function nameAt(claims: readonly Claim[], at: number, nameOf: (claim: Claim) => string): string {
  const claim = claims[at];
  return claim === undefined ? '' : nameOf(claim);
}

function columnClaim(table: ScopedTable, column: string, rename: Rename | undefined): Claim {
  const id = `${table.key}.${column}`;
  const columns = rename?.columns ?? {};
  const fixed = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (fixed !== undefined) {
    const name = checkedName(fixed, id);
    return { id, rank: 0, names: () => [name], fixed: table.key };
  }
  const name = legalName(column);
  return { id, rank: isLegalName(column) && name === column ? 0 : 1, names: (suffix) => [withSuffix(name, suffix)] };
}

function relationClaim(draft: RelationDraft): Claim {
  return {
    id: draft.id,
    rank: 3,
    suffixes: draft.suffixes,
    names: (suffix) => namesOf(draft.descriptor, withSuffix(draft.preferredName, suffix)),
  };
}

function fixedRelation(table: ScopedTable, draft: RelationDraft, name: string): Claim {
  return { id: draft.id, rank: 3, names: () => namesOf(draft.descriptor, name), fixed: table.key };
}

/** A list has its aggregate beside it. */
function namesOf(descriptor: Omit<RelationDescriptor, 'name'>, name: string): readonly string[] {
  return descriptor.cardinality === 'many' ? [name, aggregateField(name)] : [name];
}

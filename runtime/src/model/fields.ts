import type { RelationDescriptor } from '../descriptor/descriptor.js';
import { aggregateField } from '../descriptor/names.js';
import { allocate, type Claim, type MovedField } from './allocate.js';
import { isLegalName, legalName, withSuffix } from './names.js';
import { memberNames, memberSuffixes, type NamingRules } from './naming-rules.js';
import type { Rename } from '../descriptor/options.js';
import type { RelationDraft } from './relations.js';
import type { ComputedDraft } from './computed.js';
import type { ScopedTable } from './scope.js';
import { checkedName } from './type-names.js';

/** The field names of a table's object type. */
export interface FieldNames {
  /** By column. */
  readonly columns: ReadonlyMap<string, string>;
  /** By draft id: the name, and the name without the configuration. */
  readonly relations: ReadonlyMap<string, { readonly name: string; readonly derived: string }>;
  readonly computed: ReadonlyMap<string, string>;
  /** Ids that did not get their preferred name. */
  readonly moved: readonly MovedField[];
  /** Renames of things that are not there. */
  readonly unused: readonly string[];
}

/**
 * Names the fields of a table: a column keeps its name before a computed field of the row alone
 * does, that before a relation, and that before a computed field with arguments.
 * @throws TablewrightError NAME_COLLISION, or CONFIG_INVALID for a new name that GraphQL does not
 * allow.
 */
export function nameFields(
  table: ScopedTable,
  relations: readonly RelationDraft[],
  computed: readonly ComputedDraft[],
  rename: Rename | undefined,
  rules: NamingRules,
): FieldNames {
  const columnClaims = table.columns.map((column) => columnClaim(table, column.name, rename, rules));
  const computedClaims = computed.map((draft): Claim => ({
    id: draft.id,
    rank: draft.suffixes.length === 0 ? 2 : 6,
    suffixes: [...draft.suffixes, ...memberSuffixes(draft.databaseName, rules)],
    names: (suffix) => memberNames(draft.databaseName, rules, suffix),
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

  const moved = new Set(final.moved);
  const movedOf = (claim: Claim, entry: MovedField['entry']): readonly MovedField[] =>
    moved.has(claim.id) ? [{ id: claim.id, name: nameOf(claim), contested: final.contested.get(claim.id), entry }] : [];
  const isColumn = new Set(table.columns.map((column) => column.name));
  const isRelation = new Set(relations.map(derivedName));
  return {
    columns: new Map(table.columns.map((column, at) => [column.name, nameAt(columnClaims, at, nameOf)])),
    computed: new Map(computed.map((draft, at) => [draft.id, nameAt(computedClaims, at, nameOf)])),
    relations: new Map(
      relations.map((draft, at) => [draft.id, { name: nameAt(finalClaims, at, nameOf), derived: derivedName(draft) }]),
    ),
    moved: [
      ...columnClaims.flatMap((claim, at) => movedOf(claim, { option: 'columns', key: table.columns[at]?.name ?? '' })),
      ...computedClaims.flatMap((claim) => movedOf(claim, undefined)),
      ...finalClaims.flatMap((claim) => movedOf(claim, { option: 'relations', key: nameOf(claim) })),
    ],
    unused: [
      ...Object.keys(rename?.columns ?? {}).filter((name) => !isColumn.has(name)),
      ...[...renamed.keys()].filter((name) => !isRelation.has(name)),
    ],
  };
}

/**
 * The members of a set of names where only the names themselves may collide: enum labels,
 * attributes, constraints.
 */
export function nameMembers(
  owner: string,
  members: readonly string[],
  rename: Readonly<Record<string, string>> | undefined,
  nameOf: (member: string, suffix: string) => readonly string[] = (member, suffix) => [
    withSuffix(legalName(member), suffix),
  ],
  suffixes: (member: string) => readonly string[] = () => [],
): readonly string[] {
  const claims = members.map((member): Claim => {
    const fixed = rename !== undefined && Object.hasOwn(rename, member) ? rename[member] : undefined;
    if (fixed === undefined) {
      return {
        id: member,
        rank: nameOf(member, '')[0] === member ? 0 : 1,
        suffixes: suffixes(member),
        names: (suffix) => nameOf(member, suffix),
      };
    }
    const name = checkedName(fixed, `${owner}.${member}`);
    return { id: member, rank: 0, names: () => [name], fixed: owner };
  });
  const allocated = allocate(claims).suffixes;
  return claims.map((claim) => claim.names(allocated.get(claim.id) ?? '')[0] ?? claim.id);
}

function nameAt(claims: readonly Claim[], at: number, nameOf: (claim: Claim) => string): string {
  const claim = claims[at];
  return claim === undefined ? '' : nameOf(claim);
}

function columnClaim(table: ScopedTable, column: string, rename: Rename | undefined, rules: NamingRules): Claim {
  const id = `${table.key}.${column}`;
  const columns = rename?.columns ?? {};
  const fixed = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (fixed !== undefined) {
    const name = checkedName(fixed, id);
    return { id, rank: 0, names: () => [name], fixed: table.key };
  }
  const [name] = memberNames(column, rules, '');
  return {
    id,
    rank: isLegalName(column) && name === column ? 0 : 1,
    suffixes: memberSuffixes(column, rules),
    names: (suffix) => memberNames(column, rules, suffix),
  };
}

function relationClaim(draft: RelationDraft): Claim {
  return {
    id: draft.id,
    rank: draft.rank,
    suffixes: draft.suffixes,
    names: (suffix) => namesOf(draft.descriptor, withSuffix(draft.preferredName, suffix)),
  };
}

function fixedRelation(table: ScopedTable, draft: RelationDraft, name: string): Claim {
  return { id: draft.id, rank: draft.rank, names: () => namesOf(draft.descriptor, name), fixed: table.key };
}

/** A list has its aggregate beside it. */
function namesOf(descriptor: Omit<RelationDescriptor, 'name'>, name: string): readonly string[] {
  return descriptor.cardinality === 'many' ? [name, aggregateField(name)] : [name];
}

import type { Catalog } from '../catalog/catalog.js';
import { operations, rootFields, type Operation } from '../descriptor/names.js';
import { TablewrightError } from '../tablewright-error.js';
import { allocate, type Claim, type Contested } from './allocate.js';
import { compareText } from '../compare-text.js';
import { isCanonical, isLegalName, uncapitalise } from './names.js';
import { fieldNameOf, namingRules, schemaSuffixes, typeNameOf, type NamingRules } from './naming-rules.js';
import type { ModelOptions, Rename } from '../descriptor/options.js';
import { derivedOf, relayNames, reservedFields, reservedTypes } from './reserved.js';
import type { ScopedTable } from './scope.js';
import { typeKey } from './types.js';

export interface TableNames {
  readonly type: string;
  readonly fields: Readonly<Record<Operation, string>>;
}

/** The GraphQL names of everything that has a type of its own, by `schema.name`. */
export interface TypeNames {
  readonly tables: ReadonlyMap<string, TableNames>;
  readonly enums: ReadonlyMap<string, string>;
  readonly composites: ReadonlyMap<string, string>;
  /** Type names that are the server's own. */
  readonly reserved: ReadonlySet<string>;
  /** Every type name in use. */
  readonly taken: ReadonlySet<string>;
  /** Database names that did not get the name they asked for. */
  readonly moved: readonly string[];
  /**
   * Of those: the name, as `type:…` or with its root field's operation, and who else asked for it.
   */
  readonly contested: ReadonlyMap<string, Contested>;
  /** The rules that the names of everything else follow as well. */
  readonly rules: NamingRules;
}

/** What follows a table's type name in the names of its other types. Source: decision 001. */
const tableTypes = [
  '',
  'WhereInput',
  'OrderByInput',
  'RelationFilterInput',
  'Resolver',
  'Column',
  'Change',
  'Connection',
  'Edge',
  'Aggregate',
  'AggregateDistinct',
  'AggregateSums',
  'AggregateExtremes',
  'AggregateDeviations',
  'AggregateKey',
  'AggregateGroup',
  'HavingInput',
  'HavingDistinctInput',
  'HavingSumsInput',
  'HavingExtremesInput',
  'HavingDeviationsInput',
  'CreateInput',
  'UpdateInput',
  'IncInput',
  'Constraint',
  'OnConflictInput',
  'UpdateColumn',
  'NestedCreateInput',
  'NestedCreateManyInput',
  'KeyInput',
  'ConnectOrCreateInput',
  'NestedUpdateInput',
  'NestedUpsertInput',
  'NestedUpsertManyInput',
  'Change',
] as const;

interface Nameable {
  readonly key: string;
  readonly kind: 'table' | 'enum' | 'composite';
  readonly schema: string;
  readonly name: string;
}

/**
 * Names the types of tables, enums and composites, and the root fields of tables.
 * @throws TablewrightError NAME_COLLISION, or CONFIG_INVALID for a new name that GraphQL does not
 * allow.
 */
export function nameTypes(
  catalog: Catalog,
  tables: readonly ScopedTable[],
  options: ModelOptions,
  vocabulary: readonly string[],
): TypeNames {
  const reserved = reservedTypes(vocabulary, options);
  const rules = namingRules(options, tables);
  const nameables: readonly Nameable[] = [
    ...tables.map(({ key, facts }) => ({ key, kind: 'table' as const, schema: facts.schema, name: facts.name })),
    ...catalog.enums.map((each) => ({
      key: typeKey(each),
      kind: 'enum' as const,
      schema: each.schema,
      name: each.name,
    })),
    ...catalog.composites.map((each) => ({
      key: typeKey(each),
      kind: 'composite' as const,
      schema: each.schema,
      name: each.name,
    })),
  ].sort((a, b) => compareText(a.key, b.key));
  const renames = options.rename ?? {};
  const claims = nameables.map((nameable) => claimOf(nameable, renames[nameable.key], rules));
  const { suffixes, moved, contested } = allocate(
    claims,
    new Set([
      ...[...reserved].map((name) => `type:${name}`),
      ...[...reservedFields, ...relayNames(options).fields].map((name) => `query:${name}`),
    ]),
  );
  const suffixOf = (nameable: Nameable): string => suffixes.get(nameable.key) ?? '';
  const typesOf = (kind: Nameable['kind']): ReadonlyMap<string, string> =>
    new Map(
      nameables
        .filter((nameable) => nameable.kind === kind)
        .map((nameable) => [nameable.key, typeName(nameable, renames[nameable.key], rules, suffixOf(nameable))]),
    );
  return {
    reserved,
    tables: new Map(
      nameables
        .filter((nameable) => nameable.kind === 'table')
        .map((nameable) => [nameable.key, tableNames(nameable, renames[nameable.key], rules, suffixOf(nameable))]),
    ),
    enums: typesOf('enum'),
    composites: typesOf('composite'),
    taken: new Set(
      claims.flatMap((claim) =>
        claim
          .names(suffixes.get(claim.id) ?? '')
          .filter((name) => name.startsWith('type:'))
          .map((name) => name.slice('type:'.length)),
      ),
    ),
    moved,
    contested,
    rules,
  };
}

/** @throws TablewrightError CONFIG_INVALID unless GraphQL allows the name. */
export function checkedName(name: string, entry: string): string {
  if (isLegalName(name)) return name;
  throw new TablewrightError(
    'CONFIG_INVALID',
    `The configuration renames ${entry} to ${JSON.stringify(name)}, which GraphQL does not allow as a name.`,
    'Use letters, digits and underscores, beginning with a letter; two underscores in front are reserved.',
  );
}

function claimOf(nameable: Nameable, rename: Rename | undefined, rules: NamingRules): Claim {
  const type = typeName(nameable, rename, rules, '');
  const longer = type.length / 1000;
  const kinds = { table: 0, enum: 2, composite: 4 };
  return {
    id: nameable.key,
    // A type of a table's own goes before one derived from a shorter name: `issues_connection`
    // moves, `issues` stays.
    rank: kinds[nameable.kind] + (isCanonical(nameable.name) && isCanonical(nameable.schema) ? 0 : 1) + longer,
    suffixes: schemaSuffixes(rules),
    names: (suffix) => namesOf(nameable, rename, rules, suffix),
    ...(rename?.name === undefined ? {} : { fixed: nameable.key }),
    ...(rename?.field === undefined ? {} : { keeps: keptBy(nameable, rename, rules) }),
  };
}

/** The root fields that `rename` names apart from their type, whose suffix does not change them. */
function keptBy(nameable: Nameable, rename: Rename, rules: NamingRules): (name: string) => boolean {
  const others = new Set(namesOf(nameable, rename, rules, '_'));
  return (name) => others.has(name);
}

function namesOf(
  nameable: Nameable,
  rename: Rename | undefined,
  rules: NamingRules,
  suffix: string,
): readonly string[] {
  const type = typeName(nameable, rename, rules, suffix);
  if (nameable.kind === 'table') {
    const { fields } = tableNames(nameable, rename, rules, suffix);
    const roots = operations.map((operation) => `${rootOf(operation)}:${fields[operation]}`);
    return [...tableTypes.map((tail) => `type:${type}${tail}`), ...roots];
  }
  const own = nameable.kind === 'composite' ? [type, `${type}Input`] : [type];
  return [...own, ...derivedOf(type)].map((name) => `type:${name}`);
}

function typeName(nameable: Nameable, rename: Rename | undefined, rules: NamingRules, suffix: string): string {
  if (rename?.name !== undefined) return checkedName(rename.name, nameable.key);
  return typeNameOf(nameable, rules, suffix);
}

function tableNames(nameable: Nameable, rename: Rename | undefined, rules: NamingRules, suffix: string): TableNames {
  const type = typeName(nameable, rename, rules, suffix);
  const derived = rename?.name === undefined ? fieldNameOf(nameable, rules, suffix) : uncapitalise(type);
  const list = rename?.field === undefined ? derived : checkedName(rename.field, nameable.key);
  return { type, fields: rootFields({ field: list, type }) };
}

function rootOf(operation: Operation): 'query' | 'mutation' | 'subscription' {
  switch (operation) {
    case 'list':
    case 'byPk':
    case 'connection':
    case 'aggregate':
      return 'query';
    case 'changes':
      return 'subscription';
    default:
      return 'mutation';
  }
}

import type { Catalog } from '../catalog/catalog.js';
import { TablewrightError } from '../errors.js';
import { allocate, type Claim } from './allocate.js';
import {
  compareText,
  isCanonical,
  isLegalName,
  legalStart,
  lowerCamel,
  pascal,
  uncapitalise,
  withSuffix,
} from './names.js';
import { operations, type ModelOptions, type Operation, type Rename } from './options.js';
import { derivedOf, reservedTypes } from './reserved.js';
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
  /** Every type name in use. */
  readonly taken: ReadonlySet<string>;
  /** Database names that did not get the name they asked for. */
  readonly moved: readonly string[];
}

/** What follows a table's type name in the names of its other types. Source: decisions 1. */
const tableTypes = [
  '',
  'WhereInput',
  'OrderByInput',
  'RelationFilterInput',
  'Resolver',
  'Column',
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
  'Change',
] as const;

interface Wish {
  readonly key: string;
  readonly kind: 'table' | 'enum' | 'composite';
  readonly schema: string;
  readonly name: string;
}

/**
 * Names the types of tables, enums and composites, and the root fields of tables.
 * @throws TablewrightError NAME_COLLISION, or CONFIG_INVALID for a new name that GraphQL does not allow.
 */
export function nameTypes(catalog: Catalog, tables: readonly ScopedTable[], options: ModelOptions): TypeNames {
  const wishes: readonly Wish[] = [
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
  const claims = wishes.map((wish) => claimOf(wish, renames[wish.key]));
  const { suffixes, moved } = allocate(claims, new Set([...reservedTypes].map((name) => `type:${name}`)));
  const suffixOf = (wish: Wish): string => suffixes.get(wish.key) ?? '';
  const typesOf = (kind: Wish['kind']): ReadonlyMap<string, string> =>
    new Map(
      wishes
        .filter((wish) => wish.kind === kind)
        .map((wish) => [wish.key, typeName(wish, renames[wish.key], suffixOf(wish))]),
    );
  return {
    tables: new Map(
      wishes
        .filter((wish) => wish.kind === 'table')
        .map((wish) => [wish.key, tableNames(wish, renames[wish.key], suffixOf(wish))]),
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

function claimOf(wish: Wish, rename: Rename | undefined): Claim {
  const type = typeName(wish, rename, '');
  const longer = type.length / 1000;
  const kinds = { table: 0, enum: 2, composite: 4 };
  return {
    id: wish.key,
    // A type of a table's own goes before one derived from a shorter name: `issues_connection` moves, `issues` stays.
    rank: kinds[wish.kind] + (isCanonical(wish.name) && isCanonical(wish.schema) ? 0 : 1) + longer,
    names: (suffix) => namesOf(wish, rename, suffix),
    ...(rename?.name === undefined ? {} : { fixed: wish.key }),
  };
}

function namesOf(wish: Wish, rename: Rename | undefined, suffix: string): readonly string[] {
  const type = typeName(wish, rename, suffix);
  if (wish.kind === 'table') {
    const { fields } = tableNames(wish, rename, suffix);
    const roots = operations.map((operation) => `${rootOf(operation)}:${fields[operation]}`);
    return [...tableTypes.map((tail) => `type:${type}${tail}`), ...roots];
  }
  const own = wish.kind === 'composite' ? [type, `${type}Input`] : [type];
  return [...own, ...derivedOf(type)].map((name) => `type:${name}`);
}

function typeName(wish: Wish, rename: Rename | undefined, suffix: string): string {
  if (rename?.name !== undefined) return checkedName(rename.name, wish.key);
  return withSuffix(legalStart(pascal(wish.schema) + pascal(wish.name)), suffix);
}

function tableNames(wish: Wish, rename: Rename | undefined, suffix: string): TableNames {
  const type = typeName(wish, rename, suffix);
  const derived =
    rename?.name === undefined
      ? withSuffix(legalStart(lowerCamel(wish.schema) + pascal(wish.name)), suffix)
      : uncapitalise(type);
  const list = rename?.field === undefined ? derived : checkedName(rename.field, wish.key);
  const fields: TableNames['fields'] = {
    list,
    byPk: `${list}ByPk`,
    connection: `${list}Connection`,
    aggregate: `${list}Aggregate`,
    changes: `${list}Changes`,
    create: `create${type}`,
    createMany: `createMany${type}`,
    update: `update${type}`,
    delete: `delete${type}`,
  };
  return { type, fields };
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

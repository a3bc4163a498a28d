import type { Catalog, DomainType, TypeRef } from '../catalog/catalog.js';
import type { ColumnType } from '../descriptor/descriptor.js';

/** The GraphQL names of enums and composites, by `schema.name`. */
export interface NamedTypes {
  readonly enums: ReadonlyMap<string, string>;
  readonly composites: ReadonlyMap<string, string>;
}

export type TypeResolver = (reference: TypeRef) => ColumnType;

/** The inputs of a model beside the catalogue. */
export interface ModelDialect {
  /** Maps types of the catalogue to types of the server. */
  readonly columnTypes: (catalog: Catalog, names: NamedTypes) => TypeResolver;
  /** The names that generated descriptors are written with, which no generated class may have. */
  readonly vocabulary: readonly string[];
  /** The operators that it has, by their ids: filter inputs have no others. */
  readonly operators: ReadonlySet<string>;
  /**
   * Whether PostgREST's form calls functions that the configuration does not list, because the
   * database decides for each caller: decisions 029 and 035.
   */
  readonly callsUnlisted: boolean;
  /**
   * Whether an argument of a stored function can hold each value of a column, for computed fields
   * of columns. Absent: functions take rows, and are computed fields without configuration.
   */
  readonly fitsArgument?: (column: TypeRef, argument: TypeRef, catalog: Catalog, resolve: TypeResolver) => boolean;
  /** Types that a configuration gives to columns. Absent: the database has all types itself. */
  readonly given?: {
    /** The types of the database that an entry may name. */
    readonly named: readonly string[];
    /**
     * The type of a column that is given another one; undefined where the column cannot hold its
     * values.
     * @param isNamed whether an entry names this column alone
     */
    readonly typeAs: (type: TypeRef, as: 'boolean' | 'json', isNamed: boolean) => TypeRef | undefined;
  };
  /**
   * The type that a configuration names, as `decimal(12,2)`, for columns of procedures' result
   * sets. Absent: procedures have none.
   */
  readonly typeNamed?: (text: string) => TypeRef | undefined;
}

export const typeKey = (type: { readonly schema: string; readonly name: string }): string =>
  `${type.schema}.${type.name}`;

/** The domain that a column is of, undefined for other types and for arrays of domains. */
export const domainOf = (catalog: Catalog, { kind, array, schema, name }: TypeRef): DomainType | undefined =>
  kind === 'domain' && !array
    ? catalog.domains.find((each) => each.schema === schema && each.name === name)
    : undefined;

/** Follows a domain to whether any layer of it refuses null or supplies a default. */
export function domainFacts(
  catalog: Catalog,
  reference: TypeRef,
): { readonly notNull: boolean; readonly hasDefault: boolean } {
  const domain = domainOf(catalog, reference);
  if (domain === undefined) return { notNull: false, hasDefault: false };
  const below = domainFacts(catalog, domain.base);
  return { notNull: domain.notNull || below.notNull, hasDefault: domain.default !== null || below.hasDefault };
}

import type { Catalog, RangeType, TypeRef } from '../catalog/catalog.js';
import type { ColumnType } from '../../templates/runtime/descriptor.js';
import * as vocabulary from '../../templates/runtime/types.js';

/** The GraphQL names of enums and composites, by `schema.name`. */
export interface NamedTypes {
  readonly enums: ReadonlyMap<string, string>;
  readonly composites: ReadonlyMap<string, string>;
}

export type TypeResolver = (reference: TypeRef) => ColumnType;

const builtins: ReadonlyMap<string, ColumnType> = new Map(
  [
    vocabulary.int2,
    vocabulary.int4,
    vocabulary.int8,
    vocabulary.numeric,
    vocabulary.money,
    vocabulary.float4,
    vocabulary.float8,
    vocabulary.bool,
    vocabulary.text,
    vocabulary.varchar,
    vocabulary.bpchar,
    vocabulary.name,
    vocabulary.uuid,
    vocabulary.date,
    vocabulary.time,
    vocabulary.timetz,
    vocabulary.timestamp,
    vocabulary.timestamptz,
    vocabulary.interval,
    vocabulary.json,
    vocabulary.jsonb,
    vocabulary.bytea,
    vocabulary.tsvector,
  ].map((type) => [type.sql.name, type]),
);

/** https://www.postgresql.org/docs/current/rangetypes.html#RANGETYPES-BUILTIN */
const builtinRanges: ReadonlyMap<string, ColumnType> = new Map([
  ['int4range', vocabulary.int4],
  ['int8range', vocabulary.int8],
  ['numrange', vocabulary.numeric],
  ['tsrange', vocabulary.timestamp],
  ['tstzrange', vocabulary.timestamptz],
  ['daterange', vocabulary.date],
]);

export const typeKey = (type: { readonly schema: string; readonly name: string }): string =>
  `${type.schema}.${type.name}`;

/**
 * What a column of a type can do, and what its parameters are cast to. Domains count as their base type, except below an array:
 * PostgreSQL compares `domain[]` with nothing but `domain[]`.
 * Source: decisions 2.
 */
export function createTypeResolver(catalog: Catalog, names: NamedTypes): TypeResolver {
  const domains = new Map(catalog.domains.map((domain) => [typeKey(domain), domain.base]));
  const ranges = new Map(catalog.ranges.map((range) => [typeKey(range), range]));
  const vectorSchemas = extensionSchemas(catalog, 'vector');
  const citextSchemas = extensionSchemas(catalog, 'citext');

  const resolve = (reference: TypeRef): ColumnType => {
    const item = resolveItem(reference);
    if (!reference.array) return item;
    if (reference.kind !== 'domain') return vocabulary.arrayOf(item);
    return { kind: 'array', sql: { schema: reference.schema, name: reference.name, array: true }, element: item };
  };

  const resolveItem = (reference: TypeRef): ColumnType => {
    const key = typeKey(reference);
    const base = domains.get(key);
    if (base !== undefined) return resolve(base);
    const enumName = names.enums.get(key);
    if (enumName !== undefined) return vocabulary.enumOf(enumName, reference.schema, reference.name);
    const composite = names.composites.get(key);
    if (composite !== undefined) return vocabulary.compositeOf(composite, reference.schema, reference.name);
    if (reference.kind === 'range') return resolveRange(reference, ranges.get(key));
    return resolveBase(reference);
  };

  const resolveRange = (reference: TypeRef, range: RangeType | undefined): ColumnType => {
    if (reference.schema === 'pg_catalog') {
      const subtype = builtinRanges.get(reference.name);
      if (subtype !== undefined) return vocabulary.rangeOf(subtype, reference.name);
    }
    if (range === undefined) return otherType(reference);
    return vocabulary.rangeOf(resolve(range.subtype), reference.name, reference.schema);
  };

  const resolveBase = (reference: TypeRef): ColumnType => {
    if (reference.schema === 'pg_catalog') return builtins.get(reference.name) ?? otherType(reference);
    if (reference.name === 'vector' && vectorSchemas.has(reference.schema)) {
      return vocabulary.vector(reference.schema, dimensionOf(reference));
    }
    if (reference.name === 'citext' && citextSchemas.has(reference.schema)) {
      return vocabulary.textLike(reference.schema, reference.name);
    }
    return otherType(reference);
  };

  return resolve;
}

/** Follows a domain to whether any layer of it refuses null or supplies a default. */
export function domainFacts(
  catalog: Catalog,
  reference: TypeRef,
): { readonly notNull: boolean; readonly hasDefault: boolean } {
  const domain =
    reference.kind === 'domain' && !reference.array
      ? catalog.domains.find((each) => each.schema === reference.schema && each.name === reference.name)
      : undefined;
  if (domain === undefined) return { notNull: false, hasDefault: false };
  const below = domainFacts(catalog, domain.base);
  return { notNull: domain.notNull || below.notNull, hasDefault: domain.default !== null || below.hasDefault };
}

function extensionSchemas(catalog: Catalog, name: string): ReadonlySet<string> {
  return new Set(catalog.extensions.filter((each) => each.name === name).map((each) => each.schema));
}

function dimensionOf(reference: TypeRef): number | undefined {
  return reference.modifier !== null && reference.modifier > 0 ? reference.modifier : undefined;
}

function otherType(reference: TypeRef): ColumnType {
  return reference.schema === 'pg_catalog'
    ? vocabulary.other(reference.name)
    : vocabulary.other(reference.name, reference.schema);
}

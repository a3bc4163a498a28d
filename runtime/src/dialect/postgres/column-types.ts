import type { Catalog, RangeType, TypeRef } from '../../catalog/catalog.js';
import type { ColumnType } from '../../descriptor/descriptor.js';
import { typeKey, type NamedTypes, type TypeResolver } from '../../model/types.js';
import * as types from './types.js';

const builtins: ReadonlyMap<string, ColumnType> = new Map(
  [
    types.int2,
    types.int4,
    types.int8,
    types.numeric,
    types.money,
    types.float4,
    types.float8,
    types.bool,
    types.text,
    types.varchar,
    types.bpchar,
    types.name,
    types.uuid,
    types.date,
    types.time,
    types.timetz,
    types.timestamp,
    types.timestamptz,
    types.interval,
    types.json,
    types.jsonb,
    types.bytea,
    types.tsvector,
  ].map((type) => [type.sql.name, type]),
);

/** https://www.postgresql.org/docs/current/rangetypes.html#RANGETYPES-BUILTIN */
const builtinRanges: ReadonlyMap<string, ColumnType> = new Map([
  ['int4range', types.int4],
  ['int8range', types.int8],
  ['numrange', types.numeric],
  ['tsrange', types.timestamp],
  ['tstzrange', types.timestamptz],
  ['daterange', types.date],
]);

/**
 * The abilities of a column's type, and the cast of its parameters. Domains count as their base
 * type, except below an array: PostgreSQL compares `domain[]` with nothing but `domain[]`.
 * Source: decision 002.
 */
export function columnTypes(catalog: Catalog, names: NamedTypes): TypeResolver {
  const domains = new Map(catalog.domains.map((domain) => [typeKey(domain), domain.base]));
  const ranges = new Map(catalog.ranges.map((range) => [typeKey(range), range]));
  const vectorSchemas = extensionSchemas(catalog, 'vector');
  const citextSchemas = extensionSchemas(catalog, 'citext');

  const resolve = (reference: TypeRef): ColumnType => {
    const item = resolveItem(reference);
    if (!reference.array) return item;
    if (reference.kind !== 'domain') return types.arrayOf(item);
    return { kind: 'array', sql: { schema: reference.schema, name: reference.name, array: true }, element: item };
  };

  const resolveItem = (reference: TypeRef): ColumnType => {
    const key = typeKey(reference);
    const base = domains.get(key);
    if (base !== undefined) return resolve(base);
    const enumName = names.enums.get(key);
    if (enumName !== undefined) return types.enumOf(enumName, reference.schema, reference.name);
    const composite = names.composites.get(key);
    if (composite !== undefined) return types.compositeOf(composite, reference.schema, reference.name);
    if (reference.kind === 'range') return resolveRange(reference, ranges.get(key));
    return resolveBase(reference);
  };

  const resolveRange = (reference: TypeRef, range: RangeType | undefined): ColumnType => {
    if (reference.schema === 'pg_catalog') {
      const subtype = builtinRanges.get(reference.name);
      if (subtype !== undefined) return types.rangeOf(subtype, reference.name);
    }
    if (range === undefined) return otherType(reference);
    return types.rangeOf(resolve(range.subtype), reference.name, reference.schema);
  };

  const resolveBase = (reference: TypeRef): ColumnType => {
    if (reference.schema === 'pg_catalog') return builtins.get(reference.name) ?? otherType(reference);
    const { schema, name, operators } = reference;
    // The type of an extension may have been moved; its operators are still the extension's.
    const extension = operators ?? schema;
    if (name === 'vector' && vectorSchemas.has(extension)) {
      return types.vector(schema, dimensionOf(reference), operators);
    }
    if (name === 'citext' && citextSchemas.has(extension)) return types.textLike(schema, name, operators);
    return otherType(reference);
  };

  return resolve;
}

function extensionSchemas(catalog: Catalog, name: string): ReadonlySet<string> {
  return new Set(catalog.extensions.filter((each) => each.name === name).map((each) => each.schema));
}

function dimensionOf(reference: TypeRef): number | undefined {
  return reference.modifier !== null && reference.modifier > 0 ? reference.modifier : undefined;
}

function otherType(reference: TypeRef): ColumnType {
  return reference.schema === 'pg_catalog'
    ? types.other(reference.name)
    : types.other(reference.name, reference.schema, reference.operators);
}

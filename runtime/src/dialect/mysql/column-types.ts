import type { Catalog, TypeRef } from '../../catalog/catalog.js';
import type { ColumnType } from '../../descriptor/descriptor.js';
import { typeKey, type NamedTypes, type TypeResolver } from '../../model/types.js';
import { builtinSchema, typeReference } from './catalog/type-reference.js';
import * as types from './types.js';

/**
 * Types by their names in the catalogue. `tinyint(1)` is a number: MySQL stores 2 in it, too.
 * Source: decision 002.
 */
const builtins: ReadonlyMap<string, ColumnType> = new Map(
  Object.values(types).flatMap((type) => (typeof type === 'object' ? [[type.sql.name, type] as const] : [])),
);

const zerofill = ' zerofill';

/**
 * Whether a decimal type has more digits before its point than `decimal(65,30)`, the cast of other
 * decimal parameters. Then its digits are part of its name.
 */
function isWide({ name, formatted }: TypeRef): boolean {
  const [, digits, fraction] = /\((\d+),(\d+)\)/.exec(formatted) ?? [];
  return name.startsWith('decimal') && digits !== undefined && Number(digits) - Number(fraction) > 35;
}

/** The abilities of a column's type. Any other type is read and written in its text form. */
export function columnTypes(_catalog: Catalog, names: NamedTypes): TypeResolver {
  return (reference: TypeRef): ColumnType => {
    const key = reference.kind === 'enum' ? names.enums.get(typeKey(reference)) : undefined;
    if (key !== undefined) return reference.array ? types.setOf(key) : types.enumOf(key);
    const { name } = reference;
    const plain = builtins.get(name.replace(zerofill, ''));
    if (plain === undefined) return types.other(name);
    if (name.endsWith(zerofill)) return { ...plain, sql: { name } };
    if (reference.searchable === true && plain.kind === 'text') return types.searchable(plain);
    return isWide(reference) ? { ...plain, sql: { name: reference.formatted } } : plain;
  };
}

const typeForm = /^([a-z]+)(\(\d+(,\d+)?\))?( unsigned)?( zerofill)?$/;

/** `decimal(12, 2)` → the type. Undefined for an ENUM or a SET, a type of its column alone. */
export function typeNamed(text: string): TypeRef | undefined {
  const written = text
    .trim()
    .toLowerCase()
    .replace(/\s*([(,)])\s*/g, '$1')
    .replace(/\)(?=\w)/, ') ');
  const family = typeForm.exec(written)?.[1];
  if (family === undefined || !(builtins.has(family) || family === 'bit')) return undefined;
  return typeReference(
    { data_type: family, column_type: written },
    { schema: builtinSchema, name: family },
    family === 'json',
  );
}

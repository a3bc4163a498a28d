import type { Catalog, TypeRef } from '../../catalog/catalog.js';
import type { ColumnType } from '../../descriptor/descriptor.js';
import { typeKey, type TypeResolver } from '../../model/types.js';

/** Kinds of numbers, in the order of what they can hold. */
const numbers: readonly ColumnType['kind'][] = ['boolean', 'int', 'bigint', 'numeric', 'float'];
const integers: readonly string[] = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];
const texts: ReadonlySet<ColumnType['kind']> = new Set([
  'text',
  'enum',
  'array',
  'uuid',
  'json',
  'date',
  'time',
  'timestamp',
]);

/**
 * Whether an argument can hold each value of a column: otherwise the database would round a value,
 * or refuse a row when it is read. Lengths of texts and digits of decimals are not compared.
 * Source: decision 035
 */
export function fitsArgument(from: TypeRef, to: TypeRef, catalog: Catalog, resolve: TypeResolver): boolean {
  const [column, argument] = [resolve(from), resolve(to)];
  if (from.formatted === to.formatted) return true;
  const [size, most] = [numbers.indexOf(column.kind), numbers.indexOf(argument.kind)];
  if (size !== -1 && most !== -1)
    return size <= most && (argument.kind === 'numeric' || argument.kind === 'float' || holdsInteger(from, to));
  if (argument.kind === 'text') return texts.has(column.kind);
  if (argument.kind === 'timestamp') return column.kind === 'date' || column.kind === 'timestamp';
  if (column.kind !== argument.kind) return false;
  if (from.kind !== 'enum') return from.name === to.name || column.kind === 'bytes' || column.kind === 'time';
  const labels = labelsOf(to, catalog);
  return labelsOf(from, catalog).every((label) => labels.includes(label));
}

/** An unsigned argument has no negative numbers, and an unsigned column needs a larger argument. */
function holdsInteger(from: TypeRef, to: TypeRef): boolean {
  const size = ({ name }: TypeRef): number => integers.indexOf(name.split(' ')[0] ?? '');
  const isUnsigned = ({ name }: TypeRef): boolean => name.includes(' unsigned');
  if (isUnsigned(from) === isUnsigned(to)) return size(from) <= size(to);
  return isUnsigned(from) && size(from) < size(to);
}

const labelsOf = (type: TypeRef, { enums }: Catalog): readonly string[] =>
  enums.find((each) => typeKey(each) === typeKey(type))?.labels ?? [];

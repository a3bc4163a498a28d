import type { ColumnType, Kind } from '../../descriptor/descriptor.js';

/**
 * The types that descriptors of MySQL-style tables use: `{ name: 'title', type: tw.mysql.varchar
 * }`. Each name is the type of that name; `unsigned` is a prefix here and a suffix in the database.
 */
const builtin = (kind: Kind, name: string): ColumnType => ({ kind, sql: { name } });

export const tinyint = builtin('int', 'tinyint');
export const unsignedTinyint = builtin('int', 'tinyint unsigned');
export const smallint = builtin('int', 'smallint');
export const unsignedSmallint = builtin('int', 'smallint unsigned');
export const mediumint = builtin('int', 'mediumint');
export const unsignedMediumint = builtin('int', 'mediumint unsigned');
export const int = builtin('int', 'int');
/** Larger than GraphQL's Int. */
export const unsignedInt = builtin('bigint', 'int unsigned');
export const bigint = builtin('bigint', 'bigint');
export const unsignedBigint = builtin('bigint', 'bigint unsigned');
export const year = builtin('int', 'year');
/**
 * Where the configuration says that a number is a truth value: 0 is false, every other number is
 * true. Source: MariaDB manual, "BOOLEAN".
 */
export const bool = builtin('boolean', 'tinyint(1)');
export const bitBool = builtin('boolean', 'bit(1)');
export const decimal = builtin('numeric', 'decimal');
export const unsignedDecimal = builtin('numeric', 'decimal unsigned');
export const float = builtin('float', 'float');
export const unsignedFloat = builtin('float', 'float unsigned');
export const double = builtin('float', 'double');
export const unsignedDouble = builtin('float', 'double unsigned');
export const char = builtin('text', 'char');
export const varchar = builtin('text', 'varchar');
export const tinytext = builtin('text', 'tinytext');
export const text = builtin('text', 'text');
export const mediumtext = builtin('text', 'mediumtext');
export const longtext = builtin('text', 'longtext');
export const uuid = builtin('uuid', 'uuid');
export const date = builtin('date', 'date');
export const time = builtin('time', 'time');
export const datetime = builtin('timestamp', 'datetime');
export const timestamp = builtin('timestamp', 'timestamp');
export const json = builtin('json', 'json');
/** A text of which the configuration says that it is JSON: the database does not check it. */
export const textJson = builtin('json', 'text json');
export const binary = builtin('bytes', 'binary');
export const varbinary = builtin('bytes', 'varbinary');
export const tinyblob = builtin('bytes', 'tinyblob');
export const blob = builtin('bytes', 'blob');
export const mediumblob = builtin('bytes', 'mediumblob');
export const longblob = builtin('bytes', 'longblob');

const searchables = new Map<ColumnType, ColumnType>();

/** A text that a FULLTEXT index covers alone. Columns of the same type share the object. */
export function searchable(type: ColumnType): ColumnType {
  let found = searchables.get(type);
  if (found === undefined) searchables.set(type, (found = { ...type, searchable: true }));
  return found;
}

/**
 * Any type without rules of its own, such as a geometry: values are read, written and compared in
 * their text form.
 */
export const other = (typeName: string): ColumnType => builtin('other', typeName);

/** `key` is the GraphQL type of the enum's descriptor. */
export const enumOf = (key: string): ColumnType => ({ ...builtin('enum', 'enum'), enum: key });

/** A set: a list of the members that a row has, in the order of their declaration. */
export const setOf = (key: string): ColumnType => ({
  kind: 'array',
  sql: { name: 'set', array: true },
  element: enumOf(key),
});

/**
 * The columns that a procedure answers. `key` is the GraphQL type of the composite's descriptor.
 */
export const compositeOf = (key: string, name: string): ColumnType => ({
  kind: 'composite',
  sql: { name },
  composite: key,
});

import type { SqlType } from '../../../descriptor/descriptor.js';
import { textJson } from '../types.js';

/**
 * The type's name without its length and sign: `varchar(40)` is a `varchar`, `int(11) unsigned` an
 * `int`.
 */
export const baseName = ({ name }: Pick<SqlType, 'name'>): string =>
  /^[a-z0-9_]+/i.exec(name)?.[0].toLowerCase() ?? name;

/** Whether the type holds no negative numbers. */
export const isUnsigned = ({ name }: SqlType): boolean => /\b(unsigned|zerofill)\b/i.test(name);

/** The number in its parentheses: `bit(8)` has 8. */
export const lengthOf = ({ name }: SqlType): number | undefined => {
  const found = /\((\d+)/.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
};

export const isBit = (type: SqlType): boolean => baseName(type) === 'bit';

/** Whether the configuration alone says that the text is JSON. */
export const isUnchecked = ({ name }: SqlType): boolean => name === textJson.sql.name;

/** Whether the type is FLOAT, which the database writes with only six digits. */
export const isSingle = (type: SqlType): boolean => baseName(type) === 'float';

/** Whether the database pads the numbers of a column with zeros: YEAR, and ZEROFILL. */
export const isFilled = (type: SqlType): boolean => baseName(type) === 'year' || /\bzerofill\b/i.test(type.name);

const geometries: ReadonlySet<string> = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  // MySQL 8 prints `geometrycollection` as this.
  'geomcollection',
]);

export const isGeometry = (type: SqlType): boolean => geometries.has(baseName(type));

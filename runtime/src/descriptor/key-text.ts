import type { ColumnType, EnumDescriptor, SqlType } from './descriptor.js';

/** Where the descriptors of enums are found. */
type Enums = ReadonlyMap<string, EnumDescriptor>;

/**
 * Whether a text may be the value of a key of this type, in the form that the database writes it:
 * a statement does not fail for it. Types of rare keys, such as ranges, are not looked into.
 *
 *     isKeyText({ kind: 'int', sql: { name: 'int4' } }, '12', enums)           // true
 *     isKeyText({ kind: 'int', sql: { name: 'int4' } }, '3000000000', enums)   // false
 */
export function isKeyText(type: ColumnType, text: string, enums: Enums): boolean {
  switch (type.kind) {
    case 'int':
    case 'bigint':
      return isWhole(text, type.sql);
    case 'numeric':
      return /^-?\d{1,1000}(\.\d{1,1000})?$/.test(text);
    case 'float':
      return /^-?(\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,2})?|Infinity)$|^NaN$/.test(text);
    case 'boolean':
      return /^(true|false|[01])$/.test(text);
    case 'uuid':
      return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
    case 'date':
      return endless.test(text) || isDate(text);
    case 'time':
      return isTime(text);
    case 'timestamp':
      return endless.test(text) || isMoment(text);
    case 'bytes':
      return /^\\x([\da-f]{2})*$/i.test(text);
    case 'enum':
      return enums.get(type.enum ?? '')?.values.some(({ label }) => label === text) ?? true;
    default:
      return true;
  }
}

/** PostgreSQL's days and moments without an end. */
const endless = /^-?infinity$/;

/** Bits of a whole number, by the names of both databases. */
const sizes: ReadonlyMap<string, bigint> = new Map([
  ['int2', 16n],
  ['int4', 32n],
  ['int8', 64n],
  ['tinyint', 8n],
  ['smallint', 16n],
  ['mediumint', 24n],
  ['int', 32n],
  ['integer', 32n],
  ['bigint', 64n],
]);

function isWhole(text: string, { name }: SqlType): boolean {
  if (!/^-?\d{1,20}$/.test(text)) return false;
  const bits = sizes.get(/^\w+/.exec(name)?.[0].toLowerCase() ?? '') ?? 32n;
  const value = BigInt(text);
  if (/\b(unsigned|zerofill)\b/i.test(name)) return value >= 0n && value < 2n ** bits;
  return value >= -(2n ** (bits - 1n)) && value < 2n ** (bits - 1n);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4,6})-(\d\d)-(\d\d)( BC)?$/.exec(text) ?? [];
  if (year === undefined || Number(year) === 0) return false;
  // Four years have a leap year among them: the calendar of a BC year is not the question here.
  const date = new Date(Date.UTC(text.endsWith('BC') ? 2000 : Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

const isTime = (text: string): boolean =>
  /^(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?|24:00:00)([+-](0\d|1[0-5])(:[0-5]\d){0,2})?$/.test(text);

function isMoment(text: string): boolean {
  const [, date = '', time = '', before = ''] = /^([\d-]+)[ T]([\d:.+-]+)( BC)?$/.exec(text) ?? [];
  return isDate(`${date}${before}`) && isTime(time);
}

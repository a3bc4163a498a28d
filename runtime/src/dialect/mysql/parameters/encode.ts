import type { ColumnType } from '../../../descriptor/descriptor.js';
import { ExactNumber } from '../../../exact-number.js';
import { writeJson } from '../../json-text.js';
import { malformed } from '../../malformed.js';
import type { Types } from '../read/scope.js';
import { wrongForm } from './invalid.js';
import { dateText, timestampText, timeText } from './moments.js';
import { decimalNumber, floatNumber, wholeNumber } from './numbers.js';
import { baseName } from './type-name.js';

/**
 * A value that is not null, to the text it is sent as. Throws ServerError for a value that its type
 * cannot take.
 */
export type Encode = (value: unknown) => string;

/**
 * Values of a type, as a GraphQL document, a JSON body or a URL gives them.
 * @param form `json`: enum members are GraphQL names, and any value is one of JSON. `text`: the
 * text form of REST.
 */
export function encoderOf(type: ColumnType, form: 'text' | 'json', types: Types): Encode {
  const { kind, sql } = type;
  switch (kind) {
    case 'int':
    case 'bigint':
      return (value) => wholeNumber(numberText(value), sql);
    case 'numeric':
    case 'money':
      return (value) => decimalNumber(numberText(value));
    case 'float':
      return (value) => floatNumber(numberText(value));
    case 'boolean':
      return (value) => booleanText(scalarText(value));
    case 'uuid':
      return (value) => uuidText(scalarText(value));
    case 'date':
      return (value) => dateText(scalarText(value));
    case 'time':
      return (value) => timeText(scalarText(value));
    case 'timestamp':
      return (value) => timestampText(scalarText(value));
    case 'json':
    case 'jsonb':
      return form === 'text' ? (value) => checkedJson(scalarText(value)) : writeJson;
    case 'bytes':
      return (value) => hexOf(scalarText(value));
    case 'enum':
      return enumEncoder(type, form, types);
    case 'array':
      return (value) => setText(value, type, form, types);
    case 'other':
      return baseName(sql) === 'bit' ? (value) => bitText(scalarText(value)) : scalarText;
    default:
      return scalarText;
  }
}

/** The text of a string, number or boolean. No text of an answer has a zero byte. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw malformed('A value has a zero byte, which a text cannot hold.');
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      break;
  }
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Date) return value.toISOString();
  throw malformed('A single value was expected.', 'Lists and objects are for JSON columns and for sets.');
}

/** MySQL's booleans are numbers. */
const numberText = (value: unknown): string => (typeof value === 'boolean' ? String(Number(value)) : scalarText(value));

function booleanText(text: string): string {
  if (/^(t|true|yes|on|1)$/i.test(text.trim())) return '1';
  if (/^(f|false|no|off|0)$/i.test(text.trim())) return '0';
  throw wrongForm();
}

function uuidText(text: string): string {
  const digits = text.trim().replace(/^\{(.*)\}$/, '$1');
  if (!/^([\da-f]{4}-?){7}[\da-f]{4}$/i.test(digits)) throw wrongForm();
  const hex = digits.replaceAll('-', '').toLowerCase();
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** `\x00ff`, as bytes are shown: the digits alone. */
function hexOf(text: string): string {
  const digits = /^\\x((?:[\da-f]{2})*)$/i.exec(text.trim())?.[1];
  if (digits === undefined) throw wrongForm();
  return digits;
}

function bitText(text: string): string {
  if (!/^[01]{1,64}$/.test(text.trim())) throw wrongForm();
  return BigInt(`0b${text.trim()}`).toString();
}

export function checkedJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw malformed('The value is not JSON.', 'Percent-encode it: {"a":1} is %7B%22a%22:1%7D.');
  }
  return text;
}

function enumEncoder(type: ColumnType, form: 'text' | 'json', types: Types): Encode {
  const values = types.enums.get(type.enum ?? '')?.values;
  if (values === undefined) return scalarText;
  const labels = new Map(values.map(({ label }) => [label, label]));
  if (form === 'json') for (const { label, name } of values) labels.set(name ?? label, label);
  return (value) => {
    const label = labels.get(scalarText(value));
    if (label === undefined) throw wrongForm();
    return label;
  };
}

/** A SET is a list of its members; over REST also the database's own form, `a,b`. */
function setText(value: unknown, type: ColumnType, form: 'text' | 'json', types: Types): string {
  const element = type.element === undefined ? scalarText : encoderOf(type.element, form, types);
  if (Array.isArray(value)) return value.map(element).join(',');
  const text = scalarText(value).replace(/^\{(.*)\}$/s, '$1');
  return text === '' ? '' : text.split(',').map(element).join(',');
}

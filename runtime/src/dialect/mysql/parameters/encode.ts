import { isUint8Array } from 'node:util/types';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { ExactNumber } from '../../../exact-number.js';
import { writeJson } from '../../json-text.js';
import { bytesText, checkedJson, scalarText, type Encode } from '../../sql/encode.js';
import type { Types } from '../read/scope.js';
import { wrongForm } from './invalid.js';
import { dateText, timestampText, timeText } from './moments.js';
import { decimalNumber, floatNumber, wholeNumber } from './numbers.js';
import { geometryText, textOfGeometry } from './geometry.js';
import { inRange } from './instant.js';
import { isBit, isGeometry } from './type-name.js';

/**
 * The encoder for values of a type, from a GraphQL document, a JSON body or a URL.
 * @param form `json`: enum members are GraphQL names, and JSON columns take any value. `text`: the
 * text form of REST
 */
export function encoderOf(type: ColumnType, form: 'text' | 'json', types: Types): Encode {
  const { kind, sql } = type;
  switch (kind) {
    case 'int':
    case 'bigint':
      return (value) => wholeNumber(value instanceof ExactNumber ? value.whole : numberText(value), sql);
    case 'numeric':
    case 'money':
      return (value) => decimalNumber(numberText(value), sql);
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
      return (value) => inRange(timestampText(scalarText(value)), type, types.features.zone);
    case 'json':
    case 'jsonb':
      return form === 'text' ? (value) => checkedJson(scalarText(value)) : writeJson;
    case 'bytes':
      return (value) => hexOf(bytesText(value));
    case 'enum':
      return enumEncoder(type, form, types);
    case 'array':
      return (value) => setText(value, type, form, types);
    case 'other':
      if (isGeometry(sql)) return geometryText;
      return isBit(sql) ? bitText : scalarText;
    default:
      return scalarText;
  }
}

/** Booleans of MySQL are numbers. */
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

/** The digits of `\x00ff`, the form in which bytes are shown. */
function hexOf(text: string): string {
  const digits = /^\\x((?:[\da-f]{2})*)$/i.exec(text.trim())?.[1];
  if (digits === undefined) throw wrongForm();
  return digits;
}

function bitText(value: unknown): string {
  const text = isUint8Array(value) ? BigInt(`0x0${hexOf(bytesText(value))}`).toString(2) : scalarText(value);
  if (!/^[01]{1,64}$/.test(text.trim())) throw wrongForm();
  return BigInt(`0b${text.trim()}`).toString();
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

/**
 * A SET is a list of its members; REST also accepts `{a,"b c"}`, as PostgreSQL writes lists, and
 * the database's own form, `a,b`.
 */
function setText(value: unknown, type: ColumnType, form: 'text' | 'json', types: Types): string {
  const element = type.element === undefined ? scalarText : encoderOf(type.element, form, types);
  const labels = types.enums.get(type.element?.enum ?? '')?.values.map(({ label }) => label) ?? [];
  // The database compares the text of a SET, which has its members in the order of the declaration.
  const written = (members: readonly unknown[]): string => {
    const given = new Set(members.map(element));
    return (labels.length === 0 ? [...given] : labels.filter((label) => given.has(label))).join(',');
  };
  if (Array.isArray(value)) return written(value);
  const text = scalarText(value);
  const inner = /^\{(.*)\}$/s.exec(text)?.[1];
  if (inner === undefined) return written(membersOf(text));
  // A label may have quotes of its own.
  const unquoted = (member: string): string =>
    labels.includes(member) ? member : member.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1');
  return written(membersOf(inner).map(unquoted));
}

/** The members of a SET from its text: a member has no comma. */
export const membersOf = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

/** The text from which a sent value was encoded: the reverse of an encoder of texts. */
export function textOfSent({ kind, sql }: ColumnType, sent: string): string {
  if (kind === 'bytes') return `\\x${sent}`;
  if (kind === 'other' && isGeometry(sql)) return textOfGeometry(sent);
  return kind === 'other' && isBit(sql) ? BigInt(sent).toString(2) : sent;
}

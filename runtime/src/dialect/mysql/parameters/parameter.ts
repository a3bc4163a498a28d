import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Form, Parameter } from '../../../plan/parameter.js';
import { malformed } from '../../malformed.js';
import { affix, checkedJson, checkedPattern, scalarText, type Encode } from '../../sql/encode.js';
import { createSlot } from '../../sql/slot.js';
import type { Slot } from '../../../plan/statement.js';
import { isJson, isText, yielding } from '../comparison.js';
import { slot, type Fragment } from '../sql.js';
import type { Types } from '../read/scope.js';
import type { Features } from '../start-up/features.js';
import { encoderOf } from './encode.js';
import { checkedPath } from './json-path.js';
import { geometry } from './geometry.js';
import { inSession } from './instant.js';
import { fractionOf } from './numbers.js';
import { writeJson } from '../../json-text.js';
import { baseName, isGeometry, isUnsigned } from './type-name.js';

/**
 * The SQL that gives a text its type: a parameter, or a column of JSON_TABLE.
 * @param replaced the column that gets the value, in an update
 */
export function typed(type: ColumnType, text: Fragment, features: Features, replaced?: Fragment): Fragment {
  switch (type.kind) {
    case 'int':
    case 'bigint':
      return isUnsigned(type.sql) ? sql`cast(${text} as unsigned)` : sql`cast(${text} as signed)`;
    case 'boolean':
      return sql`cast(${text} as signed)`;
    case 'numeric':
    case 'money':
      return sql`cast(${text} as decimal(65, ${sql.lit(fractionOf(type.sql))}))`;
    case 'float':
      // A stored FLOAT differs from the decimal number that the client wrote, so the parameter is
      // cast to FLOAT, too.
      return baseName(type.sql) === 'float' ? sql`cast(${text} as float)` : sql`cast(${text} as double)`;
    case 'date':
      return sql`cast(${text} as date)`;
    case 'time':
      return sql`cast(${text} as time(6))`;
    case 'timestamp':
      return inSession(type, sql`cast(${text} as datetime(6))`, features);
    case 'bytes':
      return sql`unhex(${text})`;
    case 'other':
      if (isGeometry(type.sql)) return geometry(text, replaced);
      return baseName(type.sql) === 'bit' ? sql`cast(${text} as unsigned)` : text;
    default:
      return text;
  }
}

/**
 * A text in a column of JSON_TABLE as a value that is compared with a key's column: the column's
 * collation wins, so its index is used.
 */
export function keyValue(type: ColumnType, text: Fragment, features: Features): Fragment {
  if (isText(type)) return yielding(text);
  return type.kind === 'uuid' ? sql`cast(${text} as uuid)` : typed(type, text, features);
}

/** A parameter with the cast to its type. */
export const parameter = (of: Parameter, types: Types): Fragment =>
  typed(of.type, slot(slotOf(of, types)), types.features);

/** A parameter that an operator compares something with. */
export function operand(of: Parameter, types: Types): Fragment {
  const text = slot(slotOf(of, types));
  return of.as === 'value' || of.as === 'compared'
    ? typed(of.type, text, types.features)
    : of.as === 'list'
      ? listed(of.type, text, types.features)
      : text;
}

/**
 * Whether the items of a list are JSON inside JSON. A text must come from a function whose
 * collation yields to that of the compared column: JSON_UNQUOTE is such a function, a column of
 * JSON_TABLE is not. Values of JSON are quoted, too, because JSON_TABLE returns NULL for an object.
 */
const isQuoted = (type: ColumnType): boolean => isText(type) || isJson(type);

function listed(type: ColumnType, list: Fragment, features: Features): Fragment {
  const value = sql`j.v`;
  const item = isQuoted(type) ? yielding(value) : typed(type, value, features);
  return sql`select ${item} as item from json_table(${list}, '$[*]' columns (v longtext path '$')) as j`;
}

export const slotOf = (of: Parameter, types: Types): Slot =>
  createSlot(of, () => formEncoder(of.as, of.type, of.value.form, types));

function formEncoder(as: Form, type: ColumnType, form: 'text' | 'json', types: Types): Encode {
  switch (as) {
    case 'value':
      return encoderOf(type, form, types);
    case 'list':
      return listEncoder(encoderOf(type, form, types), isQuoted(type));
    case 'texts':
      return texts;
    case 'contains':
    case 'prefix':
    case 'suffix':
      return affix(as, escaped);
    case 'pattern':
      return form === 'text'
        ? (given) => pattern(scalarText(given).replaceAll('*', '%'))
        : (given) => pattern(checkedPattern(given));
    case 'json':
      return form === 'text' ? (given) => checkedJson(scalarText(given)) : writeJson;
    case 'jsonPath':
      return (given) => checkedPath(scalarText(given));
    default:
      return scalarText;
  }
}

const listEncoder =
  (encode: Encode, quoted: boolean): Encode =>
  (given) => {
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    const item = (each: unknown): string => (quoted ? JSON.stringify(encode(each)) : encode(each));
    return JSON.stringify(list.map((each) => (each === null || each === undefined ? null : item(each))));
  };

/** Keys as a JSON list. REST also accepts `{a,b}`. */
const texts: Encode = (given) => {
  if (Array.isArray(given)) return JSON.stringify(given.map(scalarText));
  const inner = /^\{(.*)\}$/s.exec(scalarText(given).trim())?.[1];
  if (inner === undefined) throw malformed('The value is not a list.', 'Write {a,b,c}, percent-encoded: %7Ba,b,c%7D.');
  const items = inner.match(/"(?:[^"\\]|\\.)*"|[^,]+/gs) ?? [];
  return JSON.stringify(
    items.map((each) => (each.startsWith('"') ? each.slice(1, -1).replace(/\\(.)/gs, '$1') : each.trim())),
  );
};

/**
 * A LIKE pattern with the escape character `!`, which no `sql_mode` gives another meaning. The
 * escape character of the given pattern is the backslash.
 */
const pattern = (given: string): string =>
  given.replace(/\\([\s\S])|!/g, (_found, escaped: string | undefined) =>
    escaped === undefined ? '!!' : /[%_!]/.test(escaped) ? `!${escaped}` : escaped,
  );

/** `%`, `_` and the escape character lose their meaning. */
const escaped = (text: string): string => text.replace(/[!%_]/g, '!$&');

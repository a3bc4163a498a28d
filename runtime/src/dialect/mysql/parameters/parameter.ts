import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { ServerError } from '../../../errors.js';
import type { Form, Parameter } from '../../../plan/parameter.js';
import { endsInEscape } from '../../../plan/pattern.js';
import { malformed, malformedCell, valueNeeded } from '../../malformed.js';
import type { Slot } from '../../statement.js';
import { isText, yielding } from '../comparison.js';
import { slot, type Fragment } from '../sql.js';
import type { Types } from '../read/scope.js';
import { checkedJson, encoderOf, scalarText, type Encode } from './encode.js';
import { checkedPath } from './json-path.js';
import { writeJson } from '../../json-text.js';
import { baseName, isGeometry, isUnsigned } from './type-name.js';

/** A value of a type in SQL, made of its text: a parameter or a column of JSON_TABLE. */
export function typed(type: ColumnType, text: Fragment): Fragment {
  switch (type.kind) {
    case 'int':
    case 'bigint':
      return isUnsigned(type.sql) ? sql`cast(${text} as unsigned)` : sql`cast(${text} as signed)`;
    case 'boolean':
      return sql`cast(${text} as signed)`;
    case 'numeric':
    case 'money':
      return sql`cast(${text} as decimal(65, 30))`;
    case 'float':
      // A stored FLOAT differs from the decimal number that was written, so the parameter becomes a
      // FLOAT, too.
      return baseName(type.sql) === 'float' ? sql`cast(${text} as float)` : sql`cast(${text} as double)`;
    case 'date':
      return sql`cast(${text} as date)`;
    case 'time':
      return sql`cast(${text} as time(6))`;
    case 'timestamp':
      return sql`cast(${text} as datetime(6))`;
    case 'bytes':
      return sql`unhex(${text})`;
    case 'other':
      if (isGeometry(type.sql)) return sql`st_geomfromtext(${text})`;
      return baseName(type.sql) === 'bit' ? sql`cast(${text} as unsigned)` : text;
    default:
      return text;
  }
}

/**
 * A value that a column of a key is compared with, made of a text in a column of JSON_TABLE: the
 * column's collation wins, and its index is used.
 */
export function keyValue(type: ColumnType, text: Fragment): Fragment {
  if (isText(type)) return yielding(text);
  return type.kind === 'uuid' ? sql`cast(${text} as uuid)` : typed(type, text);
}

/** A value, as one of its type. */
export const parameter = (of: Parameter, types: Types): Fragment => typed(of.type, slot(slotOf(of, types)));

/** A value that something is compared with. */
export function operand(of: Parameter, types: Types): Fragment {
  const text = slot(slotOf(of, types));
  return of.as === 'value' || of.as === 'compared'
    ? typed(of.type, text)
    : of.as === 'list'
      ? listed(of.type, text)
      : text;
}

/**
 * The values of a list as a table. A text has to come out of a function whose collation yields to
 * that of the column it is compared with, which JSON_UNQUOTE is and a column of JSON_TABLE is not:
 * its values are JSON in JSON.
 */
function listed(type: ColumnType, list: Fragment): Fragment {
  const value = sql`j.v`;
  const item = isText(type) ? yielding(value) : typed(type, value);
  return sql`select ${item} from json_table(${list}, '$[*]' columns (v longtext path '$')) as j`;
}

/**
 * The parameter's place in a statement: everything that does not depend on the value is decided
 * here, once.
 */
export function slotOf(of: Parameter, types: Types): Slot {
  const { value, as, required, cell, subject, type } = of;
  const about = subject === undefined ? {} : { subject };
  // The database wrote it.
  if (as === 'compared') return { bind: (inputs) => value.read(inputs) as string | null, ...about };
  const encode = formEncoder(as, type, value.form, types);
  return {
    ...about,
    bind: (inputs) => {
      const given = value.read(inputs);
      if (given === null || given === undefined) {
        if (required !== undefined) throw valueNeeded(required);
        return null;
      }
      return cell === undefined ? encode(given) : encodeCell(cell, encode, given);
    },
  };
}

function formEncoder(as: Form, type: ColumnType, form: 'text' | 'json', types: Types): Encode {
  switch (as) {
    case 'value':
      return encoderOf(type, form, types);
    case 'list':
      return listEncoder(encoderOf(type, form, types), isText(type));
    case 'texts':
      return texts;
    case 'contains':
    case 'prefix':
    case 'suffix':
      return affix(as);
    case 'pattern':
      return form === 'text' ? (given) => pattern(scalarText(given).replaceAll('*', '%')) : checkedPattern;
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

/** Keys as a JSON list; over REST `{a,b}`, too. */
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
 * A LIKE pattern whose escape character is `!`, which no `sql_mode` gives another meaning. In the
 * pattern that comes in it is the backslash.
 */
const pattern = (given: string): string =>
  given.replace(/\\([\s\S])|!/g, (_found, escaped: string | undefined) =>
    escaped === undefined ? '!!' : /[%_!]/.test(escaped) ? `!${escaped}` : escaped,
  );

const checkedPattern: Encode = (given) => {
  const written = scalarText(given);
  if (endsInEscape(written))
    throw malformed('The pattern ends in its escape character.', 'Write a literal backslash as \\\\.');
  return pattern(written);
};

const affix =
  (place: 'contains' | 'prefix' | 'suffix'): Encode =>
  (given) => {
    const text = scalarText(given).replace(/[!%_]/g, '!$&');
    return `${place === 'prefix' ? '' : '%'}${text}${place === 'suffix' ? '' : '%'}`;
  };

/** A value that does not fit is a mistake in the body, and the error says of which column. */
export function encodeCell(column: string, encode: Encode, value: unknown): string {
  try {
    return encode(value);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.kind === undefined) throw malformedCell(column, error);
    const { status, code, message, hint, kind, clientsMistake } = error;
    throw new ServerError(status, code, message, { hint, kind, clientsMistake, details: `About column "${column}".` });
  }
}

import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Style } from '../../../plan/read/plan.js';
import { constant, join, type Fragment } from '../sql.js';
import type { Types } from './scope.js';
import type { Text } from './text.js';
import { geojsonOf, shownGeometry } from '../parameters/geometry.js';
import { inUtc } from '../parameters/instant.js';
import { baseName, isBit, isFilled, isGeometry, isSingle, isUnchecked, lengthOf } from '../parameters/type-name.js';

/** `\x`. In a literal the meaning of a backslash would depend on `sql_mode`. */
const hexMark = sql`char(92, 120 using utf8mb4)`;

/**
 * The JSON text of a value of each kind, the same as PostgreSQL's (decision 002).
 * @param nullable whether the value may be null
 */
export function project(type: ColumnType, value: Fragment, nullable: boolean, style: Style, types: Types): Text {
  const text = (form: Text['form'], written: Fragment = value): Text => ({
    text: written,
    form,
    nullable,
    ...(written === value ? {} : { test: value }),
  });
  switch (type.kind) {
    case 'int':
      return text('json', numberText(type, value));
    case 'float':
      return text('json', isSingle(type.sql) ? singleText(numberText(type, value)) : numberText(type, value));
    case 'bigint':
      return text(style.bigint === 'string' ? 'plain' : 'json', numberText(type, value));
    case 'numeric':
    case 'money':
      return text(style.numeric === 'string' ? 'plain' : 'json', numberText(type, value));
    case 'boolean':
      return text('json', sql`if(${value}, 'true', 'false')`);
    case 'json':
    case 'jsonb':
      return text('json', jsonText(type, value, types));
    case 'date':
    case 'uuid':
      return text('plain');
    case 'time':
      return text('plain', trimmed(value));
    case 'timestamp':
      return text('plain', timestampText(type, inUtc(type, value, types.features)));
    case 'bytes':
      return text('escaped', sql`concat(${hexMark}, lower(hex(${value})))`);
    case 'enum':
      return text('escaped', enumText(type, value, style, types));
    case 'array':
      // CSV has the list as PostgreSQL writes it.
      return { ...text('json', setText(type, value, style, types)), csv: sql`concat('{', ${value}, '}')` };
    case 'other':
      if (isGeometry(type.sql) && style.isNative === true)
        return { ...text('json', geojsonOf(value)), csv: shownGeometry(value) };
      return text('escaped', otherText(type, value));
    default:
      return text('escaped');
  }
}

/** The text without quotes, for CSV and cursors. */
export const plainText = (type: ColumnType, value: Fragment, style: Style, types: Types): Fragment =>
  project(type, value, true, style, types).text;

/** A text that the database has not checked may be no JSON: then it is a string of JSON. */
function jsonText(type: ColumnType, value: Fragment, { features }: Types): Fragment {
  if (isUnchecked(type.sql)) return sql`if(json_valid(${value}), ${value}, json_quote(${value}))`;
  return features.jsonType ? sql`cast(${value} as char)` : value;
}

/** A number without leading zeros, which JSON does not allow. */
export const numberText = ({ sql: type }: ColumnType, value: Fragment): Fragment =>
  isFilled(type) ? sql`(${value} + 0)` : value;

/**
 * Enough digits to restore the FLOAT: the database writes six digits of a FLOAT and all of a
 * DOUBLE. The value of an expression has the digits of a DOUBLE already.
 */
const singleText = (value: Fragment): Fragment =>
  sql`if(cast(concat(${value}) as float) = ${value}, concat(${value}), cast(cast(${value} as double) as char))`;

/** Microseconds without trailing zeros, as PostgreSQL writes them. */
const trimmed = (value: Fragment): Fragment =>
  sql`if(locate('.', ${value}) = 0, ${value}, trim(trailing '.' from trim(trailing '0' from ${value})))`;

/** `timestamp` is a moment and is read in UTC; `datetime` has no time zone. */
function timestampText(type: ColumnType, value: Fragment): Fragment {
  const text = sql`replace(${trimmed(value)}, ' ', 'T')`;
  return baseName(type.sql) === 'timestamp' ? sql`concat(${text}, '+00:00')` : text;
}

function enumText(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const values = style.enums === 'label' ? [] : (types.enums.get(type.enum ?? '')?.values ?? []);
  const renamed = values.flatMap(({ label, name }) =>
    name === undefined || name === label ? [] : [sql`when ${constant(label)} then ${constant(name)}`],
  );
  return renamed.length === 0 ? value : sql`case ${value} ${join(renamed, sql` `)} else ${value} end`;
}

/** A SET as the list of its members: a member has no comma. */
function setText({ element }: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const values = style.enums === 'label' ? [] : (types.enums.get(element?.enum ?? '')?.values ?? []);
  if (!values.some(({ label, name = label }) => name !== label))
    return sql`if(${value} = '', '[]', concat('[', replace(json_quote(${value}), ',', '","'), ']'))`;
  const members = values.map(
    ({ label, name = label }) => sql`if(find_in_set(${constant(label)}, ${value}) > 0, ${constant(`"${name}"`)}, null)`,
  );
  return sql`if(${value} is null, null, concat('[', concat_ws(',', ${join(members)}), ']'))`;
}

function otherText(type: ColumnType, value: Fragment): Fragment {
  if (isGeometry(type.sql)) return shownGeometry(value);
  return isBit(type.sql) ? bitText(type, value) : sql`cast(${value} as char)`;
}

/** All digits, if the type has a length. */
function bitText({ sql: type }: ColumnType, value: Fragment): Fragment {
  const length = lengthOf(type);
  const digits = sql`bin(${value} + 0)`;
  return length === undefined ? digits : sql`lpad(${digits}, ${sql.lit(length)}, '0')`;
}

import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Style } from '../../../plan/read/plan.js';
import { constant, join, type Fragment } from '../sql.js';
import type { Types } from './scope.js';
import type { Text } from './text.js';
import { baseName, isGeometry, lengthOf } from '../parameters/type-name.js';

/** `\x`: a backslash in a literal would mean another thing in another `sql_mode`. */
const hexMark = sql`char(92, 120 using utf8mb4)`;

/**
 * How a value of each kind is written: the text of its JSON, as the same value reads from
 * PostgreSQL (decisions 2).
 * @param nullable whether it may be null
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
    case 'float':
      return text('json');
    case 'bigint':
      return text(style.bigint === 'string' ? 'plain' : 'json');
    case 'numeric':
    case 'money':
      return text(style.numeric === 'string' ? 'plain' : 'json');
    case 'boolean':
      return text('json', sql`if(${value}, 'true', 'false')`);
    case 'json':
    case 'jsonb':
      return text('json', types.features.jsonType ? sql`cast(${value} as char)` : value);
    case 'date':
    case 'uuid':
      return text('plain');
    case 'time':
      return text('plain', trimmed(value));
    case 'timestamp':
      return text('plain', timestampText(type, value));
    case 'bytes':
      return text('escaped', sql`concat(${hexMark}, lower(hex(${value})))`);
    case 'enum':
      return text('escaped', enumText(type, value, style, types));
    case 'array':
      return text('json', setText(value));
    case 'other':
      return text('escaped', otherText(type, value));
    default:
      return text('escaped');
  }
}

/** The text without quotes, for CSV and for cursors. */
export const plainText = (type: ColumnType, value: Fragment, style: Style, types: Types): Fragment =>
  project(type, value, true, style, types).text;

/** Microseconds without the zeros at their end, as PostgreSQL writes them. */
const trimmed = (value: Fragment): Fragment =>
  sql`if(locate('.', ${value}) = 0, ${value}, trim(trailing '.' from trim(trailing '0' from ${value})))`;

/** `timestamp` is a moment and is read in UTC; `datetime` has no zone. */
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

/** A SET as the list of its members: none of them has a comma. */
const setText = (value: Fragment): Fragment =>
  sql`if(${value} = '', '[]', concat('[', replace(json_quote(${value}), ',', '","'), ']'))`;

function otherText(type: ColumnType, value: Fragment): Fragment {
  if (isGeometry(type.sql)) return sql`st_astext(${value})`;
  return baseName(type.sql) === 'bit' ? bitText(type, value) : sql`cast(${value} as char)`;
}

/** All of its digits, where the type says how many they are. */
function bitText({ sql: type }: ColumnType, value: Fragment): Fragment {
  const length = lengthOf(type);
  const digits = sql`bin(${value} + 0)`;
  return length === undefined ? digits : sql`lpad(${digits}, ${sql.lit(length)}, '0')`;
}

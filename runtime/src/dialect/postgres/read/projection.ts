import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Types } from '../parameters/encode.js';
import type { Style } from '../../../plan/read/plan.js';
import { objectOf } from './object.js';
import { constant, join, nothing, type Fragment } from '../sql.js';

/**
 * The expression of which `to_json` writes what decision 002 says, for a value of each kind. Both
 * protocols share it, except for what `style` says. Null stays null.
 */
export function project(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  if (style.isNative === true) return value;
  switch (type.kind) {
    case 'bigint':
      return style.bigint === 'string' ? sql`${value}::text` : value;
    case 'numeric':
      return style.numeric === 'string' ? sql`${value}::text` : value;
    case 'money':
      // The text of money has a currency sign and the digit grouping of a locale.
      return style.numeric === 'string' ? sql`${value}::numeric::text` : sql`${value}::numeric`;
    case 'vector':
      return sql`${value}::text::json`;
    case 'other':
      // Extensions such as hstore and PostGIS define casts to JSON, which to_json would use.
      // PostgreSQL's own types have none, and their cast to text differs from their text form in
      // some cases: that of inet adds the netmask.
      return isPlain(type, style, types) ? value : sql`${value}::text`;
    case 'enum':
      return projectEnum(type, value, style, types);
    case 'range':
      return projectRange(type, value, style, types);
    case 'composite':
      return projectComposite(type, value, style, types);
    case 'array':
      return projectArray(type, value, style, types);
    default:
      return value;
  }
}

/**
 * The same for a field of CSV: arrays, ranges and composites in the text form that the database
 * accepts as input.
 */
export function projectLiteral(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  switch (type.kind) {
    case 'json':
    case 'jsonb':
      // The value as JSON: a string keeps its quotes.
      return sql`${value}::text`;
    case 'array':
      // As in `project`: the text of money depends on a locale.
      return type.element?.kind === 'money' ? sql`${value}::numeric[]::text` : sql`${value}::text`;
    case 'range':
    case 'composite':
      return sql`${value}::text`;
    case 'boolean':
      return style.isNative === true ? sql`left(${value}::text, 1)` : value;
    case 'timestamp':
      return style.isNative === true ? sql`${value}::text` : value;
    default:
      return project(type, value, style, types);
  }
}

/** The labels whose GraphQL name differs. */
function renamedLabels(type: ColumnType, style: Style, types: Types): readonly { label: string; name: string }[] {
  if (style.enums === 'label') return [];
  const values = types.enums.get(type.enum ?? '')?.values ?? [];
  return values.flatMap(({ label, name }) => (name === undefined || name === label ? [] : [{ label, name }]));
}

function projectEnum(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const renamed = renamedLabels(type, style, types);
  if (renamed.length === 0) return value;
  const cases = renamed.map(({ label, name }) => sql`when ${constant(label)} then ${constant(name)}`);
  return sql`case ${value}::text ${join(cases, sql` `)} else ${value}::text end`;
}

function projectRange(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const bound = (bound: Fragment): Fragment =>
    type.element === undefined ? bound : project(type.element, bound, style, types);
  const object = objectOf(
    [
      { as: 'lower', value: bound(sql`lower(${value})`) },
      { as: 'upper', value: bound(sql`upper(${value})`) },
      { as: 'lowerInclusive', value: sql`lower_inc(${value})` },
      { as: 'upperInclusive', value: sql`upper_inc(${value})` },
      { as: 'empty', value: sql`isempty(${value})` },
    ],
    nothing,
  );
  return sql`case when ${value} is not null then ${object} end`;
}

/**
 * `to_json` writes a composite with the names of its attributes; an object is built only if an
 * attribute has to be written differently.
 */
function projectComposite(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const composite = types.composites.get(type.composite ?? '');
  if (composite === undefined || isPlain(type, style, types)) return value;
  const object = objectOf(
    composite.attributes.map((attribute) => ({
      as: style.attributes === 'field' ? (attribute.field ?? attribute.name) : attribute.name,
      value: project(attribute.type, attributeOf(value, attribute.name), style, types),
    })),
  );
  return sql`case when ${value} is distinct from null then ${object} end`;
}

export const attributeOf = (value: Fragment, attribute: string): Fragment => sql`(${value}).${sql.id(attribute)}`;

function projectArray(type: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const element = type.element ?? type;
  if (isPlain(element, style, types)) return value;
  switch (element.kind) {
    case 'bigint':
    case 'numeric':
    case 'other':
      return sql`${value}::text[]`;
    case 'money':
      return style.numeric === 'string' ? sql`${value}::numeric[]::text[]` : sql`${value}::numeric[]`;
    case 'enum':
      return renamedLabels(element, style, types).reduce(
        (array, { label, name }) => sql`array_replace(${array}, ${constant(label)}, ${constant(name)})`,
        sql`${value}::text[]`,
      );
    default:
      return projectElements(element, value, style, types);
  }
}

/** PostgreSQL's own limit. Source: MAXDIM, https://www.postgresql.org/docs/current/arrays.html */
const maxDimensions = 6;

/**
 * Elements that need their own projection, at each depth: nested arrays stay nested. `x.item` is an
 * element; each subselect has another `x`, because an element may contain arrays itself.
 */
function projectElements(element: ColumnType, value: Fragment, style: Style, types: Types): Fragment {
  const level = (depth: number, dimensions: number, item: Fragment): Fragment => {
    const index = sql.id(`i${String(depth)}`);
    const inner = sql`${item}[${index}]`;
    const indexes = sql`generate_subscripts(${value}, ${sql.lit(depth)}) as ${index}`;
    if (depth < dimensions) {
      return sql`(select json_agg(${level(depth + 1, dimensions, inner)} order by ${index}) from ${indexes})`;
    }
    const items = sql`(select ${index}, ${inner} as item from ${indexes}) as x`;
    return sql`(select json_agg(${project(element, sql`x.item`, style, types)} order by x.${index}) from ${items})`;
  };
  const cases = Array.from(
    { length: maxDimensions },
    (_, at) => sql`when ${sql.lit(at + 1)} then ${level(1, at + 1, sql`(${value})`)}`,
  );
  const nested = sql`case array_ndims(${value}) ${join(cases, sql` `)} end`;
  return sql`case when ${value} is not null then coalesce(${nested}, '[]') end`;
}

/** Whether `to_json` alone writes the type correctly. */
function isPlain(type: ColumnType, style: Style, types: Types): boolean {
  switch (type.kind) {
    case 'bigint':
      return style.bigint === 'number';
    case 'numeric':
      return style.numeric === 'number';
    case 'money':
    case 'vector':
    case 'range':
      return false;
    case 'other':
      return type.sql.schema === undefined;
    case 'enum':
      return renamedLabels(type, style, types).length === 0;
    case 'array':
      return type.element === undefined || isPlain(type.element, style, types);
    case 'composite': {
      const attributes = types.composites.get(type.composite ?? '')?.attributes ?? [];
      return attributes.every(
        ({ field, type: attribute }) =>
          (field === undefined || style.attributes === 'name') && isPlain(attribute, style, types),
      );
    }
    default:
      return true;
  }
}

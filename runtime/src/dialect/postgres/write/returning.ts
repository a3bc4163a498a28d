import { sql } from 'kysely';
import type { RowsFormat, SelectionPlan, TableName } from '../../../plan/read/plan.js';
import type { ReturningPlan, TypedColumn } from '../../../plan/write/write-plan.js';
import { compared, directed } from '../read/expression.js';
import { csvOf } from '../read/csv.js';
import { geojsonOf } from '../read/geojson.js';
import { wholeRow, writtenBy } from '../read/handled.js';
import { jsonOf, listOf, objectOf, rowsOf, type Rows } from '../read/object.js';
import { entries } from '../../sql/selection.js';
import type { Scope } from '../read/scope.js';
import { clauses, columnOf, join, nothing, type Fragment } from '../sql.js';

/**
 * The output of a write for the rest of its statement: a RETURNING clause, and the names of its
 * columns.
 */
export interface Outputs {
  readonly returning: Fragment;
  /** The columns of that clause. */
  readonly members: Fragment;
  /** For each selection its alias and its name. */
  readonly values: readonly { readonly as: string; readonly name: Fragment }[];
  readonly keys: readonly Fragment[];
  readonly extra: readonly Fragment[];
  /** The keys of ORDER BY. */
  readonly order: readonly Fragment[];
  /** The row itself, for an aggregate that takes it whole. */
  readonly whole: Fragment | undefined;
}

/**
 * All values are projected in RETURNING itself, so that the role needs no privilege on a column
 * that was not selected.
 */
export function returningOf(
  { select = [], keys = [], order = [], format }: ReturningPlan,
  extra: readonly TypedColumn[],
  scope: Scope,
): Outputs {
  const members: Fragment[] = [];
  const output = (name: string, value: Fragment): Fragment => {
    members.push(sql`${value} as ${sql.id(name)}`);
    return sql.id(name);
  };
  const of = select.length > 0 ? wholeOf(format) : undefined;
  const whole = of && output('whole', wholeRow(scope, of));
  const shownValues = of === undefined ? entries(select, scope) : [];
  const values = shownValues.map(({ as, value }, at) => ({ as, name: output(`c${String(at)}`, value) }));
  const keyNames = keys.map((name, at) => output(`k${String(at)}`, sql`${columnOf(scope.row, name)}::text`));
  const extras = extra.map(({ name }, at) => output(`x${String(at)}`, columnOf(scope.row, name)));
  const sorted = order.map((each, at) => directed(sql`w.${output(`o${String(at)}`, compared(each.by, scope))}`, each));
  if (members.length === 0) members.push(sql`true as c0`);
  const all = join(members);
  return {
    returning: sql`returning ${all}`,
    members: all,
    values,
    keys: keyNames,
    extra: extras,
    order: sorted,
    whole,
  };
}

export interface Written {
  /** `from w`, where `w` has the outputs of the write. */
  readonly from: Fragment;
  readonly order?: Fragment;
  /** The number of new rows. Absent: all rows are new. */
  readonly created?: Fragment;
}

/**
 * The one row that every write returns: the text of the answer, the number of written rows and of
 * new rows, and the keys.
 */
export function answerOf(plan: ReturningPlan, outputs: Outputs, { from, order, created }: Written): Fragment {
  const by = [...outputs.order, ...(order === undefined ? [] : [order])];
  const ordered = by.length === 0 ? nothing : sql`order by ${join(by)}`;
  const keys = keysOf(outputs, from, ordered);
  const counts = sql`count(*), ${created ?? sql`count(*)`}, ${keys}`;
  if (plan.select === undefined) return sql`select null, ${counts} ${from}`;
  const { whole } = outputs;
  const shownEntries = whole === undefined ? outputs.values : [{ as: 'whole', name: whole }];
  const found = rowsOf(
    shownEntries.map(({ as, name }) => ({ as, value: sql`w.${name}` })),
    clauses(from, ordered),
  );
  return sql`select ${shown(found, plan, plan.select)}, ${counts} from ${found.from}`;
}

/**
 * The same row for a write of at most one row, in its RETURNING clause. Without a written row there
 * is no result row.
 */
export function answerOfRow(
  { select, keys = [], stripsNulls }: ReturningPlan,
  scope: Scope,
  created: Fragment = sql`1`,
): Fragment {
  const object = objectOf(entries(select ?? [], scope));
  const answer = select === undefined ? sql`null` : stripsNulls === true ? sql`json_strip_nulls(${object})` : object;
  const texts = keys.map((name) => sql`${columnOf(scope.row, name)}::text`);
  const key = texts.length === 0 ? sql`null` : sql`json_build_array(json_build_array(${join(texts)}))`;
  return sql`returning ${answer}, 1, ${created}, ${key}`;
}

function keysOf({ keys }: Outputs, from: Fragment, ordered: Fragment): Fragment {
  if (keys.length === 0) return sql`null`;
  const key = sql`json_build_array(${join(keys.map((name) => sql`w.${name}`))})`;
  return sql`(select coalesce(${clauses(sql`json_agg(${key}`, ordered)}), '[]') ${from})`;
}

/** The rows in the form of the answer. */
export function shown(
  rows: Rows,
  { as, format, stripsNulls, style }: Pick<ReturningPlan, 'as' | 'format' | 'stripsNulls' | 'style'>,
  select: readonly SelectionPlan[],
): Fragment {
  if (format === 'csv') return csvOf(rows, select, style);
  if (format !== 'json' && 'handler' in format)
    return writtenBy(format.handler, format.of === undefined ? rows.row : sql`t.whole`);
  if (format !== 'json') return geojsonOf(rows, format.geojson);
  const text = as === 'list' ? listOf(rows) : sql`(array_agg(${jsonOf(rows)}))[1]`;
  return stripsNulls === true ? sql`json_strip_nulls(${text})` : text;
}

/** The table whose whole rows are answered. */
export const wholeOf = (format: RowsFormat): TableName | undefined =>
  typeof format === 'object' && 'handler' in format ? format.of : undefined;

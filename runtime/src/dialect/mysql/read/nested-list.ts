import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { ReadPlan } from '../../../plan/read/plan.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import { isExact } from '../parameters/instant.js';
import { isUnsigned } from '../parameters/type-name.js';
import type { Features } from '../start-up/features.js';
import { isText, yielding } from '../comparison.js';
import { typed } from '../parameters/parameter.js';
import { filterOf, joined, linked, tableIn, where } from '../../sql/condition.js';
import { allKeys, orderBy, sortedInList } from './expression.js';
import { clauses, columnOf, join, nothing, rowNumber, type Fragment } from '../sql.js';
import { keyOf, type Belonging, type Compiler, type Scope } from './scope.js';
import { numberText } from './projection.js';
import { listOf, whole } from './text.js';

/**
 * The related rows of a row as a JSON list, for a database whose derived tables cannot refer to the
 * row around them. A scalar subselect finds the keys of the page as JSON; the rows are then joined
 * by key.
 * @param write the text of a row
 */
export function nestedList(
  plan: ReadPlan,
  compiler: Compiler,
  belonging: Belonging,
  write: (scope: Scope) => Fragment,
): Fragment {
  const key = keyOf(plan.table, compiler.types);
  return key?.every(({ type }) => canTravel(type) && isExact(type, compiler.types.features)) === true
    ? byKeys(plan, key, compiler, belonging, write)
    : byNumber(plan, compiler, belonging, write);
}

const scopeOf = (plan: ReadPlan, compiler: Compiler): Scope => ({
  row: compiler.newRow(),
  style: plan.style,
  compiler,
});

function byKeys(
  plan: ReadPlan,
  key: readonly TypedColumn[],
  compiler: Compiler,
  belonging: Belonging,
  write: (scope: Scope) => Fragment,
): Fragment {
  const found = scopeOf(plan, compiler);
  const shown = scopeOf(plan, compiler);
  const k = compiler.newRow();
  const { from, on } = joined(belonging.join, belonging.outer, found.row);
  const matches = filterOf(plan.where, found);
  const values = key.map(({ name, type }) => sent(type, columnOf(found.row, name)));
  const item = values.length === 1 ? (values[0] ?? nothing) : sql`json_array(${join(values)})`;
  const order = allKeys(plan.order, found).flatMap(sortedInList);
  const keys = clauses(item, order.length === 0 ? nothing : sql`order by ${join(order)}`, reachOf(plan));
  const page = clauses(sql`select json_arrayagg(${keys}) from ${from}`, where([on, matches]));
  const columns = key.map(({ type }, at) => {
    const path = sql.raw(values.length === 1 ? "'$'" : `'$[${String(at)}]'`);
    return sql`${sql.id(`c${String(at)}`)} ${transport(type)} path ${path}`;
  });
  const source = sql`json_table((${page}), '$[*]' columns (rn for ordinality, ${join(columns)})) as ${sql.id(k)}`;
  const same = key.map(
    ({ name, type }, at) =>
      sql`${columnOf(shown.row, name)} = ${received(type, columnOf(k, `c${String(at)}`), compiler.types.features)}`,
  );
  const { from: target, readable } = tableIn(plan.table, shown);
  const rows = sql`${source} straight_join ${target} on ${join([...same, ...readable], sql` and `)}`;
  const number = columnOf(k, 'rn');
  const list = listOf(write(shown), [number]);
  return whole(sql`(${clauses(sql`select ${list} from ${rows}`, where(pageOf(plan, number)))})`);
}

/** For a table without a key: all rows are numbered within the outer row they belong to. */
function byNumber(
  plan: ReadPlan,
  compiler: Compiler,
  belonging: Belonging,
  write: (scope: Scope) => Fragment,
): Fragment {
  const scope = scopeOf(plan, compiler);
  const g = compiler.newRow();
  const links = linked(belonging.join, scope);
  const matches = filterOf(plan.where, scope);
  const keys = allKeys(plan.order, scope);
  const over = clauses(sql`partition by ${join(links.columns)}`, orderBy(keys));
  const columns = [
    sql`${write(scope)} as j`,
    sql`row_number() over (${over}) as rn`,
    ...links.columns.map((column, at) => sql`${column} as ${sql.id(`l${String(at)}`)}`),
  ];
  const rows = clauses(sql`select ${join(columns)} from ${links.from}`, where([...links.readable, matches]));
  const ofOuter = belonging.join.columns.map(
    (column, at) => sql`${columnOf(g, `l${String(at)}`)} = ${columnOf(belonging.outer.row, column)}`,
  );
  const number = columnOf(g, 'rn');
  const list = listOf(columnOf(g, 'j'), [number]);
  const page = [...ofOuter, ...pageOf(plan, number)];
  return whole(sql`(${clauses(sql`select ${list} from (${rows}) as ${sql.id(g)}`, where(page))})`);
}

/** The largest number of keys. The LIMIT of JSON_ARRAYAGG accepts no parameter. */
function reachOf({ limit, offset = 0, reach }: ReadPlan): Fragment {
  const most = typeof limit === 'number' && typeof offset === 'number' ? limit + offset : reach;
  return most === undefined ? nothing : sql`limit ${sql.lit(most)}`;
}

/** The condition that a row's number is on the page. */
function pageOf({ limit, offset }: ReadPlan, number: Fragment): readonly Fragment[] {
  if (limit === undefined && offset === undefined) return [];
  const skipped = offset === undefined ? sql`0` : rowNumber(offset);
  const after = offset === undefined ? [] : [sql`${number} > ${skipped}`];
  return limit === undefined ? after : [...after, sql`${number} <= ${skipped} + ${rowNumber(limit)}`];
}

const travelling: ReadonlySet<ColumnType['kind']> = new Set([
  'int',
  'bigint',
  'boolean',
  'numeric',
  'text',
  'enum',
  'uuid',
  'date',
  'time',
  'timestamp',
  'bytes',
]);

/** Whether JSON can carry a value of the type without loss, so that an index finds its row. */
const canTravel = ({ kind }: ColumnType): boolean => travelling.has(kind);

const isWhole = ({ kind }: ColumnType): boolean => kind === 'int' || kind === 'bigint' || kind === 'boolean';

/** The value of a key in the JSON. CONCAT turns JSON into a text, which is then quoted. */
function sent(type: ColumnType, value: Fragment): Fragment {
  if (isWhole(type)) return numberText(type, value);
  if (isText(type)) return sql`concat(json_quote(${value}))`;
  return type.kind === 'bytes' ? sql`hex(${value})` : sql`cast(${value} as char)`;
}

const transport = (type: ColumnType): Fragment =>
  sql.raw(isWhole(type) ? (isUnsigned(type.sql) ? 'bigint unsigned' : 'bigint') : 'longtext');

function received(type: ColumnType, value: Fragment, features: Features): Fragment {
  if (isWhole(type)) return value;
  if (isText(type)) return yielding(value);
  return type.kind === 'uuid' ? sql`cast(${value} as uuid)` : typed(type, value, features);
}

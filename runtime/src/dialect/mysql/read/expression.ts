import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { AggregateCall, Expression, OrderPlan } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import { expression, relatedValue } from '../../sql/expression.js';
import { canBeNull } from '../../sql/expression-facts.js';
import type { DerivedExpression } from '../../sql/words.js';
import { stepPath } from '../parameters/json-path.js';
import { isPositioned, labelsOf } from '../parameters/positions.js';
import { argumentsOf } from './call.js';
import { plainText } from './projection.js';
import { columnOf, constant, join, nothing, table, type Fragment } from '../sql.js';
import type { Scope, Types } from './scope.js';

/** Truth values are numbers here, and each but 0 is true: two that are true are the same value. */
export const stored = (type: ColumnType, value: Fragment): Fragment =>
  type.kind === 'boolean' ? sql`(${value} <> 0)` : value;

/** The value of an expression that is more than a column. */
export function derived(of: DerivedExpression, scope: Scope): Fragment {
  switch (of.kind) {
    case 'path': {
      const json = of.steps.reduce(
        (value, { key }) => sql`json_extract(${value}, ${constant(stepPath(key))})`,
        columnOf(scope.row, of.column),
      );
      // An absent value is null, and so is JSON's null as a text, as in PostgreSQL.
      return of.steps.at(-1)?.arrow === '->>'
        ? sql`if(json_type(${json}) = 'NULL', null, json_unquote(${json}))`
        : json;
    }
    case 'cast':
      // What escapes texts fails for a number, of which the plain text is the number itself.
      return sql`concat(${plainText(of.of.type, expression(of.of, scope), scope.style, scope.compiler.types)})`;
    case 'computed': {
      const { types } = scope.compiler;
      const columns = (of.columns ?? []).map((name) => columnOf(scope.row, name));
      const called = sql`${table(of.function, types)}(${join([...columns, ...argumentsOf(of.given, types)])})`;
      return stored(of.type, called);
    }
    case 'length':
      throw unsupported('This database has no arrays.');
    case 'distance':
      throw unsupported('This database does not search vectors.');
  }
}

/**
 * The value in the form that orders and bounds compare: an ENUM or a SET by its position. Only in
 * ORDER BY does the column itself sort by position; elsewhere it is compared as a text.
 */
export function sortable(of: Expression, scope: Scope): Fragment {
  if (!isPositioned(of.type)) return expression(of, scope);
  switch (of.kind) {
    case 'related':
      return relatedValue(of, scope, sortable);
    case 'aggregated':
      return sortableAggregate(of.call, scope);
    case 'computed':
      return positionOfText(of.type, expression(of, scope), scope.compiler.types);
    default:
      if (scope.compiler.types.readsHeld === true)
        return positionOfText(of.type, expression(of, scope), scope.compiler.types);
      return sql`cast(${expression(of, scope)} as unsigned)`;
  }
}

/** The position of a text: a function's value is no column, whose number is its position. */
function positionOfText(type: ColumnType, value: Fragment, types: Types): Fragment {
  const labels = labelsOf(type, types).map(constant);
  if (type.kind === 'enum') return sql`nullif(field(${value}, ${join(labels)}), 0)`;
  const bits = labels.map((label, at) => sql`if(find_in_set(${label}, ${value}) > 0, 1 << ${sql.lit(at)}, 0)`);
  return sql`if(${value} is null, null, ${join(bits, sql` + `)})`;
}

/** The sortable form of an aggregate: the least or greatest position. */
export function sortableAggregate(call: AggregateCall, scope: Scope): Fragment {
  if (call.of === undefined || call.name === 'count' || call.name === 'countDistinct' || !isPositioned(call.of.type))
    return aggregated(call, scope);
  return sql`${sql.raw(functions[call.name])}(${sortable(call.of, scope)})`;
}

const functions = {
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  stddev: 'stddev_samp',
  variance: 'var_samp',
} as const;

/** `sum(r0.price)` */
export function aggregated({ name: of, of: operand }: AggregateCall, scope: Scope): Fragment {
  if (operand === undefined) return sql`count(*)`;
  const value = expression(operand, scope);
  if (of === 'count') return sql`count(${value})`;
  if (of === 'countDistinct') return sql`count(distinct ${value})`;
  const apply = sql.raw(functions[of]);
  if (!isPositioned(operand.type)) return sql`${apply}(${value})`;
  // MIN and MAX of an ENUM or a SET compare letters; everything else compares positions.
  const labels = join(labelsOf(operand.type, scope.compiler.types).map(constant));
  const position = sql`${apply}(${sortable(operand, scope)})`;
  return operand.type.kind === 'enum' ? sql`elt(${position}, ${labels})` : sql`make_set(${position}, ${labels})`;
}

/**
 * One key of an order: its expression and its direction. The place of nulls is another key before
 * it, if it differs from MySQL's default.
 */
export interface OrderKey {
  readonly value: Fragment;
  readonly descending: boolean;
  /** The value may be null, and no key before it orders the nulls. */
  readonly nullable?: true;
}

/**
 * `reversed` reads the same order from its end. By PostgreSQL's default nulls are the greatest
 * values; in MySQL they are the least.
 */
export function orderKeys({ by, direction, nulls }: OrderPlan, scope: Scope, reversed = false): readonly OrderKey[] {
  const descending = (direction === 'desc') !== reversed;
  // A column of an ENUM or a SET is sorted by position, and has an index for that.
  const isColumn = by.kind === 'column' && scope.compiler.types.readsHeld !== true;
  const value = isColumn ? expression(by, scope) : sortable(by, scope);
  const key = { value, descending };
  if (!canBeNull(by)) return [key];
  const nullsFirst = ((nulls ?? (direction === 'asc' ? 'last' : 'first')) === 'first') !== reversed;
  return nullsFirst === !descending
    ? [{ ...key, nullable: true }]
    : [{ value: sql`(${value} is null)`, descending: nullsFirst }, key];
}

export const allKeys = (order: readonly OrderPlan[], scope: Scope, reversed = false): readonly OrderKey[] =>
  order.flatMap((each) => orderKeys(each, scope, reversed));

export const sorted = ({ value, descending }: OrderKey): Fragment => (descending ? sql`${value} desc` : value);

/**
 * The order inside GROUP_CONCAT and JSON_ARRAYAGG, where MariaDB sorts NULL as 0 or ''. An extra
 * key makes NULL the least.
 */
export const sortedInList = ({ nullable, ...key }: OrderKey): readonly Fragment[] => {
  const nulls = { value: sql`(${key.value} is null)`, descending: !key.descending };
  return nullable === true ? [sorted(nulls), sorted(key)] : [sorted(key)];
};

export const orderBy = (keys: readonly OrderKey[]): Fragment =>
  keys.length === 0 ? nothing : sql`order by ${join(keys.map(sorted))}`;

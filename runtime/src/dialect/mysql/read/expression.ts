import { sql } from 'kysely';
import type { AggregateCall, Expression, OrderPlan } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import { stepPath } from '../parameters/json-path.js';
import { plainText } from './projection.js';
import { constant, join, nothing, type Fragment } from '../sql.js';
import { columnOf, joined, type Scope } from './scope.js';

/** The expression's value for the row of the scope. */
export function expression(of: Expression, scope: Scope): Fragment {
  switch (of.kind) {
    case 'column':
      return columnOf(scope.row, of.column);
    case 'path': {
      const json = of.steps.reduce(
        (value, { key }) => sql`json_extract(${value}, ${constant(stepPath(key))})`,
        columnOf(scope.row, of.column),
      );
      // An absent value is null; so is JSON's null as a text, as in PostgreSQL.
      return of.steps.at(-1)?.arrow === '->>'
        ? sql`if(json_type(${json}) = 'NULL', null, json_unquote(${json}))`
        : json;
    }
    case 'cast':
      return plainText(of.of.type, expression(of.of, scope), scope.style, scope.compiler.types);
    case 'related': {
      const inner: Scope = { ...scope, row: scope.compiler.newRow() };
      const { from, on } = joined(of.join, scope, inner.row);
      return sql`(select ${expression(of.by, inner)} from ${from} where ${on} limit 1)`;
    }
    case 'count': {
      const { from, on } = joined(of.join, scope, scope.compiler.newRow());
      return sql`(select count(*) from ${from} where ${on})`;
    }
    case 'aggregated':
      return aggregated(of.call, scope);
    case 'computed':
      throw unsupported('This database has no computed fields.');
    case 'length':
      throw unsupported('This database has no arrays.');
    case 'distance':
      throw unsupported('This database does not search vectors.');
  }
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
  const labels =
    operand.type.kind === 'enum' ? scope.compiler.types.enums.get(operand.type.enum ?? '')?.values : undefined;
  if (labels === undefined) return sql`${apply}(${value})`;
  // MIN and MAX of an enum go by the labels' letters, everything else by their order.
  return sql`elt(${apply}(${value} + 0), ${join(labels.map(({ label }) => constant(label)))})`;
}

export function canBeNull(by: Expression): boolean {
  if (by.kind === 'column') return by.nullable;
  return by.kind !== 'count' && !(by.kind === 'aggregated' && by.call.name === 'count');
}

/**
 * One key of an order: its expression and its direction. Where nulls are is a key of its own where
 * it is not MySQL's own.
 */
export interface OrderKey {
  readonly value: Fragment;
  readonly descending: boolean;
  /** It may be null, and no key before it says where nulls are. */
  readonly nullable?: true;
}

/**
 * `reversed` reads the same order from its end. PostgreSQL's default: nulls are the greatest; MySQL
 * has them as the least.
 */
export function orderKeys({ by, direction, nulls }: OrderPlan, scope: Scope, reversed = false): readonly OrderKey[] {
  const descending = (direction === 'desc') !== reversed;
  const value = expression(by, scope);
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
 * The same in GROUP_CONCAT and JSON_ARRAYAGG, where MariaDB sorts NULL as 0 or '': that NULL is the
 * least has to be said there.
 */
export const sortedInList = ({ nullable, ...key }: OrderKey): readonly Fragment[] => {
  const nulls = { value: sql`(${key.value} is null)`, descending: !key.descending };
  return nullable === true ? [sorted(nulls), sorted(key)] : [sorted(key)];
};

export const orderBy = (keys: readonly OrderKey[]): Fragment =>
  keys.length === 0 ? nothing : sql`order by ${join(keys.map(sorted))}`;

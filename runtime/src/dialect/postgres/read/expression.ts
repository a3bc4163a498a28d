import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { expression } from '../../sql/expression.js';
import type { DerivedExpression } from '../../sql/words.js';
import { comparedAs } from '../comparison.js';
import type { AggregateCall, Distance, Expression, OrderPlan } from '../../../plan/read/plan.js';
import { argumentList } from './call.js';
import { arrayLength } from './operators.js';
import { represented } from './represented.js';
import type { Scope } from './scope.js';
import {
  columnOf,
  operatorSchema,
  join,
  jsonKey,
  nothing,
  operator,
  parameter,
  qualified,
  table,
  typeName,
  type Fragment,
} from '../sql.js';

/** Source: https://github.com/pgvector/pgvector#querying; decision 011. */
const distanceOperators: Readonly<Record<Distance, string>> = { L2: '<->', COSINE: '<=>', IP: '<#>' };

/** The value of an expression that is more than a column. */
export function derived(of: DerivedExpression, scope: Scope): Fragment {
  switch (of.kind) {
    case 'path': {
      const steps = of.steps.map(({ arrow, key }) => sql`${sql.raw(arrow)} ${jsonKey(key)}`);
      const column = columnOf(scope.row, of.column);
      return sql`(${of.isConverted === true ? sql`to_jsonb(${column})` : column} ${join(steps, sql` `)})`;
    }
    case 'computed':
      return computed(of, scope);
    case 'cast':
      return sql`${represented(of.of, scope) ?? expression(of.of, scope)}::${typeName(of.type.sql)}`;
    case 'length':
      return arrayLength(expression(of.of, scope));
    case 'distance': {
      const symbol = operator(distanceOperators[of.distance], of.type);
      return sql`${columnOf(scope.row, of.column)} ${symbol} ${parameter(of.near, scope.compiler.types)}`;
    }
  }
}

/** `sum("r0"."price")` */
export function aggregated({ name, of }: AggregateCall, scope: Scope): Fragment {
  if (of === undefined) return sql`count(*)`;
  if (name === 'count') return sql`count(${expression(of, scope)})`;
  if (name === 'countDistinct') return sql`count(distinct ${compared(of, scope)})`;
  const value = compared(of, scope);
  const exact = of.type.kind === 'money' && name !== 'min' && name !== 'max' ? sql`${value}::numeric` : value;
  // For citext, min and max of the search path would be those of text.
  const schema = name === 'min' || name === 'max' ? operatorSchema(comparedAs(of.type)) : undefined;
  return sql`${schema === undefined ? sql.raw(name) : qualified(schema, name)}(${exact})`;
}

/** `"shop"."price_in"("r0".*, $1::"text")` */
function computed({ function: called, given }: Extract<Expression, { kind: 'computed' }>, scope: Scope): Fragment {
  const row = scope.whole ?? sql`${sql.id(scope.row)}.*`;
  const rest =
    given === undefined || given.arguments.length === 0
      ? nothing
      : sql`, ${argumentList(given.arguments, scope.compiler.types)}`;
  return sql`${table(called)}(${row}${rest})`;
}

/** The value in the form in which it is compared and ordered. */
export function compared(of: Expression, scope: Scope): Fragment {
  const value = expression(of, scope);
  const type = comparedAs(of.type);
  return type === of.type ? undomained(value, type) : sql`${value}::${typeName(type.sql)}`;
}

/**
 * PostgreSQL's operators of enums do not accept a domain over an enum. The cast of an enum to
 * itself is free.
 */
export const undomained = (value: Fragment, type: ColumnType): Fragment =>
  type.kind === 'enum' ? sql`${value}::${typeName(type.sql)}` : value;

/** `"r0"."created_at" desc nulls last`; `reversed` reads the same order from its end. */
export const orderKey = (order: OrderPlan, scope: Scope, reversed = false): Fragment =>
  directed(compared(order.by, scope), order, reversed);

/** The same of a value that is compared as it is. */
export function directed(
  value: Fragment,
  { direction, nulls }: Pick<OrderPlan, 'direction' | 'nulls'>,
  reversed = false,
): Fragment {
  const ascending = (direction === 'asc') !== reversed;
  const key = sql`${value} ${sql.raw(ascending ? 'asc' : 'desc')}`;
  // Written only if it differs from PostgreSQL's default.
  const byDefault = nulls === undefined || (nulls === 'last') === (direction === 'asc');
  return byDefault ? key : sql`${key} nulls ${sql.raw((nulls === 'first') !== reversed ? 'first' : 'last')}`;
}

export function orderBy(order: readonly OrderPlan[], scope: Scope, reversed = false): Fragment {
  if (order.length === 0) return nothing;
  return sql`order by ${join(order.map((each) => orderKey(each, scope, reversed)))}`;
}

import { sql } from 'kysely';
import { comparedAs } from '../comparison.js';
import type { Parameter } from '../../../plan/parameter.js';
import type { Condition, CursorCondition, Expression, OrderPlan } from '../../../plan/read/plan.js';
import type { Types } from '../parameters/encode.js';
import { compared } from './expression.js';
import { renderOperation } from './operators.js';
import { joined, type Scope } from './scope.js';
import { clauses, join, nothing, operand, operator, type Fragment } from '../sql.js';

/** A condition on the row of the scope, in parentheses where something may stand beside it. */
export function condition(of: Condition, scope: Scope): Fragment {
  switch (of.kind) {
    case 'and':
      return of.conditions.length === 0 ? sql`true` : group(of.conditions, scope, sql` and `);
    case 'or':
      return of.conditions.length === 0 ? sql`false` : group(of.conditions, scope, sql` or `);
    case 'not':
      return sql`(not ${condition(of.condition, scope)})`;
    case 'notTrue':
      return sql`(${condition(of.condition, scope)} is not true)`;
    case 'operation':
      return operation(of, compared(of.operand, scope), of.operand, scope.compiler.types);
    case 'exists':
      return exists(of, scope);
    case 'missing':
      return sql`(not ${exists(of, scope)})`;
    case 'cursor':
      return beyondCursor(of, scope);
  }
}

/** `where …`, or nothing. */
export function where(conditions: readonly (Fragment | undefined)[]): Fragment {
  const given = conditions.filter((each) => each !== undefined);
  return given.length === 0 ? nothing : sql`where ${join(given, sql` and `)}`;
}

interface Operation {
  readonly operator: string;
  readonly parameters: readonly Parameter[];
  readonly config?: Parameter;
}

export const operation = (
  { operator: id, parameters, config }: Operation,
  value: Fragment,
  { type }: Pick<Expression, 'type'>,
  types: Types,
): Fragment => {
  const [first = nothing, second = nothing] = parameters.map((each) => operand(each, types));
  const rendered = renderOperation(id, {
    value,
    type: comparedAs(type),
    parameters: [first, second],
    config: config === undefined ? undefined : operand(config, types),
  });
  return sql`(${rendered})`;
};

const group = (conditions: readonly Condition[], scope: Scope, separator: Fragment): Fragment =>
  sql`(${join(
    conditions.map((each) => condition(each, scope)),
    separator,
  )})`;

function exists(of: Extract<Condition, { kind: 'exists' | 'missing' }>, scope: Scope): Fragment {
  const inner: Scope = { row: scope.compiler.newRow(), style: scope.style, compiler: scope.compiler };
  const { from, on } = joined(of.join, scope, inner.row);
  const matching = of.where === undefined ? undefined : condition(of.where, inner);
  return sql`exists (${clauses(sql`select from ${from}`, where([on, matching]))})`;
}

type Key = CursorCondition['keys'][number];

/**
 * The row is after (before) the cursor's: greater in the first key, or equal in it and greater in
 * the second, and so on. If no key can be null and all have the same direction, this is a row
 * comparison, which an index on the keys can serve.
 */
function beyondCursor({ keys, side }: CursorCondition, scope: Scope): Fragment {
  const [first] = keys;
  if (first === undefined) return sql`true`;
  if (isRowComparison(keys)) {
    const symbol = sql.raw(greater(first.order, side) ? '>' : '<');
    const left = join(keys.map(({ order }) => compared(order.by, scope)));
    return sql`((${left}) ${symbol} (${join(keys.map(({ value }) => operand(value, scope.compiler.types)))}))`;
  }
  const alternatives = keys.map((key, at) => {
    const equals = keys.slice(0, at).map((each) => sameKey(each, scope));
    return sql`(${join([...equals, beyondKey(key, side, scope)], sql` and `)})`;
  });
  const any = sql`(${join(alternatives, sql` or `)})`;
  // Implied by the alternatives, but only this form bounds an index scan.
  return canBeNull(first.order.by)
    ? any
    : sql`(${compare(first, greater(first.order, side) ? '>=' : '<=', scope)} and ${any})`;
}

function isRowComparison(keys: readonly Key[]): boolean {
  const [first] = keys;
  return keys.every(
    ({ order }) =>
      order.direction === first?.order.direction &&
      !canBeNull(order.by) &&
      // A row comparison looks its operators up in the search path.
      !(order.by.type.kind === 'text' && order.by.type.sql.schema !== undefined),
  );
}

function canBeNull(by: Expression): boolean {
  if (by.kind === 'column') return by.nullable;
  return by.kind !== 'count';
}

/** Whether rows on this side of the cursor have greater keys. */
const greater = ({ direction }: OrderPlan, side: 'after' | 'before'): boolean =>
  (direction === 'asc') === (side === 'after');

const compare = ({ order, value }: Key, symbol: string, scope: Scope): Fragment =>
  sql`${compared(order.by, scope)} ${operator(symbol, comparedAs(order.by.type))} ${operand(value, scope.compiler.types)}`;

function sameKey(key: Key, scope: Scope): Fragment {
  const same = compare(key, '=', scope);
  if (!canBeNull(key.order.by)) return same;
  return sql`(${same} or (${compared(key.order.by, scope)} is null and ${operand(key.value, scope.compiler.types)} is null))`;
}

function beyondKey(key: Key, side: 'after' | 'before', scope: Scope): Fragment {
  const { by, direction, nulls = direction === 'asc' ? 'last' : 'first' } = key.order;
  const beyond = compare(key, greater(key.order, side) ? '>' : '<', scope);
  if (!canBeNull(by)) return beyond;
  const value = compared(by, scope);
  const cursor = operand(key.value, scope.compiler.types);
  const nullsBeyond = (nulls === 'last') === (side === 'after');
  return nullsBeyond
    ? sql`(${cursor} is not null and (${beyond} or ${value} is null))`
    : sql`(${beyond} or (${cursor} is null and ${value} is not null))`;
}

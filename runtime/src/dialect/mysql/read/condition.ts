import { sql } from 'kysely';
import type { Parameter } from '../../../plan/parameter.js';
import type { Condition, CursorCondition, Expression, OrderPlan } from '../../../plan/read/plan.js';
import { operand } from '../parameters/parameter.js';
import { canBeNull, expression } from './expression.js';
import { clauses, join, nothing, type Fragment } from '../sql.js';
import { renderOperation } from './operators.js';
import { joined, type Scope, type Types } from './scope.js';

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
      return operation(of, expression(of.operand, scope), of.operand, scope.compiler.types);
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
}

export function operation(
  { operator, parameters }: Operation,
  value: Fragment,
  { type }: Pick<Expression, 'type'>,
  types: Types,
): Fragment {
  const [first = nothing, second = nothing] = parameters.map((each) => operand(each, types));
  return renderOperation(operator, { value, type, parameters: [first, second], features: types.features });
}

const group = (conditions: readonly Condition[], scope: Scope, separator: Fragment): Fragment =>
  sql`(${join(
    conditions.map((each) => condition(each, scope)),
    separator,
  )})`;

function exists(of: Extract<Condition, { kind: 'exists' | 'missing' }>, scope: Scope): Fragment {
  const inner: Scope = { ...scope, row: scope.compiler.newRow() };
  const { from, on } = joined(of.join, scope, inner.row);
  const matching = of.where === undefined ? undefined : condition(of.where, inner);
  return sql`exists (${clauses(sql`select 1 from ${from}`, where([on, matching]))})`;
}

type Key = CursorCondition['keys'][number];

/**
 * The row is after (before) the cursor's: greater in the first key, or equal in it and greater in
 * the second, and so on. For a row comparison, MariaDB reads the whole index; it can use the bound
 * on the first key.
 */
function beyondCursor({ keys, side }: CursorCondition, scope: Scope): Fragment {
  const [first] = keys;
  if (first === undefined) return sql`true`;
  const alternatives = keys.map((key, at) => {
    const equals = keys.slice(0, at).map((each) => sameKey(each, scope));
    return sql`(${join([...equals, beyondKey(key, side, scope)], sql` and `)})`;
  });
  const any = sql`(${join(alternatives, sql` or `)})`;
  return canBeNull(first.order.by)
    ? any
    : sql`(${compare(first, greater(first.order, side) ? '>=' : '<=', scope)} and ${any})`;
}

/** Whether rows on this side of the cursor have greater keys. */
const greater = ({ direction }: OrderPlan, side: 'after' | 'before'): boolean =>
  (direction === 'asc') === (side === 'after');

const compare = ({ order, value }: Key, symbol: string, scope: Scope): Fragment =>
  sql`${expression(order.by, scope)} ${sql.raw(symbol)} ${operand(value, scope.compiler.types)}`;

const sameKey = (key: Key, scope: Scope): Fragment => compare(key, canBeNull(key.order.by) ? '<=>' : '=', scope);

function beyondKey(key: Key, side: 'after' | 'before', scope: Scope): Fragment {
  const { by, direction, nulls = direction === 'asc' ? 'last' : 'first' } = key.order;
  const beyond = compare(key, greater(key.order, side) ? '>' : '<', scope);
  if (!canBeNull(by)) return beyond;
  const value = expression(by, scope);
  const cursor = operand(key.value, scope.compiler.types);
  const nullsBeyond = (nulls === 'last') === (side === 'after');
  return nullsBeyond
    ? sql`(${cursor} is not null and (${beyond} or ${value} is null))`
    : sql`(${beyond} or (${cursor} is null and ${value} is not null))`;
}

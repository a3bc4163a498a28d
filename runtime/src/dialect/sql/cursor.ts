import { sql } from 'kysely';
import type { CursorCondition, OrderPlan } from '../../plan/read/plan.js';
import { canBeNull } from './expression-facts.js';
import { join, type Fragment } from './fragment.js';
import type { CursorKey, Scope, Target } from './words.js';

type Side = CursorCondition['side'];

/**
 * The row is after (before) the cursor's: greater in the first key, or equal in it and greater in
 * the second, and so on. A database that can use an index for a comparison of rows compares rows.
 */
export function beyondCursor<D extends Target>({ keys, side }: CursorCondition, scope: Scope<D>): Fragment {
  const [first] = keys;
  if (first === undefined) return sql`true`;
  const rows = scope.compiler.words.rowComparison(keys, isGreater(first.order, side) ? '>' : '<', scope);
  if (rows !== undefined) return rows;
  const alternatives = keys.map((key, at) => {
    const equals = keys.slice(0, at).map((each) => sameKey(each, scope));
    return sql`(${join([...equals, beyondKey(key, side, scope)], sql` and `)})`;
  });
  const any = sql`(${join(alternatives, sql` or `)})`;
  // The alternatives imply this bound, but an index scan needs it.
  return canBeNull(first.order.by)
    ? any
    : sql`(${compareKey(first, isGreater(first.order, side) ? '>=' : '<=', scope)} and ${any})`;
}

/** Whether rows on this side of the cursor have greater keys. */
const isGreater = ({ direction }: OrderPlan, side: Side): boolean => (direction === 'asc') === (side === 'after');

export function compareKey<D extends Target>({ order, value }: CursorKey, symbol: string, scope: Scope<D>): Fragment {
  const { words } = scope.compiler;
  return sql`${words.sortable(order.by, scope)} ${words.comparison(symbol, order.by.type)} ${words.cursorValue(value, scope)}`;
}

const sameKey = <D extends Target>(key: CursorKey, scope: Scope<D>): Fragment =>
  canBeNull(key.order.by) ? scope.compiler.words.sameNullable(key, scope) : compareKey(key, '=', scope);

/** Nulls are before or after all values, as the order says: no comparison finds them. */
function beyondKey<D extends Target>(key: CursorKey, side: Side, scope: Scope<D>): Fragment {
  const { by, direction, nulls = direction === 'asc' ? 'last' : 'first' } = key.order;
  const beyond = compareKey(key, isGreater(key.order, side) ? '>' : '<', scope);
  if (!canBeNull(by)) return beyond;
  const { words } = scope.compiler;
  const value = words.compared(by, scope);
  const cursor = words.cursorValue(key.value, scope);
  const nullsBeyond = (nulls === 'last') === (side === 'after');
  return nullsBeyond
    ? sql`(${cursor} is not null and (${beyond} or ${value} is null))`
    : sql`(${beyond} or (${cursor} is null and ${value} is not null))`;
}

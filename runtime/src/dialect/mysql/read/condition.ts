import { sql } from 'kysely';
import type { Parameter } from '../../../plan/parameter.js';
import type { AggregateCall, Expression } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import { compareKey } from '../../sql/cursor.js';
import { expression } from '../../sql/expression.js';
import { canBeNull } from '../../sql/expression-facts.js';
import type { CursorKey, Operation } from '../../sql/words.js';
import { bytesOf, isText } from '../comparison.js';
import { cursorSlot } from '../parameters/cursor-slot.js';
import { isSearch, searchSlot } from '../parameters/search-query.js';
import { operand, slotOf, typed } from '../parameters/parameter.js';
import { isPositioned, positionSlot } from '../parameters/positions.js';
import { isBit } from '../parameters/type-name.js';
import { columnOf, nothing, slot, type Fragment } from '../sql.js';
import { aggregated, sortable, sortableAggregate } from './expression.js';
import { comparesPositions, operators } from './operators.js';
import type { Scope } from './scope.js';

export function operation(
  { operator, parameters, exact }: Operation,
  of: Expression | AggregateCall,
  scope: Scope,
): Fragment {
  const { types } = scope.compiler;
  if (types.readsHeld === true && isSearch(operator))
    throw unsupported('Rows that a procedure has answered are not searched: they have no index.');
  const byPosition = comparesPositions(operator, of.type);
  const [first = nothing, second = nothing] = parameters.map((each) => {
    if (isSearch(operator)) return slot(searchSlot(operator, each));
    return byPosition ? sql`cast(${slot(positionSlot(each, types))} as unsigned)` : operand(each, types);
  });
  const compared =
    'kind' in of
      ? (byPosition ? sortable : expression)(of, scope)
      : (byPosition ? sortableAggregate : aggregated)(of, scope);
  const value = 'kind' in of && isNullTest(operator) && findsZero(of) ? sql`coalesce(${compared})` : compared;
  const found = operators.render(operator, {
    value,
    type: of.type,
    parameters: [first, second],
    features: types.features,
    negated: scope.negated === true,
  });
  if (operator === 'eq' && 'kind' in of && of.kind === 'column' && of.type.kind === 'boolean')
    return sql`(${indexed(columnOf(scope.row, of.column), first)} and ${found})`;
  return exact === true && isText(of.type) ? exactly(operator, found, value, first) : found;
}

/**
 * Finds every row whose truth value is this one by an index of the column, which the comparison of
 * truth values does not use; it may find others, too.
 */
const indexed = (column: Fragment, truth: Fragment): Fragment =>
  sql`(${column} = ${truth} or ${column} < 0 or ${column} > 1)`;

const isNullTest = (operator: string): boolean => operator === 'isNull' || operator === 'isNotNull';

/**
 * `column is null` finds zero dates, for ODBC, where the column is not nullable.
 * Source: https://mariadb.com/kb/en/is-null/
 */
const findsZero = (of: Expression): boolean =>
  of.kind === 'column' && (of.type.kind === 'date' || of.type.kind === 'timestamp') && !canBeNull(of);

/** The operation with the column's collation uses its index, and never finds fewer rows. */
function exactly(operator: string, found: Fragment, value: Fragment, right: Fragment): Fragment {
  if (operator === 'eq') return sql`(${found} and ${bytesOf(value)} = ${bytesOf(right)})`;
  if (operator !== 'in') return found;
  return sql`(${found} and ${bytesOf(value)} in (select ${bytesOf(sql`e.item`)} from (${right}) as e))`;
}

/** A value in the form in which `cursor` writes it. */
export function cursorValue(value: Parameter, { compiler: { types } }: Scope): Fragment {
  const text = slot(cursorSlot(slotOf(value, types), value.type));
  const isNumber = isPositioned(value.type) || isBit(value.type.sql);
  return isNumber ? sql`cast(${text} as unsigned)` : typed(value.type, text, types.features);
}

export const sameNullable = (key: CursorKey, scope: Scope): Fragment => compareKey(key, '<=>', scope);

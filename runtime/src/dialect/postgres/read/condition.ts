import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Parameter } from '../../../plan/parameter.js';
import type { AggregateCall, Expression } from '../../../plan/read/plan.js';
import { compareKey } from '../../sql/cursor.js';
import { canBeNull } from '../../sql/expression-facts.js';
import type { CursorKey, Operation } from '../../sql/words.js';
import { comparedAs } from '../comparison.js';
import { join, nothing, operand, operator, type Fragment } from '../sql.js';
import { aggregated, compared } from './expression.js';
import { operators } from './operators.js';
import { readOperand, readerOf } from './represented.js';
import type { Scope } from './scope.js';

export function operation(
  { operator: id, parameters, config }: Operation,
  of: Expression | AggregateCall,
  scope: Scope,
): Fragment {
  const { types } = scope.compiler;
  const type = comparedAs(of.type);
  const fromText = readerOf(id, of, scope);
  const [first = nothing, second = nothing] = parameters.map((each) => readOperand(each, fromText, type, scope));
  return operators.render(id, {
    value: 'kind' in of ? compared(of, scope) : aggregated(of, scope),
    type,
    parameters: [first, second],
    config: config === undefined ? undefined : operand(config, types),
  });
}

export const comparison = (symbol: string, type: ColumnType): Fragment => operator(symbol, comparedAs(type));

export const cursorValue = (of: Parameter, { compiler }: Scope): Fragment => operand(of, compiler.types);

export function sameNullable(key: CursorKey, scope: Scope): Fragment {
  const same = compareKey(key, '=', scope);
  return sql`(${same} or (${compared(key.order.by, scope)} is null and ${cursorValue(key.value, scope)} is null))`;
}

/**
 * An index on the keys serves a row comparison if no key can be null and all have the same
 * direction.
 */
export function rowComparison(keys: readonly CursorKey[], symbol: string, scope: Scope): Fragment | undefined {
  if (!isComparable(keys)) return undefined;
  const left = join(keys.map(({ order }) => compared(order.by, scope)));
  return sql`((${left}) ${sql.raw(symbol)} (${join(keys.map(({ value }) => cursorValue(value, scope)))}))`;
}

function isComparable(keys: readonly CursorKey[]): boolean {
  const [first] = keys;
  return keys.every(
    ({ order }) =>
      order.direction === first?.order.direction &&
      !canBeNull(order.by) &&
      // The operators of a row comparison are looked up in the search path.
      !(order.by.type.kind === 'text' && order.by.type.sql.schema !== undefined),
  );
}

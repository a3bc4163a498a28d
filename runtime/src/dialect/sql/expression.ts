import { sql } from 'kysely';
import type { Expression } from '../../plan/read/plan.js';
import { innerScope, joined } from './condition.js';
import { columnOf, type Fragment } from './fragment.js';
import type { Scope, Target } from './words.js';

/** The expression's value for the row of the scope. */
export function expression<D extends Target>(of: Expression, scope: Scope<D>): Fragment {
  const { words, newRow } = scope.compiler;
  switch (of.kind) {
    case 'column':
      return words.stored(of.type, columnOf(scope.row, of.column));
    case 'related':
      return relatedValue(of, scope, words.compared);
    case 'count': {
      const { from, on } = joined(of.join, scope, newRow());
      return sql`(select count(*) from ${from} where ${on})`;
    }
    case 'position':
      return sql.lit(of.at);
    case 'aggregated':
      return words.aggregated(of.call, scope);
    default:
      return words.derived(of, scope);
  }
}

/** A value of the one related row. */
export function relatedValue<D extends Target>(
  of: Extract<Expression, { kind: 'related' }>,
  scope: Scope<D>,
  valueOf: (of: Expression, scope: Scope<D>) => Fragment,
): Fragment {
  const inner = innerScope(scope, of.join);
  const { from, on } = joined(of.join, scope, inner.row);
  return sql`(select ${valueOf(of.by, inner)} from ${from} where ${on} limit 1)`;
}

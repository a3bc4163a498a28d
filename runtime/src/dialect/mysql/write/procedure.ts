import { sql } from 'kysely';
import type { CallArgument, TableName } from '../../../plan/read/plan.js';
import type { Statement } from '../../../plan/statement.js';
import { parameter } from '../parameters/parameter.js';
import type { Types } from '../read/scope.js';
import { compileFragment, join, table, type Fragment } from '../sql.js';

/** The user variable of an OUT or INOUT parameter. */
export const outputVariable = (position: number): Fragment => sql.raw(`@tablewright_${String(position)}`);

/**
 * CALL, and the statements that come before it.
 * @param given all parameters of the procedure, in order
 */
export function callOfProcedure(
  procedure: TableName,
  given: readonly Pick<CallArgument, 'mode' | 'parameter'>[],
  types: Types,
): { readonly before: readonly Statement[]; readonly call: Statement } {
  const values = given.map(({ parameter: value }) => (value === undefined ? sql`null` : parameter(value, types)));
  const isIn = (at: number): boolean => given[at]?.mode === 'in';
  const set = values.flatMap((value, at) => (isIn(at) ? [] : [sql`${outputVariable(at)} = ${value}`]));
  const all = values.map((value, at) => (isIn(at) ? value : outputVariable(at)));
  const setting = set.length === 0 ? [] : [compileFragment(sql`set ${join(set)}`)];
  return {
    before: [writable, ...setting],
    call: compileFragment(sql`call ${table(procedure, types)}(${join(all)})`),
  };
}

/**
 * A procedure may end the transaction and begin its own, which would be read only like the session.
 * The session is reset after the call.
 */
const writable = compileFragment(sql.raw('set /*M! tx_read_only = 0 */ /*!80000 transaction_read_only = 0 */'));

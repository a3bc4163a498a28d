import { sql } from 'kysely';
import type { FunctionPlan } from '../../../plan/write/write-plan.js';
import type { CallProgram } from '../../../plan/write-program.js';
import type { Types } from '../parameters/encode.js';
import { callOf } from '../read/call.js';
import { compilePlan } from '../read/words.js';
import { createCompiler } from '../read/words.js';
import { compileValue } from '../read/value.js';
import { compileFragment } from '../sql.js';

/**
 * The call. For rows of a table, a second statement reads the result, because the call may have
 * written related rows.
 */
export function functionProgram(plan: FunctionPlan, types: Types): CallProgram {
  if ('value' in plan) {
    return {
      kind: 'call',
      statement: compileFragment(sql`select ${compileValue(plan.value, createCompiler(types))}`, types),
    };
  }
  if ('rows' in plan) return { kind: 'call', statement: compilePlan(plan.rows, types) };
  if ('answers' in plan) throw new TypeError('Functions of PostgreSQL have no result sets.');
  const rows = sql`from (select ${callOf(plan.call, types)} as v) as f`;
  const text = sql`coalesce(array_agg(f.v) filter (where f.v is distinct from null), '{}')::text`;
  const answer = compilePlan(plan.answer, types);
  return { kind: 'call', statement: compileFragment(sql`select ${text} ${rows}`, types), answer };
}

import { sql } from 'kysely';
import type { RawRow, Slot, Statement } from '../../statement.js';
import type { FunctionPlan } from '../../../plan/write/write-plan.js';
import type { CallProgram } from '../../write-program.js';
import { answerIn } from '../../../plan/intent.js';
import { callOf } from '../read/call.js';
import { condition, where } from '../read/condition.js';
import { orderBy } from '../read/expression.js';
import { page, pageLimit } from '../read/limit.js';
import type { Types } from '../parameters/encode.js';
import { jsonOf, listOf, rowsOf } from '../read/object.js';
import { entries } from '../read/read.js';
import { createCompiler } from '../read/compiler.js';
import { compileValue } from '../read/value.js';
import { clauses, compileFragment, table } from '../sql.js';

/**
 * The call, and for rows of a table the statement that reads the rows of the result: the call may
 * have written their relations.
 */
export function functionProgram(plan: FunctionPlan, types: Types): CallProgram {
  if ('value' in plan) {
    return { kind: 'call', statement: compileFragment(sql`select ${compileValue(plan.value, createCompiler(types))}`) };
  }
  const { call } = plan;
  const rows = sql`from (select ${callOf(call, types)} as v) as f`;
  const text = sql`coalesce(array_agg(f.v) filter (where f.v is distinct from null), '{}')::text`;
  return { kind: 'call', statement: compileFragment(sql`select ${text} ${rows}`), answer: answerOf(plan, types) };
}

function answerOf(plan: Extract<FunctionPlan, { call: unknown }>, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope = { row: compiler.newRow(), style: plan.style, compiler };
  const called: Slot = { bind: (inputs) => (answerIn(inputs) as RawRow)[0] ?? null };
  const readable = where([plan.where === undefined ? undefined : condition(plan.where, scope)]);
  const source = sql`from unnest(${called}::${table(plan.table)}[]) as ${sql.id(scope.row)} ${readable}`;
  const tail = clauses(source, orderBy(plan.order, scope), pageLimit(plan));
  const found = rowsOf(entries(plan.select, scope), tail);
  const from = page(found.from, sql`t`, plan);
  return compileFragment(sql`select ${plan.call.returnsSet ? listOf(found) : jsonOf(found)} from ${from}`);
}

import { sql } from 'kysely';
import { unsupported } from '../../../plan/refuse.js';
import type { CallPlan, FunctionPlan } from '../../../plan/write/write-plan.js';
import type { Statement } from '../../../plan/statement.js';
import type { CallProgram, Steps } from '../../../plan/write-program.js';
import { slotOf, typed } from '../parameters/parameter.js';
import { functionValue } from '../read/call.js';
import { project } from '../read/projection.js';
import { compilePlan, createCompiler } from '../read/words.js';
import { compileFragment, join, slot, table, type Fragment } from '../sql.js';
import type { Types } from '../read/scope.js';
import { objectText, valueText, whole } from '../read/text.js';

/**
 * CALL with a user variable for each OUT and INOUT parameter; the values of the variables are the
 * result. Result sets of the procedure are dropped.
 */
export function compileCall(plan: CallPlan, types: Types): Steps {
  const { procedure, style } = plan;
  if (procedure.kind === 'function') throw unsupported('Functions are not called on this database.');
  const outputs = plan.arguments.filter(({ mode }) => mode === 'out' || mode === 'inout');
  const variable = (position: number): Fragment => sql.raw(`@tablewright_${String(position)}`);
  const before = outputs.map(({ position, parameter }): Fragment => {
    const type = procedure.arguments[position]?.type;
    const value =
      parameter === undefined || type === undefined ? sql`null` : typed(type, slot(slotOf(parameter, types)));
    return sql`${variable(position)} = ${value}`;
  });
  const given = plan.arguments.map(({ position, mode, parameter }): Fragment => {
    const type = procedure.arguments[position]?.type;
    if (mode !== 'in' || parameter === undefined || type === undefined) return variable(position);
    return typed(type, slot(slotOf(parameter, types)));
  });
  const setting = before.length === 0 ? undefined : compileFragment(sql`set ${join(before)}`);
  const call = compileFragment(sql`call ${table(procedure, types)}(${join(given)})`);
  const answer = answerStatement(plan, types, variable, style);
  return {
    perform: async (run, inputs) => {
      await run(writable, inputs);
      if (setting !== undefined) await run(setting, inputs);
      await run(call, inputs);
      if (answer === undefined) return [null];
      const [row] = await run(answer, inputs);
      return [row?.[0] ?? null];
    },
  };
}

/**
 * A procedure may end the transaction and begin its own, which would be read only like the session.
 * The session is reset after the call.
 */
const writable = compileFragment(sql.raw('set /*M! tx_read_only = 0 */ /*!80000 transaction_read_only = 0 */'));

function answerStatement(
  { procedure, arguments: given, outputNames }: CallPlan,
  types: Types,
  variable: (position: number) => Fragment,
  style: CallPlan['style'],
): Statement | undefined {
  const members = given.flatMap(({ position, mode, name }) => {
    const { type, field = name } = procedure.arguments[position] ?? {};
    if (type === undefined || (mode !== 'out' && mode !== 'inout')) return [];
    return [
      { as: outputNames === 'field' ? field : name, value: project(type, variable(position), true, style, types) },
    ];
  });
  return members.length === 0 ? undefined : compileFragment(sql`select ${whole(objectText(members))}`);
}

/** A function that writes is a statement like any other of a transaction: it cannot commit. */
export function functionProgram(plan: FunctionPlan, types: Types): CallProgram {
  if ('rows' in plan) return { kind: 'call', statement: compilePlan(plan.rows, types) };
  if (!('value' in plan)) throw unsupported('Functions of this database answer no rows.');
  const value = valueText(functionValue(plan.value, createCompiler(types)));
  return { kind: 'call', statement: { ...compileFragment(sql`select ${value}`), answers: 'rows' } };
}

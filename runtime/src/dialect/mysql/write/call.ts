import { sql } from 'kysely';
import { unsupported } from '../../../plan/refuse.js';
import type { CallPlan, FunctionPlan } from '../../../plan/write/write-plan.js';
import type { Statement } from '../../../plan/statement.js';
import type { CallProgram, Steps } from '../../../plan/write-program.js';
import { functionValue } from '../read/call.js';
import { project } from '../read/projection.js';
import { compilePlan, createCompiler } from '../read/words.js';
import { resultSetProgram } from './result-set.js';
import { compileFragment } from '../sql.js';
import { callOfProcedure, outputVariable } from './procedure.js';
import type { Types } from '../read/scope.js';
import { objectText, valueText, whole } from '../read/text.js';

/**
 * CALL with a user variable for each OUT and INOUT parameter; the values of the variables are the
 * result. Result sets of the procedure are dropped.
 */
export function compileCall(plan: CallPlan, types: Types): Steps {
  const { procedure, style } = plan;
  if (procedure.kind === 'function') throw unsupported('Functions are not called on this database.');
  const { before, call } = callOfProcedure(procedure, plan.arguments, types);
  const answer = answerStatement(plan, types, style);
  return {
    perform: async (run, inputs) => {
      for (const statement of [...before, call]) await run(statement, inputs);
      if (answer === undefined) return [null];
      const [row] = await run(answer, inputs);
      return [row?.[0] ?? null];
    },
  };
}

function answerStatement(
  { procedure, arguments: given, outputNames }: CallPlan,
  types: Types,
  style: CallPlan['style'],
): Statement | undefined {
  const members = given.flatMap(({ position, mode, name }) => {
    const { type, field = name } = procedure.arguments[position] ?? {};
    if (type === undefined || (mode !== 'out' && mode !== 'inout')) return [];
    return [
      {
        as: outputNames === 'field' ? field : name,
        value: project(type, outputVariable(position), true, style, types),
      },
    ];
  });
  return members.length === 0 ? undefined : compileFragment(sql`select ${whole(objectText(members))}`);
}

/**
 * A function that writes is a statement like any other of a transaction: it cannot commit. A
 * procedure is called by `resultSetProgram`.
 */
export function functionProgram(plan: FunctionPlan, types: Types): CallProgram {
  if ('call' in plan && plan.call.resultSet !== undefined) return resultSetProgram(plan, plan.call.resultSet, types);
  if ('rows' in plan) return { kind: 'call', statement: compilePlan(plan.rows, types) };
  if (!('value' in plan)) throw unsupported('Functions of this database answer no rows.');
  const value = valueText(functionValue(plan.value, createCompiler(types)));
  return { kind: 'call', statement: { ...compileFragment(sql`select ${value}`), answers: 'rows' } };
}

import type { CallPlan, WritePlan } from '../../../plan/write/write-plan.js';
import { compileWrite } from '../../sql/write-program.js';
import type { CallProgram, WriteProgram } from '../../../plan/write-program.js';
import type { Types } from '../parameters/encode.js';
import { rowEncoder } from '../parameters/rows.js';
import { compileCall, compileCallAnswer } from './call.js';
import { functionProgram } from './function.js';
import { compileReadBack, compileRows } from './table-writes.js';

export const compileProgram = (plan: WritePlan, types: Types): WriteProgram =>
  compileWrite(plan, {
    rows: (of) => compileRows(of, types),
    readBack: (of) => compileReadBack(of, types),
    rowEncoder: (columns) => rowEncoder(columns, types),
    call: (of) => callProgram(of, types),
    calledFunction: (of) => functionProgram(of, types),
  });

function callProgram(plan: CallPlan, types: Types): CallProgram {
  const answer = compileCallAnswer(plan, types);
  const silent = plan.procedure.kind === 'procedure' && answer === undefined;
  return {
    kind: 'call',
    statement: compileCall(plan, types),
    ...(answer === undefined ? {} : { answer }),
    ...(silent ? { silent: true as const } : {}),
  };
}

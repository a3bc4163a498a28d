import type { CallPlan, ReadBackPlan, TableWritePlan, WritePlan } from '../../../plan/write/write-plan.js';
import { compileWrite } from '../../sql/write-program.js';
import type { Statement } from '../../../plan/statement.js';
import type { CallProgram, Steps, WriteProgram } from '../../../plan/write-program.js';
import type { Types } from '../read/scope.js';
import { compileCall, functionProgram } from './call.js';
import { compileDelete, compileFind, compileReplace, compileUpdate } from './change.js';
import { compileInsert } from './insert.js';
import { compileReadByKeys, keysText, type Key } from './keys.js';
import { memberEncoder } from './rows.js';

export const compileProgram = (plan: WritePlan, types: Types): WriteProgram =>
  compileWrite(plan, {
    rows: (of) => compileRows(of, types),
    readBack: (of) => compileReadBack(of, types),
    rowEncoder: (columns) => memberEncoder(columns, types),
    call: (of) => callProgram(of, types),
    calledFunction: (of) => functionProgram(of, types),
  });

function callProgram(plan: CallPlan, types: Types): CallProgram {
  const hasOutputs = plan.arguments.some(({ mode }) => mode === 'out' || mode === 'inout');
  return { kind: 'call', statement: compileCall(plan, types), ...(hasOutputs ? {} : { silent: true as const }) };
}

function compileRows(plan: TableWritePlan, types: Types): Steps {
  switch (plan.kind) {
    case 'insert':
      return compileInsert(plan, types);
    case 'update':
      return compileUpdate(plan, types);
    case 'delete':
      return compileDelete(plan, types);
    case 'replace':
      return compileReplace(plan, types);
    case 'find':
      return compileFind(plan, types);
  }
}

function compileReadBack(plan: ReadBackPlan, types: Types): Statement {
  const bind = (inputs: unknown): string => keysText(plan.key, JSON.parse(plan.keys(inputs)) as readonly Key[], types);
  return compileReadByKeys(plan, { bind }, types);
}

import type {
  CallPlan,
  FunctionPlan,
  InsertTreePlan,
  NestedTreePlan,
  WritePlan,
} from '../../../plan/write/write-plan.js';
import type { CallProgram, InsertTree, NestedTree, RowsProgram, WriteProgram } from '../../write-program.js';
import type { Types } from '../parameters/encode.js';
import { rowEncoder } from '../parameters/rows.js';
import { compileCall, compileCallAnswer } from './call.js';
import { functionProgram } from './function.js';
import { compileReadBack, compileRows } from './write.js';

/**
 * WritePlan → the statements it takes: one for each table, and one for what only shows when they
 * are done.
 */
export function compileProgram(plan: WritePlan, types: Types): WriteProgram {
  switch (plan.kind) {
    case 'call':
      return callProgram(plan, types);
    case 'function':
      return functionProgram(plan, types);
    case 'rows':
      return { statement: compileRows(plan.write, types), ...answered(plan, types) };
    case 'tree':
      return { tree: { ...treeOf(plan.tree, types), rows: plan.rows }, ...answered(plan, types) };
  }
}

function answered(
  { readBack, empty, atMost }: Exclude<WritePlan, CallPlan | FunctionPlan>,
  types: Types,
): Pick<RowsProgram, 'kind' | 'readBack' | 'empty' | 'atMost'> {
  return {
    kind: 'rows',
    empty,
    ...(readBack === undefined ? {} : { readBack: compileReadBack(readBack, types) }),
    ...(atMost === undefined ? {} : { atMost }),
  };
}

const treeOf = (plan: InsertTreePlan, types: Types): InsertTree => ({
  statement: compileRows(plan.insert, types),
  rows: () => [],
  encode: rowEncoder(plan.columns, types),
  forward: plan.forward.map((each) => nestedOf(each, types)),
  reverse: plan.reverse.map((each) => nestedOf(each, types)),
  ownKey: plan.ownKey,
});

const nestedOf = ({ tree, ...place }: NestedTreePlan, types: Types): NestedTree => ({
  ...place,
  tree: treeOf(tree, types),
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

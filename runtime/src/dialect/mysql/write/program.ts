import type {
  CallPlan,
  FunctionPlan,
  InsertTreePlan,
  NestedTreePlan,
  RowsPlan,
  WritePlan,
} from '../../../plan/write/write-plan.js';
import type { InsertTree, NestedTree, RowsProgram, Steps, WriteProgram } from '../../write-program.js';
import type { Types } from '../read/scope.js';
import { noFunctions } from '../read/no-functions.js';
import { compileCall } from './call.js';
import { compileDelete, compileFind, compileReplace, compileUpdate } from './change.js';
import { compileInsert } from './insert.js';
import { compileReadByKeys, keysText, type Key } from './keys.js';
import { memberEncoder } from './rows.js';

/** WritePlan → the statements it takes. */
export function compileProgram(plan: WritePlan, types: Types): WriteProgram {
  switch (plan.kind) {
    case 'call':
      return {
        kind: 'call',
        statement: compileCall(plan, types),
        ...(hasOutputs(plan) ? {} : { silent: true as const }),
      };
    case 'function':
      throw noFunctions();
    case 'rows':
      return { statement: compileRows(plan.write, types), ...answered(plan, types) };
    case 'tree':
      return { tree: { ...treeOf(plan.tree, types), rows: plan.rows }, ...answered(plan, types) };
  }
}

const hasOutputs = ({ arguments: given }: CallPlan): boolean =>
  given.some(({ mode }) => mode === 'out' || mode === 'inout');

function compileRows(plan: RowsPlan, types: Types): Steps {
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

function answered(
  { readBack, empty, atMost }: Exclude<WritePlan, CallPlan | FunctionPlan>,
  types: Types,
): Pick<RowsProgram, 'kind' | 'readBack' | 'empty' | 'atMost'> {
  const keys =
    readBack === undefined
      ? undefined
      : {
          bind: (inputs: unknown) => keysText(readBack.key, JSON.parse(readBack.keys(inputs)) as readonly Key[], types),
        };
  return {
    kind: 'rows',
    empty,
    ...(readBack === undefined || keys === undefined ? {} : { readBack: compileReadByKeys(readBack, keys, types) }),
    ...(atMost === undefined ? {} : { atMost }),
  };
}

const treeOf = (plan: InsertTreePlan, types: Types): InsertTree => ({
  statement: compileInsert(plan.insert, types),
  rows: () => [],
  encode: memberEncoder(plan.columns, types),
  forward: plan.forward.map((each) => nestedOf(each, types)),
  reverse: plan.reverse.map((each) => nestedOf(each, types)),
  ownKey: plan.ownKey,
});

const nestedOf = ({ tree, ...place }: NestedTreePlan, types: Types): NestedTree => ({
  ...place,
  tree: treeOf(tree, types),
});

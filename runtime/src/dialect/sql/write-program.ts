import type {
  CallPlan,
  FunctionPlan,
  GivenColumn,
  InsertTreePlan,
  NestedTreePlan,
  ReadBackPlan,
  TableWritePlan,
  WritePlan,
} from '../../plan/write/write-plan.js';
import type { Statement } from '../../plan/statement.js';
import type {
  CallProgram,
  InsertTree,
  NestedTree,
  RowsProgram,
  Steps,
  WriteProgram,
} from '../../plan/write-program.js';
import { checkedWrite } from './checked-write.js';

/** The parts of a write program that databases write differently. */
export interface WriteWords {
  readonly rows: (plan: TableWritePlan) => Statement | Steps;
  readonly readBack: (plan: ReadBackPlan) => Statement;
  readonly rowEncoder: (columns: readonly GivenColumn[]) => InsertTree['encode'];
  readonly call: (plan: CallPlan) => CallProgram;
  readonly calledFunction: (plan: FunctionPlan) => CallProgram;
}

/**
 * WritePlan → the statements it takes: one for each table, and one to read the written rows back
 * where only later statements of the write complete them.
 */
export function compileWrite(plan: WritePlan, words: WriteWords): WriteProgram {
  switch (plan.kind) {
    case 'call':
      return words.call(plan);
    case 'function':
      return words.calledFunction(plan);
    case 'rows':
      return { statement: rowsOf(plan.write, words), ...answered(plan, words) };
    case 'tree':
      return { tree: { ...treeOf(plan.tree, words), rows: plan.rows }, ...answered(plan, words) };
  }
}

const answered = (
  { readBack, empty, atMost }: Exclude<WritePlan, CallPlan | FunctionPlan>,
  words: WriteWords,
): Pick<RowsProgram, 'kind' | 'readBack' | 'empty' | 'atMost'> => ({
  kind: 'rows',
  empty,
  ...(readBack === undefined ? {} : { readBack: words.readBack(readBack) }),
  ...(atMost === undefined ? {} : { atMost }),
});

/** One write to one table, with the check of the rows that it wrote. */
function rowsOf(plan: TableWritePlan, words: WriteWords): Statement | Steps {
  const write = words.rows(plan);
  const check = 'check' in plan ? plan.check : undefined;
  return check === undefined ? write : checkedWrite(write, check, words.readBack(check.rows));
}

const treeOf = (plan: InsertTreePlan, words: WriteWords): InsertTree => ({
  statement: rowsOf(plan.insert, words),
  rows: () => [],
  encode: words.rowEncoder(plan.columns),
  forward: plan.forward.map((each) => nestedOf(each, words)),
  reverse: plan.reverse.map((each) => nestedOf(each, words)),
  ownKey: plan.ownKey,
});

const nestedOf = ({ tree, ...place }: NestedTreePlan, words: WriteWords): NestedTree => ({
  ...place,
  tree: treeOf(tree, words),
});

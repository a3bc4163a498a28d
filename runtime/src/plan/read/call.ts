import type { FunctionCall } from '../intent.js';
import { planGiven } from './arguments.js';
import type { CallSource } from './plan.js';

/** A call that stands in a table's place. */
export function planCall({ function: called, arguments: given }: FunctionCall): CallSource {
  const { schema, name, returnsSet, resultSet } = called;
  const source = { schema, name, ...planGiven(called, given), returnsSet: returnsSet === true };
  return resultSet === undefined ? source : { ...source, resultSet };
}

import { condition } from './condition.js';
import type { Compiler, Types } from './scope.js';

export function createCompiler(types: Types): Compiler {
  let rows = 0;
  return { types, newRow: () => `r${String(rows++)}`, condition };
}

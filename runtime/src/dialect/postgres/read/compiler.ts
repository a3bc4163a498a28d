import { condition } from './condition.js';
import type { Compiler } from './scope.js';
import type { Types } from '../parameters/encode.js';

export function createCompiler(types: Types): Compiler {
  let rows = 0;
  return { types, newRow: () => `r${String(rows++)}`, condition };
}

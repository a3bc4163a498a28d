import type { Statement } from '../session/statement.js';
import type { Registry } from '../registry.js';
import type { Plan } from './plan.js';
import { compilePostgres } from './postgres/compile.js';

/** What compiling needs to know besides the plan: the enums and composites its types speak of. */
export interface CompileContext {
  readonly registry: Pick<Registry, 'enums' | 'composites'>;
}

/**
 * Plan → Statement: one SQL text with its parameters as slots, in the order of `$n`. Pure; the result is kept and run
 * again with other inputs.
 */
export const compilePlan = (plan: Plan, context: CompileContext): Statement => compilePostgres(plan, context.registry);

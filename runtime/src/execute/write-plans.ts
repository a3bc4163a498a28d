import type { WriteProgram } from '../plan/write-program.js';
import type { PlanContext, RowFilter } from '../plan/context.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { Services } from './services.js';

export function planContext(
  { registry, settings, dialect }: Pick<Services, 'registry' | 'settings' | 'dialect'>,
  rowFilter: RowFilter | undefined,
): PlanContext {
  return { registry, settings, dialect, rowFilter };
}

export const compileWrite = (
  { dialect, registry }: Pick<Services, 'dialect' | 'registry'>,
  plan: WritePlan,
): WriteProgram => dialect.compileWrite(plan, registry);

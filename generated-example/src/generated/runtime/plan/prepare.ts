import type { Statement } from '../session/statement.js';
import { compilePlan } from '../statement/compile.js';
import type { PlanContext } from './context.js';
import type { Intent } from './intent.js';
import { planIntent } from './plan.js';

/** `Services.prepare`: Intent → Plan → Statement. Pure; callers keep the statement by the request's shape. */
export const createPrepare =
  (context: PlanContext) =>
  (intent: Intent): Statement =>
    compilePlan(planIntent(intent, context), context);

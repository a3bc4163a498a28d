import type { Dialect } from '../dialect/dialect.js';
import type { Statement } from '../dialect/statement.js';
import type { PlanContext, Readable } from '../plan/context.js';
import type { Intent } from '../plan/intent.js';
import { planIntent } from '../plan/read/plan-intent.js';

/**
 * `Services.prepare`: Intent → Plan → Statement. Pure; callers keep the statement by the request's
 * shape.
 */
export const createPrepare =
  (context: PlanContext & { readonly dialect: Dialect }) =>
  (intent: Intent, readable?: Readable): Statement =>
    context.dialect.compileRead(
      planIntent(intent, readable === undefined ? context : { ...context, readable }),
      context.registry,
    );

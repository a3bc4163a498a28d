import type { CallPlan } from './write-plan.js';
import { styleOf, type PlanContext } from '../context.js';
import { planArguments } from '../read/arguments.js';
import type { CallIntent } from './write-intent.js';

/**
 * A procedure's call. OUT parameters are never given.
 * Source: https://www.postgresql.org/docs/current/sql-call.html
 */
export function planProcedure({ procedure, arguments: given, form }: CallIntent, context: PlanContext): CallPlan {
  const planned = planArguments(procedure, given);
  return {
    kind: 'call',
    procedure,
    // A function's OUT parameters are its result, not arguments.
    outputNames: context.registry.restNames,
    arguments: procedure.kind === 'function' ? planned.filter(({ mode }) => mode !== 'out') : planned,
    style: styleOf(form, context),
  };
}

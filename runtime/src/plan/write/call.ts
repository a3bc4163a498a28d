import type { CallPlan } from './write-plan.js';
import type { ProcedureDescriptor } from '../../descriptor/descriptor.js';
import { styleOf, type PlanContext } from '../context.js';
import type { Value } from '../intent.js';
import type { Parameter } from '../parameter.js';
import { malformedParameter, quoted } from '../refuse.js';
import type { CallIntent } from './write-intent.js';

/**
 * A procedure's call. Arguments with a default may be left out, OUT parameters are never given. Throws ServerError 400 for an
 * argument that is missing. Source: https://www.postgresql.org/docs/current/sql-call.html
 */
export function planCall(intent: CallIntent, context: PlanContext): CallPlan {
  const { procedure } = intent;
  const given = new Map(intent.arguments.map(({ position, value }) => [position, value]));
  return {
    kind: 'call',
    procedure,
    arguments: procedure.arguments.flatMap((argument, position): CallPlan['arguments'] => {
      const { name, mode, type: base, domain: type = base.sql } = argument;
      // A function's OUT parameters are what it answers, not something it is called with.
      if (mode === 'out') return procedure.kind === 'function' ? [] : [{ position, name, mode, type }];
      const value = given.get(position);
      if (value !== undefined) return [{ position, name, mode, type, parameter: argumentOf(value, argument) }];
      if (argument.hasDefault === true) return [];
      if (mode === 'variadic') return [{ position, name, mode, type, parameter: argumentOf(noItems, argument) }];
      throw malformedParameter(`${procedure.field} needs the argument ${quoted(argument.field ?? name)}.`);
    }),
    style: styleOf(intent.dialect, context),
  };
}

const noItems: Value = { read: () => [], form: 'json' };

/** Null is a value here: a procedure may be given one. */
const argumentOf = (value: Value, { name, field, type }: ProcedureDescriptor['arguments'][number]): Parameter => ({
  value,
  as: 'value',
  type,
  subject: `argument ${quoted(field ?? name)}`,
});

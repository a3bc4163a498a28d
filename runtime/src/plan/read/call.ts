import type { ArgumentDescriptor } from '../../descriptor/descriptor.js';
import { styleOf, type PlanContext } from '../context.js';
import type { FunctionCall, Value, ValueIntent } from '../intent.js';
import type { Parameter } from '../parameter.js';
import { malformedParameter, quoted } from '../refuse.js';
import type { CallArgument, CallSource, ValuePlan } from './plan.js';
import { planAttributes } from './selections.js';

interface Called {
  readonly field: string;
  readonly arguments: readonly ArgumentDescriptor[];
}

/**
 * Arguments in their order, those that take their default left out. Throws ServerError 400 for an argument that is missing.
 * Source: https://www.postgresql.org/docs/current/sql-syntax-calling-funcs.html
 */
export function planArguments(
  { field, arguments: all }: Called,
  givenArguments: FunctionCall['arguments'],
): readonly CallArgument[] {
  const given = new Map(givenArguments.map(({ position, value }) => [position, value]));
  return all.flatMap((argument, position): readonly CallArgument[] => {
    const { name, mode, type: base, domain: type = base.sql } = argument;
    if (mode === 'out') return [{ position, name, mode, type }];
    const value = given.get(position) ?? (argument.hasDefault !== true && mode === 'variadic' ? noItems : undefined);
    if (value !== undefined) return [{ position, name, mode, type, parameter: parameterOf(value, argument) }];
    if (argument.hasDefault === true) return [];
    throw malformedParameter(`${field} needs the argument ${quoted(argument.field ?? name)}.`);
  });
}

const noItems: Value = { read: () => [], form: 'json' };

/** Null is a value here: a routine may be given one. */
const parameterOf = (value: Value, { name, field, type }: ArgumentDescriptor): Parameter => ({
  value,
  as: 'value',
  type,
  subject: `argument ${quoted(field ?? name)}`,
});

/** A call that stands in a table's place. */
export function planCall({ function: called, arguments: given }: FunctionCall): CallSource {
  const { schema, name, returnsSet } = called;
  const planned = planArguments(called, given);
  const omitted = planned.findIndex(({ position }, at) => position !== at);
  return {
    schema,
    name,
    arguments: planned,
    positional: omitted === -1 ? planned.length : omitted,
    returnsSet: returnsSet === true,
  };
}

/** A value that a function answers, or the list of its values. */
export function planValue({ call, select, dialect }: ValueIntent, context: PlanContext): ValuePlan {
  const { returns, record } = call.function;
  const columns = context.registry.composites.get(returns?.composite ?? '')?.attributes.map(({ name }) => name);
  return {
    call: planCall(call),
    ...(returns === undefined ? {} : { type: returns }),
    ...(record === true && columns !== undefined ? { columns } : {}),
    ...(select === undefined || returns === undefined ? {} : { select: planAttributes(select, returns, context) }),
    limit: context.settings['app.max-rows'],
    style: styleOf(dialect, context),
  };
}

import type { ArgumentDescriptor } from '../../descriptor/descriptor.js';
import type { GivenArguments, Value } from '../intent.js';
import type { Parameter } from '../parameter.js';
import { malformedParameter, quoted } from '../refuse.js';
import type { CallArgument, GivenCall } from './plan.js';

interface Called {
  readonly field: string;
  readonly arguments: readonly ArgumentDescriptor[];
}

/**
 * Arguments in their order, without those that take their default. Throws ServerError 400 for an
 * argument that is missing.
 * Source: https://www.postgresql.org/docs/current/sql-syntax-calling-funcs.html
 */
export function planArguments(
  { field, arguments: all }: Called,
  givenArguments: GivenArguments,
): readonly CallArgument[] {
  const given = new Map(givenArguments.map(({ position, value }) => [position, value]));
  return all.flatMap((argument, position): readonly CallArgument[] => {
    const { name, mode, type: base, domain: type = base.sql } = argument;
    if (mode === 'out') return [{ position, name, mode, type }];
    const value = given.get(position) ?? (argument.hasDefault !== true && mode === 'variadic' ? noItems : undefined);
    if (value !== undefined) return [{ position, name, mode, type, parameter: parameterOf(value, argument) }];
    if (argument.hasDefault === true) return [];
    throw malformedParameter(`${field} needs the argument ${quoted(argument.field ?? name)}.`, undefined, {
      kind: 'unknownFunction',
    });
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

/** The arguments of a call. Throws ServerError 400 for a missing argument. */
export const planGiven = (called: Called, given: GivenArguments): GivenCall => ({
  arguments: planArguments(called, given),
});

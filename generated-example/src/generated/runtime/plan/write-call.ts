import type { CallProgram } from '../session/write-program.js';
import { textEncoder, jsonEncoder } from '../statement/encode/encode.js';
import { compileCallAnswerStatement, compileCallStatement } from '../statement/write-compile.js';
import type { CallPlan } from '../statement/write-plan.js';
import type { Slot } from '../session/statement.js';
import type { ColumnType } from '../descriptor.js';
import { styleOf, type PlanContext } from './context.js';
import type { Value } from './intent.js';
import { malformedParameter, quoted } from './refuse.js';
import type { CallIntent } from './write-intent.js';

/**
 * A procedure's call. Arguments with a default may be left out, OUT parameters are never given. Throws ServerError 400 for an
 * argument that is missing. Source: https://www.postgresql.org/docs/current/sql-call.html
 */
export function prepareCall(intent: CallIntent, context: PlanContext): CallProgram {
  const { procedure } = intent;
  const given = new Map(intent.arguments.map(({ position, value }) => [position, value]));
  const plan: CallPlan = {
    procedure,
    arguments: procedure.arguments.flatMap((argument, position): CallPlan['arguments'] => {
      const { name, mode, type } = argument;
      // A function's OUT parameters are what it answers, not something it is called with.
      if (mode === 'out') return procedure.kind === 'function' ? [] : [{ position, name, mode, type }];
      const value = given.get(position);
      if (value !== undefined) return [{ position, name, mode, type, slot: argumentSlot(value, type, context) }];
      if (argument.hasDefault === true) return [];
      if (mode === 'variadic') return [{ position, name, mode, type, slot: { bind: () => '{}' } }];
      throw malformedParameter(`${procedure.field} needs the argument ${quoted(argument.field ?? name)}.`);
    }),
    style: styleOf(intent.dialect, context),
  };
  const answer = compileCallAnswerStatement(plan, context);
  const silent = procedure.kind === 'procedure' && answer === undefined;
  return {
    kind: 'call',
    statement: compileCallStatement(plan, context),
    ...(answer === undefined ? {} : { answer }),
    ...(silent ? { silent: true as const } : {}),
  };
}

/** Null is a value here: a procedure may be given one. */
function argumentSlot(value: Value, type: ColumnType, { registry }: PlanContext): Slot {
  const encode = value.form === 'text' ? textEncoder(type) : jsonEncoder(type, registry);
  return {
    bind: (inputs) => {
      const given = value.read(inputs);
      return given === null || given === undefined ? null : encode(given);
    },
  };
}

import type { FunctionDescriptor, ProcedureDescriptor } from '../descriptor/descriptor.js';
import type { ApiChange } from './api-change.js';
import { argumentChanges } from './argument-changes.js';
import { breaking, comparePairs, harmless, typeShape, type Known } from './compare-lists.js';
import type { FunctionModel, ProcedureModel } from './model.js';

/** The changes of procedures or functions for clients. */
export function compareRoutines(
  kind: 'PROCEDURE' | 'FUNCTION',
  before: readonly (ProcedureModel | FunctionModel)[],
  after: readonly (ProcedureModel | FunctionModel)[],
  known: Known,
): readonly ApiChange[] {
  return comparePairs(
    before,
    after,
    ({ descriptor }) => descriptor.field,
    {
      subject: (field) => ({ kind: 'procedure', object: field }),
      removed: (field) => breaking(`${kind}_REMOVED`, `${field} is no longer there.`),
      added: (field) => harmless(`${kind}_ADDED`, `${field} is new.`),
    },
    (field, { descriptor: old }, { descriptor: now }) => {
      const isSame = answerShape(old, known[0]) === answerShape(now, known[1]);
      const others = isSame ? [] : [breaking(`${kind}_CHANGED`, `The answer of ${field} has changed.`)];
      return [...others, ...argumentChanges(kind, field, old.arguments, now.arguments, known)];
    },
  );
}

function answerShape(procedure: ProcedureDescriptor | FunctionDescriptor, known: ReadonlyMap<string, string>): string {
  return JSON.stringify([
    procedure.returns === undefined ? null : typeShape(procedure.returns, known),
    procedure.returnsSet,
    ...('operation' in procedure ? [procedure.operation, known.get(procedure.table ?? ''), procedure.name] : []),
  ]);
}

import type { SelectionPlan } from '../../plan/read/plan.js';
import { compileAggregate } from './aggregate.js';
import type { Entry, Scope, Target } from './words.js';

/** The members of a row's JSON object. */
export const entries = <D extends Target>(select: readonly SelectionPlan[], scope: Scope<D>): readonly Entry<D>[] =>
  select.map((selection) => ({ as: selection.as, value: selected(selection, scope) }));

export function selected<D extends Target>(selection: SelectionPlan, scope: Scope<D>): D['value'] {
  const { compiler } = scope;
  const { words } = compiler;
  switch (selection.kind) {
    case 'constant':
      return words.name(selection.text);
    case 'nodeId':
      return words.nodeId(selection, scope);
    case 'value':
      return words.value(selection.expression, scope);
    case 'one':
      return words.one(selection.read, compiler, { join: selection.join, outer: scope });
    case 'many':
      return words.list(selection.read, compiler, { join: selection.join, outer: scope });
    case 'spread':
      return words.spread(selection, scope);
    case 'aggregate':
      return compileAggregate(selection.aggregate, compiler, { join: selection.join, outer: scope });
    case 'composite':
      return words.composite(selection, scope);
  }
}

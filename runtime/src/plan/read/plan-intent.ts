import type { Plan, RootPlan, RowsPlan } from './plan.js';
import { planAggregate } from './aggregate.js';
import { planValue } from './values.js';
import { planFormat } from './format.js';
import { planChanges } from './changes.js';
import { planConnection } from './connection.js';
import type { PlanContext } from '../context.js';
import type { Intent, RootField, RowsIntent } from '../intent.js';
import type { ReadSize } from './page.js';
import { observed } from './observed.js';
import { planRead } from './read.js';

/**
 * Intent → Plan: every name checked against the descriptors, every list clamped, relations
 * resolved, values given their types.
 * @throws ServerError 400 for unknown columns (TW002, with a hint), operators a column does not
 * take (TW003), casts that are not allowed (TW005). What depends on a value is thrown when the
 * statement is bound.
 */
export function planIntent(intent: Intent, context: PlanContext): Plan {
  switch (intent.kind) {
    case 'document':
      return { kind: 'document', fields: intent.fields.map((field) => planRoot(field, context)) };
    case 'rows':
      return planRows(intent, context);
    case 'row':
      return { kind: 'row', read: planRead(intent.read, context, 'one') };
    case 'changes':
      return planChanges(intent, context);
  }
}

/** Where the database's estimate is not shown, so many rows are counted at most. */
const maxCounted = 100_000;

/** @param size `unlimited`: a limit that is not given is none */
export function planRows(intent: RowsIntent, given: PlanContext, size?: ReadSize): RowsPlan {
  const { context, isLimited } = observed(given);
  const read = planRead(intent.read, context, size);
  const isGuess = intent.count === 'planned' || intent.count === 'estimated';
  return {
    kind: 'rows',
    read,
    // What the database estimates depends on rows that the caller may not read.
    count: isGuess && isLimited() ? 'limited' : intent.count,
    ...formOf(intent, context),
    countCeiling: context.settings['app.max-rows'],
    limitedCount: maxCounted,
  };
}

const formOf = (intent: RowsIntent, context: PlanContext): Pick<RowsPlan, 'format' | 'stripsNulls' | 'isBare'> => ({
  format: planFormat(intent.format, intent.read.table, context),
  ...(intent.stripsNulls === true ? { stripsNulls: true } : {}),
  ...(intent.isBare === true ? { isBare: true } : {}),
});

function planRoot(field: RootField, context: PlanContext): RootPlan {
  const { as } = field;
  switch (field.kind) {
    case 'typename':
      return { kind: 'constant', as, text: field.type };
    case 'list':
      return { kind: 'list', as, read: planRead(field.read, context) };
    case 'one':
      return { kind: 'one', as, read: planRead(field.read, context, 'one') };
    case 'connection':
      return { kind: 'connection', as, connection: planConnection(field.connection, context) };
    case 'aggregate':
      return { kind: 'aggregate', as, aggregate: planAggregate(field.aggregate, context) };
    case 'nothing':
      return { kind: 'nothing', as };
    case 'nodes':
      return {
        kind: 'nodes',
        as,
        reads: field.reads.map((read) => (read === undefined ? undefined : planRead(read, context, 'one'))),
      };
    case 'value':
      return { kind: 'value', as, value: planValue(field.value, context) };
  }
}

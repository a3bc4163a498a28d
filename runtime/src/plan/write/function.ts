import { styleOf, type PlanContext } from '../context.js';
import { planCall } from '../read/call.js';
import type { HeldRows, HeldSet, OrderPlan } from '../read/plan.js';
import { planRows } from '../read/plan-intent.js';
import { planRead } from '../read/read.js';
import { planValue } from '../read/values.js';
import type { Table } from '../../descriptor/registry.js';
import { recordRows } from '../../descriptor/results.js';
import type { Selection } from '../intent.js';
import type { FunctionIntent } from './write-intent.js';
import type { FunctionPlan } from './write-plan.js';

/** A call of a function that may write. */
export function planFunction(intent: FunctionIntent, context: PlanContext): FunctionPlan {
  const { call } = intent;
  const isSet = call.function.resultSet !== undefined;
  const rows = intent.rows ?? (isSet ? recordsOf(intent, context) : undefined);
  if (rows === undefined) return { kind: 'function', value: planValue(intent, context) };
  if (call.function.table === undefined && rows.kind === 'rows' && !isSet)
    return { kind: 'function', rows: planRows({ ...rows, read: { ...rows.read, from: call } }, context) };
  const held: HeldRows = isSet ? { held: true, set: heldSet(rows.read.table) } : { held: true };
  const isWhole = intent.rows === undefined || rows.read.dialect === 'graphql';
  return { kind: 'function', call: planCall(call), answer: planAnswer(rows, held, isWhole, context) };
}

/** @param isWhole there are no arguments for pages, so no other page would show the rest */
function planAnswer(
  rows: NonNullable<FunctionIntent['rows']>,
  from: HeldRows,
  isWhole: boolean,
  context: PlanContext,
): Extract<FunctionPlan, { call: unknown }>['answer'] {
  if (rows.kind === 'row') return { kind: 'row', read: { ...planRead(rows.read, context, 'one'), from } };
  const plan = planRows(rows, context, isWhole ? 'unlimited' : 'list');
  return { ...plan, read: { ...plan.read, from, order: orderOf(plan.read, from) } };
}

/** Rows of a procedure come in its own order, unless the request has another. */
function orderOf(
  { order, grouped }: { order: readonly OrderPlan[]; grouped?: true },
  { set }: HeldRows,
): readonly OrderPlan[] {
  if (set === undefined || order.length > 0 || grouped === true) return order;
  const type = { kind: 'int', sql: { name: 'bigint' } } as const;
  return [{ by: { kind: 'column', column: set.number, type, nullable: false }, direction: 'asc' }];
}

function heldSet({ columns, byName }: Table): HeldSet {
  let number = 'n';
  while (byName.has(number)) number += '_';
  return { columns, number };
}

/** The columns that a procedure answers: all of them, or those that a GraphQL field selects. */
function recordsOf(
  { call, select, dialect }: FunctionIntent,
  context: PlanContext,
): NonNullable<FunctionIntent['rows']> {
  const table = recordRows(call.function, context.registry);
  const { attributes } = styleOf(dialect, context);
  const all = table.columns.map(({ name, field = name }): Selection => ({
    kind: 'column',
    as: attributes === 'field' ? field : name,
    column: name,
  }));
  const selected = select?.map((each): Selection =>
    each.kind === 'typename' ? each : { kind: 'column', as: each.as, column: each.attribute },
  );
  return { kind: 'rows', read: { table, select: selected ?? all, dialect }, count: 'none', format: 'json' };
}

import { styleOf, type PlanContext } from '../context.js';
import { planCall } from '../read/call.js';
import type { HeldRows, HeldSet, OrderPlan, RowsPlan } from '../read/plan.js';
import { planRows } from '../read/plan-intent.js';
import { planRead } from '../read/read.js';
import { planValue } from '../read/values.js';
import type { AnsweredSet } from '../../descriptor/descriptor.js';
import { indexTable, type Table } from '../../descriptor/registry.js';
import { recordRows } from '../../descriptor/results.js';
import type { Selection } from '../intent.js';
import type { IntentForm } from '../intent-form.js';
import type { FunctionIntent } from './write-intent.js';
import type { FunctionPlan } from './write-plan.js';

/** A call of a function that may write. */
export function planFunction(intent: FunctionIntent, context: PlanContext): FunctionPlan {
  const { call } = intent;
  const { sets } = call.function;
  if (sets !== undefined)
    return { kind: 'function', call: planCall(call), answers: sets.map((each) => planSet(each, intent, context)) };
  const isSet = call.function.resultSet !== undefined;
  const rows = intent.rows ?? (isSet ? recordsOf(intent, context) : undefined);
  if (rows === undefined) return { kind: 'function', value: planValue(intent, context) };
  if (call.function.table === undefined && rows.kind === 'rows' && !isSet)
    return { kind: 'function', rows: planRows({ ...rows, read: { ...rows.read, from: call } }, context) };
  const held: HeldRows = isSet ? { held: true, set: heldSet(rows.read.table) } : { held: true };
  const isWhole = intent.rows === undefined || rows.read.form.protocol === 'graphql';
  return { kind: 'function', call: planCall(call), answer: planAnswer(rows, held, isWhole, context) };
}

/** All rows of one of several result sets, without the columns that are hidden from the caller. */
function planSet(set: AnsweredSet, { call, form }: FunctionIntent, context: PlanContext): RowsPlan {
  const { schema, name, field } = call.function;
  const table =
    'table' in set
      ? context.registry.table.get(set.table)
      : indexTable({
          ...{ field, type: field, schema, name, kind: 'view' },
          columns: set.columns.map((each) => ({ ...each, nullable: true })),
        });
  if (table === undefined) throw new TypeError(`${field} answers rows of a table that is not there.`);
  const hidden = context.rowFilter?.hidden(table);
  const select = columnsOf(table, form, context).filter(({ column }) => hidden?.has(column) !== true);
  const held: HeldRows = { held: true, set: heldSet(table) };
  const plan = planRows(
    { kind: 'rows', read: { table, select, form }, count: 'none', format: 'json' },
    context,
    'unlimited',
  );
  return { ...plan, read: { ...plan.read, from: held, order: orderOf(plan.read, held) } };
}

/** @param isWhole there are no arguments for pages, so no other page would show the rest */
function planAnswer(
  rows: NonNullable<FunctionIntent['rows']>,
  from: HeldRows,
  isWhole: boolean,
  context: PlanContext,
): Extract<FunctionPlan, { answer: unknown }>['answer'] {
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
function recordsOf({ call, select, form }: FunctionIntent, context: PlanContext): NonNullable<FunctionIntent['rows']> {
  const table = recordRows(call.function, context.registry);
  const all = columnsOf(table, form, context);
  const selected = select?.map((each): Selection =>
    each.kind === 'typename' ? each : { kind: 'column', as: each.as, column: each.attribute },
  );
  return { kind: 'rows', read: { table, select: selected ?? all, form }, count: 'none', format: 'json' };
}

function columnsOf(
  { columns }: Table,
  form: IntentForm,
  context: PlanContext,
): readonly Extract<Selection, { kind: 'column' }>[] {
  const { attributes } = styleOf(form, context);
  return columns.map(({ name, field = name }) => ({
    kind: 'column',
    as: attributes === 'field' ? field : name,
    column: name,
  }));
}

import { createHash } from 'node:crypto';
import type { Table } from '../../descriptor/registry.js';
import type {
  ConnectionPlan,
  ConnectionSelectionPlan,
  CursorCondition,
  EdgePlan,
  OrderPlan,
  PageInfoPlan,
  PagePlan,
} from './plan.js';
import { styleOf, type PlanContext } from '../context.js';
import { readKeys, readPosition, type CursorReader } from './cursor.js';
import { readTable } from './columns.js';
import { planAsked } from './filters.js';
import type {
  ConnectionIntent,
  ConnectionSelection,
  EdgeSelection,
  Inputs,
  PageInfoSelection,
  Value,
} from '../intent.js';
import { completeOrder, keyColumns, planOrder, settleTies } from './orders.js';
import { planSelections } from './read.js';
import type { Count } from '../parameter.js';
import { mostOf, planCount } from '../values.js';

/**
 * A page of a table by Relay's rules: rows between the cursors, then the first ones, then the last
 * ones of those. Cursors hold the values of the order's keys, so that a page stays where it is
 * while rows come and go; without a key they hold a position.
 * Source: decision 004; https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm
 */
export function planConnection(intent: ConnectionIntent, context: PlanContext): ConnectionPlan {
  const { table } = intent;
  const given = (intent.orderBy ?? []).map((order) => planOrder(order, table, context));
  const total = keyColumns(table, context) !== undefined;
  const order = total ? completeOrder(given, table, context) : settleTies(given, table, context);
  const fingerprint = fingerprintOf(intent, order);
  const page = planPage(intent, total ? undefined : fingerprint, context.settings['app.max-rows']);
  const cursorOf = (side: 'after' | 'before'): CursorCondition | undefined => {
    const value = intent[side];
    return total && value !== undefined ? planCursor(side, value, order, fingerprint) : undefined;
  };
  const [after, before] = [cursorOf('after'), cursorOf('before')];
  const reads = readsOf(page, after, before);
  return {
    table: readTable(table, context),
    ...planAsked(intent.where, table, context),
    keys: total ? order : [],
    order,
    fingerprint,
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    page,
    check: (inputs) => {
      for (const read of reads) read(inputs);
    },
    select: intent.select.map((selection) => planSelection(selection, table, context)),
    style: styleOf(intent.form, context),
  };
}

/**
 * Of the table and of everything that decides where a cursor's row is; the values of a filter do
 * not.
 */
function fingerprintOf({ table, orderBy }: ConnectionIntent, order: readonly OrderPlan[]): string {
  const keys = order.map(({ by }) => (by.kind === 'column' ? by.column : by.kind));
  const facts = JSON.stringify([table.field, orderBy ?? [], keys]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, 8);
}

function readsOf(
  { size, last, offset, end }: PagePlan,
  ...cursors: readonly (CursorCondition | undefined)[]
): readonly ((inputs: Inputs) => unknown)[] {
  const given = [size, last, offset, end, ...cursors.map((cursor) => cursor?.keys[0]?.value.value)];
  return given.flatMap((each) => (typeof each === 'object' ? [each.read] : []));
}

function planCursor(
  side: 'after' | 'before',
  value: Value,
  order: readonly OrderPlan[],
  fingerprint: string,
): CursorCondition {
  const read = readKeys(value, side, fingerprint, order.length);
  return {
    kind: 'cursor',
    side,
    keys: order.map((each, at) => ({
      order: each,
      value: {
        value: { read: (inputs) => read(inputs)[at] ?? null, form: 'text' },
        as: 'compared',
        type: each.by.type,
      },
    })),
  };
}

/** `position`: the fingerprint, where cursors are positions. */
function planPage(intent: ConnectionIntent, position: string | undefined, ceiling: number): PagePlan {
  const { first, last, after, before } = intent;
  const backward = first === undefined && last !== undefined;
  const size = first ?? last;
  return {
    direction: backward ? 'backward' : 'forward',
    ...sizes(size, backward ? 'last' : 'first', ceiling),
    ...(first === undefined || last === undefined ? {} : { last: planCount(last, ceiling, 'last') }),
    ...(position === undefined || after === undefined
      ? {}
      : { offset: positionCount(readPosition(after, 'after', position), 0n) }),
    ...(position === undefined || before === undefined
      ? {}
      : { end: positionCount(readPosition(before, 'before', position), -1n) }),
  };
}

function sizes(value: Value | undefined, name: string, ceiling: number): Pick<PagePlan, 'size' | 'fetch' | 'reach'> {
  if (value === undefined) return { size: ceiling, fetch: ceiling + 1 };
  const fetch = planCount(value, ceiling, name, 1);
  const reach = typeof fetch === 'number' ? {} : { reach: Math.min(mostOf(value, ceiling) ?? ceiling, ceiling) + 1 };
  return { size: planCount(value, ceiling, name), fetch, ...reach };
}

const positionCount = (read: CursorReader<bigint>, shift: bigint): Count => ({
  read: (inputs) => read(inputs) + shift,
});

function planSelection(selection: ConnectionSelection, table: Table, context: PlanContext): ConnectionSelectionPlan {
  const { as } = selection;
  switch (selection.kind) {
    case 'typename':
      return { kind: 'constant', as, text: selection.type };
    case 'totalCount':
      return { kind: 'totalCount', as };
    case 'nodes':
      return { kind: 'nodes', as, select: planSelections(selection.select, table, context) };
    case 'edges':
      return { kind: 'edges', as, select: selection.select.map((each) => planEdge(each, table, context)) };
    case 'pageInfo':
      return { kind: 'pageInfo', as, select: selection.select.map(planPageInfo) };
  }
}

function planEdge(selection: EdgeSelection, table: Table, context: PlanContext): EdgePlan {
  const { as } = selection;
  switch (selection.kind) {
    case 'typename':
      return { kind: 'constant', as, text: selection.type };
    case 'cursor':
      return { kind: 'cursor', as };
    case 'node':
      return { kind: 'node', as, select: planSelections(selection.select, table, context) };
  }
}

const planPageInfo = (selection: PageInfoSelection): PageInfoPlan =>
  selection.kind === 'typename'
    ? { kind: 'constant', as: selection.as, text: selection.type }
    : { kind: selection.kind, as: selection.as };

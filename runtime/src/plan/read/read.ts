import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import { nodeColumns } from '../../descriptor/node-id.js';
import type { Table } from '../../descriptor/registry.js';
import { relationIn } from '../../descriptor/relation-in.js';
import type { CallSource, Condition, OrderPlan, ReadPlan, SelectionPlan } from './plan.js';
import { planAggregate } from './aggregate.js';
import { groupExpression, planGroupOrders } from './grouped.js';
import { planCall } from './call.js';
import {
  columnExpression,
  computedExpression,
  findColumn,
  findRelation,
  isHidden,
  joinOf,
  namedExpression,
  readTable,
} from './columns.js';
import { styleOf, type PlanContext } from '../context.js';
import { allOf, planFilter } from './filters.js';
import type { FunctionCall, ReadIntent, Selection } from '../intent.js';
import { completeOrder, planOrder, planVector } from './orders.js';
import { planPage, type ReadSize } from './page.js';
import { unsupported } from '../refuse.js';
import { checkedAlias, leadsToKey, planAttributes, selectedColumn } from './selections.js';

/** Rows of a table. Throws ServerError 400 for names and operators that are not there. */
export function planRead(intent: ReadIntent, context: PlanContext, size: ReadSize = 'list'): ReadPlan {
  const { table } = intent;
  const where = planReadWhere(intent, context);
  const isGrouped = intent.select.some(({ kind }) => kind === 'aggregated');
  return {
    table: { ...readTable(table, context), ...(intent.isOnly === true && { isOnly: true }) },
    ...(intent.from === undefined ? {} : { from: planSource(intent.from, table) }),
    select: planSelections(intent.select, table, context),
    ...(where === undefined ? {} : { where }),
    order: isGrouped ? planGroupOrders(intent, context) : planOrders(intent, context, size),
    ...(isGrouped ? { grouped: true as const } : {}),
    ...planDistinct(intent, context),
    ...planPage(intent, context, size),
    style: styleOf(intent.form, context),
  };
}

function planSource(from: FunctionCall, { columns }: Table): CallSource {
  const call = planCall(from);
  const { table, columns: answered } = from.function;
  if (table !== undefined) return call;
  const names = columns.map(({ name }) => name);
  return { ...call, answers: answered === undefined ? { value: names[0] ?? '' } : { columns: names } };
}

function planReadWhere(intent: ReadIntent, context: PlanContext): Condition | undefined {
  const { where, table } = intent;
  const filter = where === undefined ? undefined : planFilter(where, table, context);
  return allOf([filter, ...innerConditions(intent, context)]);
}

/**
 * The vector order wins over every other (decision 011). An order that is given is made total;
 * where none is given the rows come as the database finds them, which is fastest and, over both
 * protocols, undefined (decision 006). A key is that of several rows where tables inherit: the one
 * row is then that of the table that was created first.
 */
function planOrders(intent: ReadIntent, context: PlanContext, size: ReadSize): readonly OrderPlan[] {
  if (intent.vector !== undefined) return [planVector(intent.vector, intent.table, context)];
  const orders = (intent.orderBy ?? []).map((order) => planOrder(order, intent.table, context));
  const isCalled = intent.from !== undefined || intent.isCalled === true;
  const isOneOfSeveral = size === 'one' && intent.table.inherited === true && !isCalled;
  return orders.length === 0 && (intent.distinctOn ?? []).length === 0 && !isOneOfSeveral
    ? []
    : completeOrder(orders, intent.table, context, isCalled);
}

function planDistinct({ table, distinctOn = [] }: ReadIntent, context: PlanContext): Pick<ReadPlan, 'distinctOn'> {
  if (distinctOn.length === 0) return {};
  if (!context.dialect.capabilities.distinctOn) throw unsupported('This database has no distinctOn.');
  let wholeRow = 'row';
  while (table.byName.has(wholeRow)) wholeRow += '_';
  return { distinctOn: { by: distinctOn.map((each) => namedExpression(table, each, context)), wholeRow } };
}

/** The selections without hidden columns that the client did not name: those of `*`. */
export function shownSelections(
  selections: readonly Selection[],
  table: Table,
  context: PlanContext,
): readonly Selection[] {
  if (context.rowFilter === undefined) return selections;
  return selections.filter((each) => {
    const [column, of] =
      each.kind === 'spread' ? ([each.read.select[0], each.read.table] as const) : ([each, table] as const);
    return column?.kind !== 'column' || column.ofAll !== true || !isHidden(of, column.column, context);
  });
}

/**
 * The selection of each row. Throws ServerError 400 for unknown names, 403 for columns that are
 * hidden.
 */
export const planSelections = (
  selections: readonly Selection[],
  table: Table,
  context: PlanContext,
): readonly SelectionPlan[] =>
  shownSelections(selections, table, context).map((selection) => planSelection(selection, table, context));

function planSelection(selection: Selection, table: Table, context: PlanContext): SelectionPlan {
  const as = checkedAlias(selection.as);
  switch (selection.kind) {
    case 'typename':
      return { kind: 'constant', as, text: table.type };
    case 'nodeId':
      return {
        kind: 'nodeId',
        as,
        type: table.type,
        keys: nodeColumns(table).map(({ name }) => columnExpression(table, name)),
      };
    case 'column':
      return { kind: 'value', as, expression: selectedColumn(selection, table, context) };
    case 'computed':
      return { kind: 'value', as, expression: computedExpression(table, selection.name, selection.arguments) };
    case 'aggregated':
      return { kind: 'value', as, expression: groupExpression(selection, table, context) };
    case 'relation':
      return planRelation(selection, table, context);
    case 'spread':
      return planSpread(selection, table, context);
    case 'aggregate': {
      const relation = findRelation(table, selection.relation, context);
      return {
        kind: 'aggregate',
        as,
        join: joinOf(relation, context),
        aggregate: planAggregate(selection.aggregate, context),
      };
    }
    case 'composite': {
      const { type } = findColumn(table, selection.column, context);
      return {
        kind: 'composite',
        as,
        column: selection.column,
        select: planAttributes(selection.select, type, context),
      };
    }
  }
}

function planRelation(
  selection: Extract<Selection, { kind: 'relation' }>,
  table: Table,
  context: PlanContext,
): SelectionPlan {
  const relation = findRelation(table, selection.relation, context);
  const join = joinOf(relation, context);
  const { as } = selection;
  const read = relatedRead(selection.read, relation);
  if (relationIn(relation, read.form).cardinality === 'many')
    return { kind: 'many', as, join, read: planRead(read, context) };
  return { kind: 'one', as, join, read: planRead(read, context, leadsToKey(relation, context) ? 'unlimited' : 'one') };
}

function planSpread(
  selection: Extract<Selection, { kind: 'spread' }>,
  table: Table,
  context: PlanContext,
): SelectionPlan {
  const { as, read } = selection;
  const relation = findRelation(table, selection.relation, context);
  const isList = relationIn(relation, read.form).cardinality === 'many';
  const size = isList ? 'list' : leadsToKey(relation, context) ? 'unlimited' : 'one';
  return {
    kind: 'spread',
    as,
    isList,
    join: joinOf(relation, context),
    read: planRead(relatedRead(read, relation), context, size),
  };
}

const relatedRead = (read: ReadIntent, { function: called }: RelationDescriptor): ReadIntent =>
  called === undefined ? read : { ...read, isCalled: true };

/** `!inner`: only rows that have such a related row, itself with the related rows it needs. */
function innerConditions(read: ReadIntent, context: PlanContext): readonly Condition[] {
  return read.select.flatMap((selection) => {
    if ((selection.kind !== 'relation' && selection.kind !== 'spread') || selection.inner !== true) return [];
    const relation = findRelation(read.table, selection.relation, context);
    const where = planReadWhere(selection.read, context);
    return [{ kind: 'exists', join: joinOf(relation, context), ...(where === undefined ? {} : { where }) }];
  });
}

import type { ColumnType, RelationDescriptor } from '../descriptor.js';
import type { Table } from '../registry.js';
import type { AttributePlan, Condition, Expression, SelectionPlan } from '../statement/plan.js';
import { planAggregate } from './aggregate.js';
import {
  castExpression,
  columnExpression,
  computedExpression,
  findColumn,
  findRelation,
  joinOf,
  relatedTable,
} from './columns.js';
import type { PlanContext } from './context.js';
import { allOf } from './filters.js';
import type { AttributeSelection, ReadIntent, Selection } from './intent.js';
import { planRead, planWhere } from './read.js';
import { malformedParameter, quoted, unknownOperator } from './refuse.js';
import { uniqueKeys } from '../unique-keys.js';

/** What is wanted of each row. Throws ServerError 400 for names that are not there. */
export const planSelections = (
  selections: readonly Selection[],
  table: Table,
  context: PlanContext,
): readonly SelectionPlan[] => selections.map((selection) => planSelection(selection, table, context));

function planSelection(selection: Selection, table: Table, context: PlanContext): SelectionPlan {
  const as = checkedAlias(selection.as);
  switch (selection.kind) {
    case 'typename':
      return { kind: 'constant', as, text: table.type };
    case 'column':
      return { kind: 'value', as, expression: selectedColumn(selection, table) };
    case 'computed':
      return { kind: 'value', as, expression: computedExpression(table, selection.name) };
    case 'relation':
      return planRelation(selection, table, context);
    case 'aggregate': {
      const relation = findRelation(table, selection.relation);
      return {
        kind: 'aggregate',
        as,
        join: joinOf(relation, context),
        aggregate: planAggregate(selection.aggregate, context),
      };
    }
    case 'composite': {
      const { type } = findColumn(table, selection.column);
      return {
        kind: 'composite',
        as,
        column: selection.column,
        select: planAttributes(selection.select, type, context),
      };
    }
  }
}

/** A zero byte would end the statement's text. */
function checkedAlias(as: string): string {
  if (as.includes('\0')) throw malformedParameter('A name has a zero byte.');
  return as;
}

function selectedColumn(selection: Extract<Selection, { kind: 'column' }>, table: Table): Expression {
  const expression = columnExpression(table, selection.column, selection.path);
  return selection.cast === undefined ? expression : castExpression(expression, selection.cast);
}

function planRelation(
  selection: Extract<Selection, { kind: 'relation' }>,
  table: Table,
  context: PlanContext,
): SelectionPlan {
  const relation = findRelation(table, selection.relation);
  const join = joinOf(relation, context);
  const { as } = selection;
  if (relation.cardinality === 'many') return { kind: 'many', as, join, read: planRead(selection.read, context) };
  return {
    kind: 'one',
    as,
    join,
    read: planRead(selection.read, context, leadsToKey(relation, context) ? 'unlimited' : 'one'),
  };
}

/** A foreign key refers to a unique key of a table, where a limit would only be one more step for each row. */
function leadsToKey(relation: RelationDescriptor, context: PlanContext): boolean {
  const other = relatedTable(relation, context);
  return (
    relation.direction === 'forward' && uniqueKeys(other).some((key) => sameColumns(key.columns, relation.references))
  );
}

const sameColumns = (some: readonly string[] | undefined, others: readonly string[]): boolean =>
  some?.length === others.length && others.every((name) => some.includes(name));

/** `!inner`: only rows that have such a related row, itself with the related rows it needs. */
export function innerConditions(read: ReadIntent, context: PlanContext): readonly Condition[] {
  return read.select.flatMap((selection) => {
    if (selection.kind !== 'relation' || selection.inner !== true) return [];
    const relation = findRelation(read.table, selection.relation);
    const where = allOf([planWhere(selection.read, context)]);
    return [{ kind: 'exists', join: joinOf(relation, context), ...(where === undefined ? {} : { where }) }];
  });
}

function planAttributes(
  selections: readonly AttributeSelection[],
  type: ColumnType,
  context: PlanContext,
): readonly AttributePlan[] {
  const composite = context.registry.composites.get(type.composite ?? '');
  if (type.kind !== 'composite' || composite === undefined)
    throw unknownOperator('Only composite columns have attributes.');
  return selections.map((selection) => {
    if (selection.kind === 'typename') return { kind: 'constant', as: selection.as, text: selection.type };
    const attribute = composite.attributes.find(({ name }) => name === selection.attribute);
    if (attribute === undefined)
      throw unknownOperator(`${composite.type} has no attribute ${quoted(selection.attribute)}.`);
    const plan = { kind: 'attribute', as: selection.as, attribute: attribute.name, type: attribute.type } as const;
    return selection.select === undefined
      ? plan
      : { ...plan, select: planAttributes(selection.select, attribute.type, context) };
  });
}

import type { ColumnType, RelationDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import type { AttributePlan, Expression } from './plan.js';
import { castExpression, pathExpression, relatedTable } from './columns.js';
import type { PlanContext } from '../context.js';
import type { AttributeSelection, Selection } from '../intent.js';
import { malformedParameter, quoted, unknownOperator } from '../refuse.js';
import { areUnique } from '../../descriptor/unique-keys.js';

/** A zero byte would end the statement's text. */
export function checkedAlias(as: string): string {
  if (as.includes('\0')) throw malformedParameter('A name has a zero byte.');
  return as;
}

/** A column, a value inside it, or a cast of either. */
export function selectedColumn(
  selection: Extract<Selection, { kind: 'column' }>,
  table: Table,
  context: PlanContext,
): Expression {
  const expression = pathExpression(table, selection.column, selection.path, context);
  return selection.cast === undefined ? expression : castExpression(expression, selection.cast, context);
}

/**
 * A foreign key refers to a unique key of a table, where a limit would only be one more step for
 * each row.
 */
export function leadsToKey(relation: RelationDescriptor, context: PlanContext): boolean {
  const other = relatedTable(relation, context);
  return relation.direction === 'forward' && areUnique(other, relation.references);
}

/** The selection of a composite value, unless it is the whole value. */
export function planAttributes(
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

import type { ColumnType } from '../../descriptor/descriptor.js';
import type { ServerError } from '../../errors.js';
import { restNameOf, type Table } from '../../descriptor/registry.js';
import type { Condition, Expression } from './plan.js';
import { computedExpression, findRelation, joinOf, pathExpression, relatedTable } from './columns.js';
import { tableName, type PlanContext } from '../context.js';
import type { Filter, Value } from '../intent.js';
import { filterKind, type Operator } from '../operator.js';
import { operatorById, takenOperators, takesOverGraphql, takesOverRest } from '../operators.js';
import type { Form, Parameter } from '../parameter.js';
import { columnSubject, quoted, unknownOperator, unsupported } from '../refuse.js';

type Compare = Extract<Filter, { kind: 'compare' }>;

/**
 * A filter over rows of the table. Throws ServerError 400 for a column, relation or operator that
 * is not there.
 */
export function planFilter(filter: Filter, table: Table, context: PlanContext): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, conditions: filter.filters.map((each) => planFilter(each, table, context)) };
    case 'not':
      return { kind: 'not', condition: planFilter(filter.filter, table, context) };
    case 'relation':
      return planRelationFilter(filter, table, context);
    case 'compare':
      return planCompare(filter, table, context);
  }
}

/** A filter of the request, to be spread: the table that is read has the condition of its rows. */
export const planAsked = (
  where: Filter | undefined,
  table: Table,
  context: PlanContext,
): { readonly where?: Condition } => (where === undefined ? {} : { where: planFilter(where, table, context) });

/**
 * A filter of the request and the condition of the table's rows, for rows that a write finds;
 * undefined for all rows.
 */
export const planWhere = (where: Filter | undefined, table: Table, context: PlanContext): Condition | undefined =>
  allOf([context.rowFilter?.condition(table), where === undefined ? undefined : planFilter(where, table, context)]);

/** The same for rows that are about to be written: they may be read and written. */
export function planTouched(
  where: Filter | undefined,
  table: Table,
  context: PlanContext,
): { readonly where?: Condition } {
  const written = context.rowFilter?.written(table);
  const planned = allOf([written, planWhere(where, table, context)]);
  return planned === undefined ? {} : { where: planned };
}

/** As `{ where }`, to be spread. */
export function planMatching(
  where: Filter | undefined,
  table: Table,
  context: PlanContext,
): { readonly where?: Condition } {
  const planned = planWhere(where, table, context);
  return planned === undefined ? {} : { where: planned };
}

/** Joined by AND, without absent filters. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 1 ? { kind: 'and', conditions: given } : given[0];
}

function planRelationFilter(
  filter: Extract<Filter, { kind: 'relation' }>,
  table: Table,
  context: PlanContext,
): Condition {
  const relation = findRelation(table, filter.relation, context);
  const join = joinOf(relation, context);
  const where = planFilter(filter.filter, relatedTable(relation, context), context);
  switch (filter.quantifier) {
    case 'one':
    case 'some':
      return { kind: 'exists', join, where };
    case 'none':
      return { kind: 'missing', join, where };
    case 'every':
      return { kind: 'missing', join, where: { kind: 'notTrue', condition: where } };
  }
}

function planCompare(filter: Compare, table: Table, context: PlanContext): Condition {
  const column =
    filter.computed === true
      ? computedExpression(table, filter.column, filter.arguments)
      : pathExpression(table, filter.column, filter.path, context);
  const name = restNameOf(table, filter.column);
  const operand = filter.of === undefined ? column : measured(column, filter.of, name, context);
  const operator = operatorFor(filter.operator, operand.type, name, context, () => indexHint(operand, table, context));
  if (filter.config !== undefined && context.dialect.searchIndex !== undefined) throw noConfiguration(name);
  return {
    kind: 'operation',
    operator: operator.id,
    operand,
    parameters: planOperands(operator, operand.type, filter.values, name),
    ...(filter.config === undefined ? {} : { config: configuration(filter.config, name, operand.type) }),
  };
}

const configuration = (value: Value, column: string, type: ColumnType): Parameter => ({
  value,
  as: 'searchConfiguration',
  type,
  required: 'config',
  subject: `the configuration for ${columnSubject(column)}`,
});

const noConfiguration = (column: string): ServerError =>
  unsupported(
    `This database has no search configurations, so that the search of ${quoted(column)} cannot name one.`,
    'Leave it out: the collation of the column says which words are equal.',
  );

/** How a column becomes searchable, where that takes an index. */
function indexHint(operand: Expression, table: Table, { dialect }: PlanContext): string | undefined {
  if (dialect.searchIndex === undefined || operand.kind !== 'column' || operand.type.kind !== 'text') return undefined;
  if (table.kind !== 'table') return 'The search needs a full-text index of the column in the table below the view.';
  return `The search needs an index: ${dialect.searchIndex(tableName(table), operand.column)}. Then generate again.`;
}

function measured(of: Expression, operator: string, column: string, context: PlanContext): Expression {
  operatorFor(operator, of.type, column, context);
  return { kind: 'length', of, type: context.dialect.types.length };
}

/** The operator by its id, when the database has it and it takes this type. */
export function operatorFor(
  id: string,
  type: ColumnType,
  column: string,
  { dialect }: PlanContext,
  indexHint?: () => string | undefined,
): Operator {
  const operator = operatorById(id);
  const kind = filterKind(type);
  if (
    operator !== undefined &&
    dialect.operators.has(id) &&
    (takesOverGraphql(operator, kind) || takesOverRest(operator, kind, type.sql.name))
  )
    return operator;
  const hint = operator?.operand === 'tsquery' ? indexHint?.() : undefined;
  throw unknownOperator(
    `${quoted(column)} does not take the operator ${quoted(operator?.rest?.[0] ?? operator?.graphql ?? id)}.`,
    hint ?? takenOperators(kind, dialect.operators),
  );
}

/** The parameters of an operator, each with what its value is taken for and the type it meets. */
export function planOperands(
  operator: Operator,
  type: ColumnType,
  values: readonly Value[],
  column: string,
): readonly Parameter[] {
  const wanted = operator.operand === 'none' ? 0 : operator.operand === 'pair' ? 2 : 1;
  if (values.length !== wanted) {
    throw unknownOperator(
      `The operator ${quoted(operator.id)} takes ${String(wanted)} values, not ${String(values.length)}.`,
    );
  }
  const required = `${quoted(column)} ${operator.graphql ?? operator.rest?.[0] ?? operator.id}`;
  const subject = columnSubject(column);
  const met = operator.operand === 'element' ? (type.element ?? type) : type;
  return values.map((value) => ({ value, as: formOf(operator), type: met, required, subject }));
}

function formOf({ operand, pattern }: Operator): Form {
  switch (operand) {
    case 'text':
      return pattern ?? 'text';
    case 'int':
      return 'integer';
    case 'jsonpath':
      return 'jsonPath';
    case 'tsquery':
      return 'searchQuery';
    case 'list':
    case 'texts':
    case 'pattern':
    case 'regex':
    case 'json':
      return operand;
    default:
      return 'value';
  }
}

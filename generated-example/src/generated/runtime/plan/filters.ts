import type { ColumnType } from '../descriptor.js';
import type { Table } from '../registry.js';
import { comparedAs } from '../statement/comparison.js';
import { scalarText } from '../statement/encode/encode.js';
import type { Condition, Expression, Parameter } from '../statement/plan.js';
import { arrayOf, int4, jsonb, text } from '../types.js';
import { columnExpression, findRelation, joinOf, relatedTable } from './columns.js';
import type { PlanContext } from './context.js';
import type { Filter, Value } from './intent.js';
import type { Operator } from './operator.js';
import { operatorById, operators, takesOverGraphql, takesOverRest } from './operators.js';
import { quoted, unknownOperator } from './refuse.js';
import {
  encodeAffix,
  encodeAs,
  encodeInteger,
  encodeJson,
  encodeList,
  encodePattern,
  encodeTexts,
  requiredSlot,
} from './values.js';

type Compare = Extract<Filter, { kind: 'compare' }>;

/** A filter over rows of the table. Throws ServerError 400 for a column, relation or operator that is not there. */
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

/** Joined by AND, leaving out what is not there. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 1 ? { kind: 'and', conditions: given } : given[0];
}

function planRelationFilter(
  filter: Extract<Filter, { kind: 'relation' }>,
  table: Table,
  context: PlanContext,
): Condition {
  const relation = findRelation(table, filter.relation);
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
  const column = columnExpression(table, filter.column, filter.path);
  const operand = filter.of === undefined ? column : measured(column, filter.of, filter.column);
  const operator = operatorFor(filter.operator, operand.type, filter.column);
  return {
    kind: 'operation',
    operator: operator.id,
    operand,
    parameters: planOperands(operator, operand.type, filter.values, filter.column, context),
    ...(filter.config === undefined
      ? {}
      : { config: { slot: requiredSlot(filter.config, scalarText, 'config'), type: regconfig } }),
  };
}

const regconfig: ColumnType = { kind: 'other', sql: { name: 'regconfig' } };
const jsonpath: ColumnType = { kind: 'other', sql: { name: 'jsonpath' } };

function measured(of: Expression, operator: string, column: string): Expression {
  operatorFor(operator, of.type, column);
  return { kind: 'length', of, type: int4 };
}

/** The operator by its id, when it takes this type. */
export function operatorFor(id: string, type: ColumnType, column: string): Operator {
  const operator = operatorById(id);
  if (operator !== undefined && (takesOverGraphql(operator, type.kind) || takesOverRest(operator, type.kind)))
    return operator;
  const taken = operators
    .filter((each) => takesOverRest(each, type.kind))
    .map((each) => each.rest?.[0] ?? each.graphql);
  throw unknownOperator(
    `${quoted(column)} does not take the operator ${quoted(operator?.rest?.[0] ?? operator?.graphql ?? id)}.`,
    `It takes ${[...new Set(taken.filter((each) => each !== undefined))].join(', ')}.`,
  );
}

/** The parameters of an operator, each with the encoding of the values it gets and the type it is compared as. */
export function planOperands(
  operator: Operator,
  type: ColumnType,
  values: readonly Value[],
  column: string,
  context: PlanContext,
): readonly Parameter[] {
  const wanted = operator.operand === 'none' ? 0 : operator.operand === 'pair' ? 2 : 1;
  if (values.length !== wanted) {
    throw unknownOperator(`The operator ${quoted(operator.id)} takes ${wanted} values, not ${values.length}.`);
  }
  return values.map((value) => planOperand(operator, type, value, column, context));
}

function planOperand(
  operator: Operator,
  type: ColumnType,
  value: Value,
  column: string,
  context: PlanContext,
): Parameter {
  const name = `${quoted(column)} ${operator.graphql ?? operator.rest?.[0] ?? operator.id}`;
  const compared = comparedAs(type);
  const element = type.element ?? type;
  switch (operator.operand) {
    case 'list': {
      const array = arrayOf(compared);
      return { slot: requiredSlot(value, encodeList(array, type, value, context), name), type: array };
    }
    case 'element':
      return { slot: requiredSlot(value, encodeAs(element, value, context), name), type: comparedAs(element) };
    case 'text': {
      const encode = operator.pattern === undefined ? scalarText : encodeAffix(operator.pattern);
      return { slot: requiredSlot(value, encode, name), type: text };
    }
    case 'texts':
      return { slot: requiredSlot(value, encodeTexts, name), type: arrayOf(text) };
    case 'pattern':
      return { slot: requiredSlot(value, encodePattern(value), name), type: text };
    case 'regex':
    case 'tsquery':
      return { slot: requiredSlot(value, scalarText, name), type: text };
    case 'json':
      return { slot: requiredSlot(value, encodeJson(value, jsonb, context), name), type: jsonb };
    case 'jsonpath':
      return { slot: requiredSlot(value, scalarText, name), type: jsonpath };
    case 'int':
      return { slot: requiredSlot(value, encodeInteger, name), type: int4 };
    default:
      return { slot: requiredSlot(value, encodeAs(type, value, context), name), type: compared };
  }
}

import type { ColumnType } from '../../templates/runtime/descriptor.js';
import type { Operator } from '../../templates/runtime/plan/operator.js';
import { graphqlOperators } from '../../templates/runtime/plan/operators.js';
import { inputType, sharedFilterName, type GraphQLTypeUse } from '../../templates/runtime/schema/graphql-type.js';
import type { FilterModel } from './model.js';

/** The filter input of a type: the operators that its kind has, as the operator table says. Source: decisions 3. */
export function buildFilter(name: string, type: ColumnType, table: string | null): FilterModel {
  return {
    name,
    table,
    comment: `Conditions on ${described(type)}; all of them must hold.`,
    operators: graphqlOperators(type.kind).map((operator) => ({
      name: operator.graphql ?? operator.id,
      operand: operandType(operator, type),
      nullableItems: operator.operand === 'column',
      comment: operator.description,
    })),
  };
}

/** The shared filters that another one uses: `length` of an array takes one of integers. */
export const lengthFilterType: ColumnType = { kind: 'int', sql: { name: 'int4' } };

function operandType(operator: Operator, type: ColumnType): GraphQLTypeUse {
  const own = inputType(type);
  const element = type.element === undefined ? own : inputType(type.element);
  const text = { name: 'String', depth: 0 };
  switch (operator.operand) {
    case 'none':
      return { name: 'Boolean', depth: 0 };
    case 'column':
      return own;
    case 'list':
    case 'pair':
      return listOf(own);
    case 'element':
      return element;
    case 'elements':
      return listOf(element);
    case 'text':
    case 'pattern':
    case 'regex':
    case 'jsonpath':
      return text;
    case 'texts':
      return listOf(text);
    case 'json':
      return { name: 'JSON', depth: 0 };
    case 'tsquery':
      return { name: 'TextSearch', depth: 0 };
    case 'int':
      return { name: sharedFilterName(lengthFilterType), depth: 0 };
  }
}

function listOf(type: GraphQLTypeUse): GraphQLTypeUse {
  return { name: type.name, depth: type.depth + 1 };
}

function described(type: ColumnType): string {
  switch (type.kind) {
    case 'array':
      return 'an array';
    case 'range':
      return 'a range';
    case 'composite':
      return 'a composite value';
    case 'enum':
      return 'an enum column';
    case 'other':
      return 'a type that is read and compared in its text form';
    case 'tsvector':
      return 'a text search document';
    default:
      return `a column of type ${inputType(type).name}`;
  }
}

import type { ValueType } from '../descriptor/descriptor.js';
import { filterKind, type Operator } from '../plan/operator.js';
import { graphqlOperators } from '../plan/operators.js';
import { inputType, sharedFilterName, type GraphQLTypeUse } from './graphql-type.js';
import { input, optional, type FieldShape, type TypeShape } from './type-shape.js';

/**
 * The filter input of a type: the operators of its kind in the operator table. Source: decision
 * 003.
 * @param operators the ids of the operators that the database supports; absent: all
 */
export const filterShape = (name: string, type: ValueType, operators?: ReadonlySet<string>): TypeShape =>
  input(name, `Conditions on ${described(type)}; all of them must hold.`, () =>
    graphqlOperators(filterKind(type))
      .filter(({ id }) => operators?.has(id) !== false)
      .map((operator) => operatorField(operator, type)),
  );

/** The type of array lengths: `length` of an array takes the shared filter of integers. */
export const lengthFilterType: ValueType = { kind: 'int' };

function operatorField(operator: Operator, type: ValueType): FieldShape {
  const { name, depth } = operandType(operator, type);
  return {
    ...optional(operator.graphql ?? operator.id, name),
    depth,
    nullableItems: operator.operand === 'column',
    description: operator.description,
  };
}

function operandType(operator: Operator, type: ValueType): GraphQLTypeUse {
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

function described(type: ValueType): string {
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

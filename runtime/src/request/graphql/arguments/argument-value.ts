import {
  Kind,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type ValueNode,
} from 'graphql';
import type { Inputs, Value } from '../../../plan/intent.js';
import { jsonLiteral } from './json-literal.js';
import { isObject } from '../../../is-record.js';

/**
 * Coerced variables: graphql-js's `getVariableValues`, with the keys of input objects in the
 * client's order.
 */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * A value that the client gave, as a literal, a variable, or literals with variables inside: read
 * the same way whichever it was. What is not there at all is `undefined`, not an ArgumentValue.
 */
export interface ArgumentValue {
  readonly isNull: boolean;
  /** Whether it is the same in every request: no variable is in it. */
  readonly isConstant: boolean;
  /** The fields of an input object that were given, in the client's order. */
  readonly fields: () => readonly (readonly [string, ArgumentValue])[];
  /** The fields of a literal input object whose variable was not given. */
  readonly missing: readonly string[];
  /** The items of a literal list or object; absent for leaves and for variables. */
  readonly parts?: readonly ArgumentValue[];
  /** The items of a list; anything but a list is a list of one. */
  readonly items: () => readonly ArgumentValue[];
  /** The value in this request. Only facts in the shape of the variables may depend on it. */
  readonly current: () => unknown;
  /** Where the value will be found in every request of this shape. */
  readonly value: () => Value;
}

/**
 * What stands at `node`, where the schema expects `type`; undefined for a variable that was not
 * given.
 * Source: https://spec.graphql.org/October2021/#sec-Input-Objects.Input-Coercion
 */
export function givenLiteral(node: ValueNode, type: GraphQLInputType, variables: Variables): ArgumentValue | undefined {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    if (!Object.hasOwn(variables, name)) return undefined;
    return givenValue(variables[name], type, (inputs) => (inputs as Variables)[name]);
  }
  if (node.kind === Kind.NULL) return givenNull;
  const expected = getNullableType(type);
  if (isListType(expected)) return literalList(node, expected.ofType, variables);
  if (isInputObjectType(expected)) return literalObject(node, expected, variables);
  return literalLeaf(node, expected, variables);
}

/** A coerced value, and how to find it in the inputs of another request of the same shape. */
export function givenValue(
  value: unknown,
  type: GraphQLInputType,
  read: Value['read'],
  isConstant = false,
): ArgumentValue {
  if (value === null) return givenNull;
  const expected = getNullableType(type);
  return {
    isNull: false,
    isConstant,
    missing: [],
    current: () => value,
    value: () => ({ read, form: 'json', ...(isConstant ? { constant: value } : {}) }),
    items: () =>
      isListType(expected) && Array.isArray(value)
        ? value.map((item: unknown, at) =>
            givenValue(item, expected.ofType, (inputs) => (read(inputs) as unknown[])[at]),
          )
        : [givenValue(value, expected, read)],
    fields: () =>
      isInputObjectType(expected) && isObject(value)
        ? Object.entries(value).map(([name, item]) => [
            name,
            givenValue(item, fieldType(expected, name), member(read, name)),
          ])
        : [],
  };
}

/** The default of an argument or an input field: the same in every request. */
export const givenDefault = (value: unknown, type: GraphQLInputType): ArgumentValue =>
  givenValue(value, type, () => value, true);

/** Null, in a document or as the value of a variable. */
export const givenNull: ArgumentValue = {
  isNull: true,
  isConstant: true,
  missing: [],
  current: () => null,
  value: () => ({ read: () => null, form: 'json', constant: null }),
  items: () => [],
  fields: () => [],
};

function literalList(node: ValueNode, itemType: GraphQLInputType, variables: Variables): ArgumentValue {
  const nodes = node.kind === Kind.LIST ? node.values : [node];
  const items = nodes.map((item) => givenLiteral(item, itemType, variables) ?? givenNull);
  return assembled({
    parts: items,
    items: () => items,
    fields: () => [],
    current: () => items.map((item) => item.current()),
    assemble: () => {
      const reads = items.map((item) => item.value().read);
      return (inputs) => reads.map((read) => read(inputs));
    },
    isConstant: !hasVariable(node),
  });
}

function literalObject(node: ValueNode, type: GraphQLInputObjectType, variables: Variables): ArgumentValue {
  const fields = objectFields(node, type, variables);
  const self = assembled({
    missing: missingFields(node, variables),
    parts: fields.map(([, field]) => field),
    items: () => [self],
    fields: () => fields,
    current: () => Object.fromEntries(fields.map(([name, item]) => [name, item.current()])),
    assemble: () => {
      const reads = fields.map(([name, item]) => [name, item.value().read] as const);
      return (inputs) => Object.fromEntries(reads.map(([name, read]) => [name, read(inputs)]));
    },
    isConstant: !hasVariable(node),
  });
  return self;
}

function objectFields(
  node: ValueNode,
  type: GraphQLInputObjectType,
  variables: Variables,
): (readonly [string, ArgumentValue])[] {
  const nodes = node.kind === Kind.OBJECT ? node.fields : [];
  const types = type.getFields();
  const fields: (readonly [string, ArgumentValue])[] = [];
  const seen = new Set<string>();
  for (const { name, value } of nodes) {
    const given = givenLiteral(value, fieldType(type, name.value), variables);
    if (given === undefined) continue;
    seen.add(name.value);
    fields.push([name.value, given]);
  }
  for (const field of Object.values(types)) {
    if (field.defaultValue === undefined || seen.has(field.name)) continue;
    fields.push([field.name, givenDefault(field.defaultValue, field.type)]);
  }
  return fields;
}

function missingFields(node: ValueNode, variables: Variables): readonly string[] {
  const nodes = node.kind === Kind.OBJECT ? node.fields : [];
  return nodes
    .filter(({ value }) => value.kind === Kind.VARIABLE && !Object.hasOwn(variables, value.name.value))
    .map(({ name }) => name.value);
}

function literalLeaf(node: ValueNode, type: GraphQLLeafType, variables: Variables): ArgumentValue {
  // The scalar's own parser returns numbers that may have lost digits, because it also serves
  // resolvers of the user's code.
  const read = type.name === 'JSON' ? jsonLiteral : type.parseLiteral.bind(type);
  const parse = (inputs: Inputs): unknown => read(node, inputs as Record<string, unknown>);
  const self = assembled({
    items: () => [self],
    fields: () => [],
    current: () => parse(variables),
    assemble: () => parse,
    isConstant: !hasVariable(node),
  });
  return self;
}

interface Assembly extends Pick<ArgumentValue, 'items' | 'fields' | 'current' | 'isConstant' | 'parts'> {
  readonly missing?: readonly string[];
  readonly assemble: () => Value['read'];
}

/** Without variables inside, a literal is read once and for all. */
function assembled({ assemble, ...parts }: Assembly): ArgumentValue {
  return {
    isNull: false,
    missing: [],
    ...parts,
    value: () => {
      if (!parts.isConstant) return { read: assemble(), form: 'json' };
      const value = parts.current();
      return { read: () => value, form: 'json', constant: value };
    },
  };
}

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.VARIABLE) return true;
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  return node.kind === Kind.OBJECT && node.fields.some((field) => hasVariable(field.value));
}

function fieldType(type: GraphQLInputObjectType, name: string): GraphQLInputType {
  const field = type.getFields()[name];
  if (field === undefined) throw new TypeError(`${type.name} has no field ${name}; validation lets none through.`);
  return isNonNullType(field.type) ? field.type.ofType : field.type;
}

const member =
  (read: Value['read'], name: string): Value['read'] =>
  (inputs) =>
    (read(inputs) as Record<string, unknown>)[name];

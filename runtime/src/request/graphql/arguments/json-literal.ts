import { Kind, type ValueNode } from 'graphql';
import { exactNumber } from '../../../exact-number.js';

/**
 * A literal of JSON with its variables filled in, as graphql-js's `valueFromASTUntyped` has it, but
 * numbers keep all their digits. A variable without a value is undefined.
 */
export function jsonLiteral(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value);
    case Kind.LIST:
      return node.values.map((item) => jsonLiteral(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, jsonLiteral(value, variables)]));
    case Kind.VARIABLE:
      return Object.hasOwn(variables, node.name.value) ? variables[node.name.value] : undefined;
    case Kind.NULL:
      return null;
    default:
      return node.value;
  }
}

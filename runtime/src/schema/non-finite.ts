import { GraphQLFloat, Kind, type ValueNode } from 'graphql';

/** JSON and GraphQL have no numbers for these: answers write them as texts (decision 002). */
const nonFinite: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/**
 * Lets `Float` take the texts that it answers. A schema has one type of a name, and the user's
 * classes have graphql-js's own `Float`, so the parsers of that object are replaced, once.
 */
const parseValue = GraphQLFloat.parseValue.bind(GraphQLFloat);
const parseLiteral = GraphQLFloat.parseLiteral.bind(GraphQLFloat);
GraphQLFloat.parseValue = (value: unknown): number => nonFinite.get(value) ?? parseValue(value);
GraphQLFloat.parseLiteral = (node: ValueNode, variables?: Parameters<typeof parseLiteral>[1]): number =>
  (node.kind === Kind.STRING ? nonFinite.get(node.value) : undefined) ?? parseLiteral(node, variables);

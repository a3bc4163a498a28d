import type { GraphQLSchema } from 'graphql';

const ready = new WeakSet<GraphQLSchema>();

/** Says that a schema's generated fields have no resolvers that stand in the way of the statement's data. */
export function markReady(schema: GraphQLSchema): void {
  ready.add(schema);
}

/** Whether `markReady` was told of the schema. */
export const isReady = (schema: GraphQLSchema): boolean => ready.has(schema);

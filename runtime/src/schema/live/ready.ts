import type { GraphQLSchema } from 'graphql';

const ready = new WeakSet<GraphQLSchema>();

/** Marks a schema whose generated fields have no resolvers that would hide the statement's data. */
export function markReady(schema: GraphQLSchema): void {
  ready.add(schema);
}

/** Whether `markReady` has marked the schema. */
export const isReady = (schema: GraphQLSchema): boolean => ready.has(schema);

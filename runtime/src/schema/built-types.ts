import type { GraphQLNamedType, GraphQLSchema } from 'graphql';

const built = new WeakMap<GraphQLSchema, readonly GraphQLNamedType[]>();

/** Remembers the types that TypeGraphQL has built of a schema: all that code of the user's can have a part in. */
export function rememberBuilt(schema: GraphQLSchema, types: readonly GraphQLNamedType[]): void {
  built.set(schema, types);
}

/** The types that TypeGraphQL has built; none of a schema that it has not. */
export const builtTypes = (schema: GraphQLSchema): readonly GraphQLNamedType[] => built.get(schema) ?? [];

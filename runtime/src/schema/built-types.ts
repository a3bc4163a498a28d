import type { GraphQLNamedType, GraphQLSchema } from 'graphql';

const built = new WeakMap<GraphQLSchema, readonly GraphQLNamedType[]>();

/** Stores the types of a schema that TypeGraphQL built: only these can contain the user's code. */
export function rememberBuilt(schema: GraphQLSchema, types: readonly GraphQLNamedType[]): void {
  built.set(schema, types);
}

/** The types that TypeGraphQL built; none for a schema without TypeGraphQL. */
export const builtTypes = (schema: GraphQLSchema): readonly GraphQLNamedType[] => built.get(schema) ?? [];

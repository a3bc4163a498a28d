import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/** The same error with some of its parts replaced. GraphQLError has no setters. */
export function revised(
  error: GraphQLError,
  changes: Partial<GraphQLErrorOptions> & { readonly message?: string },
): GraphQLError {
  const { message = error.message, ...options } = changes;
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: error.extensions,
    ...options,
  });
}

import type { GraphQLSchema } from 'graphql';
import { createDocumentResolver } from '../../runtime/src/endpoint/graphql/documents.js';
import { createGraphqlEndpoint, createGraphqlHandler } from '../../runtime/src/endpoint/graphql/handler.js';
import { createStreams } from '../../runtime/src/endpoint/graphql/stream/sockets.js';
import type { Services } from '../../runtime/src/execute/services.js';
import type { DataHandler } from '../../runtime/src/http/request-context.js';

/** The GraphQL handler of a server without a change feed. */
export function graphqlHandler(services: Services, schema: GraphQLSchema): DataHandler {
  const { settings } = services;
  const endpoint = createGraphqlEndpoint(services, schema, {
    hub: undefined,
    resolve: createDocumentResolver(settings),
  });
  const current = (): typeof endpoint => endpoint;
  return createGraphqlHandler(endpoint, { streams: createStreams(settings, current), current });
}

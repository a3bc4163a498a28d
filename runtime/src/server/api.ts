import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createRegistry, type Descriptors, type Registry } from '../descriptor/registry.js';
import type { TableRoutes } from '../descriptor/generated.js';
import { createGraphqlEndpoint, createGraphqlHandler } from '../endpoint/graphql/handler.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import type { Streams } from '../endpoint/graphql/stream/sockets.js';
import { createRestHandler } from '../endpoint/rest/handler.js';
import type { Services } from '../execute/services.js';
import type { Cors } from '../http/cors.js';
import { createDataPlane } from '../http/data-plane.js';
import { createPages } from '../http/pages.js';
import type { DataHandler } from '../http/request-context.js';
import type { Settings } from '../settings/settings.js';
import { narrowSchema } from '../schema/narrow-schema.js';
import type { SchemaState } from '../drift/follower.js';
import { createPrepare } from './prepare.js';
import type { CustomServer } from './custom.js';

/** What every API of a server has in common, however often its database changes. */
export interface Ground extends Omit<Services, 'registry' | 'prepare'>, Pick<StreamEndpoint, 'hub' | 'resolve'> {
  readonly custom: CustomServer;
  readonly cors: Cors | undefined;
  readonly draining: () => boolean;
  readonly schemaState: () => SchemaState;
  readonly streams: Streams;
  /** Of the API that is served. Throws ServerError where that has no GraphQL. */
  readonly endpoint: () => StreamEndpoint;
  /**
   * The API that has taken the place of `failed`, where `error` says that the database has changed: waits until the server has looked at it.
   * Undefined when no other one is served.
   */
  readonly successor: (error: unknown, failed: Api) => Promise<Api | undefined>;
}

/** What an API is made of: generated code says it, or a model of the database as it is now. */
export interface ApiSource {
  readonly descriptors: Descriptors;
  readonly registry: Registry;
  readonly routes: readonly TableRoutes[];
  /** The bytes of openapi.json. */
  readonly openapi: () => Promise<Buffer>;
  /** Undefined where GraphQL has nothing to show. */
  readonly graphql: GraphQLSchema | undefined;
}

/** REST, GraphQL, introspection, OpenAPI and pages of one state of the database. They change together, by being replaced as a whole. */
export interface Api extends Pick<ApiSource, 'descriptors' | 'registry'> {
  /** Of the tables that are served. */
  readonly served: Registry;
  /** Undefined where GraphQL has nothing to show. */
  readonly endpoint: StreamEndpoint | undefined;
  readonly rest: DataHandler;
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
}

/** Puts the rooms of the data plane together over one state of the database. */
export function createApi(ground: Ground, source: ApiSource): Api {
  const { registry, descriptors } = source;
  const { settings, dialect, observe, cors, custom } = ground;
  const services: Services = { ...ground, registry, prepare: createPrepare({ registry, settings, dialect }) };
  const served = servedRegistry(settings, source);
  const successor = (error: unknown): Promise<Api | undefined> => ground.successor(error, api);
  const { endpoint, rest, handlers } = dataHandlers(ground, { ...services, registry: served }, source, successor);
  const dataPlane = createDataPlane(handlers, observe, cors);
  const { draining, schemaState, hub } = ground;
  const feed = hub === undefined ? {} : { feed: () => hub.state };
  const pages = createPages(services, { routes: custom.routes ?? [], draining, cors, schemaState, ...feed });
  const api: Api = {
    descriptors,
    registry,
    served,
    endpoint,
    rest,
    handle: (request, response, next) => {
      if (draining()) response.shouldKeepAlive = false;
      if (dataPlane(request, response)) return;
      if (next === undefined) pages(request, response);
      else next();
    },
  };
  return api;
}

interface DataHandlers extends Pick<Api, 'rest' | 'endpoint'> {
  readonly handlers: ReadonlyMap<string, DataHandler>;
}

/** Both protocols. A database with nothing that GraphQL can show has REST alone. */
function dataHandlers(
  ground: Ground,
  services: Services,
  source: ApiSource,
  successor: (error: unknown) => Promise<Api | undefined>,
): DataHandlers {
  const { routes, openapi, graphql } = source;
  const rest = createRestHandler(services, {
    routes,
    openapi,
    successor: async (error) => (await successor(error))?.rest,
  });
  const handlers = new Map<string, DataHandler>([['/api/v1', rest]]);
  const narrowed = graphql === undefined ? undefined : narrowSchema(graphql, source.registry, services.registry);
  if (!narrowed?.getQueryType()) return { handlers, rest, endpoint: undefined };
  const { hub, resolve, streams, endpoint: current } = ground;
  const endpoint = createGraphqlEndpoint(services, narrowed, {
    hub,
    resolve,
    successor: async (error) => (await successor(error))?.endpoint?.engine,
  });
  return { endpoint, rest, handlers: handlers.set('/graphql', createGraphqlHandler(endpoint, { streams, current })) };
}

/** The tables and procedures of the schemas that are served: what is not served is not embedded either. */
export function servedRegistry(
  settings: Settings,
  { registry, descriptors }: Pick<ApiSource, 'registry' | 'descriptors'>,
): Registry {
  const schemas = settings['app.schemas'];
  if (schemas === undefined) return registry;
  const tables = descriptors.tables.filter(({ schema }) => schemas.includes(schema));
  const fields = new Set(tables.map(({ field }) => field));
  return createRegistry({
    ...descriptors,
    tables,
    procedures: (descriptors.procedures ?? []).filter(({ schema }) => schemas.includes(schema)),
    functions: (descriptors.functions ?? []).filter(
      ({ schema, table }) => schemas.includes(schema) && (table === undefined || fields.has(table)),
    ),
  });
}

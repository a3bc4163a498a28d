import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { FunctionDescriptor } from '../descriptor/descriptor.js';
import { createRegistry, type Registry } from '../descriptor/registry.js';
import { restPath } from '../descriptor/naming.js';
import { answeredTables } from '../descriptor/results.js';
import type { CancelSignal } from '../cancel-signal.js';
import type { Driver, Identity } from '../dialect/driver.js';
import { createGraphqlEndpoint, createGraphqlHandler } from '../endpoint/graphql/handler.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import type { Streams } from '../endpoint/graphql/stream/sockets.js';
import { createRestHandler } from '../endpoint/rest/handler.js';
import type { AskingServices, Caller } from '../execute/custom/caller.js';
import type { Services } from '../execute/services.js';
import type { Cors } from '../http/cors.js';
import { lazyConsole } from '../http/console.js';
import { createDataPlane } from '../http/data-plane.js';
import { createPages } from '../http/pages.js';
import type { DataHandler } from '../http/request-context.js';
import type { Traces } from '../observe/traces.js';
import { hasConsole } from '../settings/has-console.js';
import type { Settings } from '../settings/settings.js';
import { narrowSchema } from '../schema/narrow-schema.js';
import type { SchemaState } from '../drift/follower.js';
import type { IdentityRequest } from '../execute/custom/identity-request.js';
import type { ApiSource } from './api-source.js';
import { createAsk, createCallers } from './callers.js';
import type { Unread } from '../rules/unread.js';
import { createRowHooks, type RowHooks } from '../rules/row-filter.js';
import { createPrepare } from './prepare.js';
import type { CustomServer } from './custom.js';
import type { MakeMounts, Mount } from './mount.js';

/** What every API of a server has in common, however often its database changes. */
export interface ApiContext extends Omit<Services, 'registry' | 'prepare'>, Pick<StreamEndpoint, 'hub' | 'resolve'> {
  readonly custom: CustomServer;
  /** The server's own database: that of `driver`, unless tenants have databases of theirs. */
  readonly database: Driver;
  /** Absent where roles have no grants on columns. */
  readonly unread?: Unread;
  /** The paths that extensions serve. */
  readonly mounts: MakeMounts;
  /** Resolves when a schema that has been checked is everywhere. */
  readonly settle: () => Promise<void>;
  /** What extensions add to the answers of `/health`. */
  readonly healthDetails?: (() => Readonly<Record<string, unknown>>) | undefined;
  /** What serves the streams of an identity. Absent where all roles have the same API. */
  readonly endpointOf?: StreamEndpoint['of'];
  readonly traces?: Traces;
  readonly cors: Cors | undefined;
  readonly draining: () => boolean;
  readonly schemaState: () => SchemaState;
  readonly streams: Streams;
  /** Of the API that is served. Throws ServerError where that has no GraphQL. */
  readonly endpoint: () => StreamEndpoint;
  /**
   * The API that has taken the place of `failed`, where `error` says that the database has changed:
   * waits until the server has looked at it. Undefined when no other one is served.
   */
  readonly successor: (error: unknown, failed: Api) => Promise<Api | undefined>;
}

/**
 * REST, GraphQL, introspection, OpenAPI and pages of one state of the database. They change
 * together, by being replaced as a whole.
 */
export interface Api extends Pick<ApiSource, 'descriptors' | 'registry'> {
  readonly source: ApiSource;
  /** Of the tables that are served. */
  readonly served: Registry;
  /** Undefined where no hook limits the rows of a table. */
  readonly rowHooks: RowHooks | undefined;
  /** Undefined where GraphQL has nothing to show. */
  readonly endpoint: StreamEndpoint | undefined;
  /** By the first segments of the path. */
  readonly handlers: ReadonlyMap<string, DataHandler>;
  /** The database as an identity, for the user's code. */
  readonly callerOf: (identity: Identity, signal?: CancelSignal) => Caller;
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** Whether the answer at this address depends on what the API has. */
  readonly isLimited: (url: string) => boolean;
  /** The part of a request that says who sends it. */
  readonly senderOf: (request: IncomingMessage) => IdentityRequest;
}

/**
 * Connects the folders of the data plane for one state of the database.
 * @param whole the API of which this is the part of a role
 */
export function createApi(context: ApiContext, source: ApiSource, whole?: Api): Api {
  const { registry, descriptors } = source;
  const { settings, dialect, cors, custom } = context;
  // Conditions may be about columns that the role does not see.
  const rowHooks =
    whole === undefined
      ? createRowHooks({ registry, settings, dialect, hooks: context.hooks }, context.unread)
      : whole.rowHooks;
  const services: AskingServices = {
    ...context,
    registry,
    prepare: createPrepare({ registry, settings, dialect }),
    ...(rowHooks === undefined ? {} : { rowFilter: rowHooks.rowFilter }),
    ...(whole === undefined ? {} : { ask: createAsk(() => whole.endpoint?.engine) }),
  };
  const served = servedRegistry(settings, source);
  const successor = (error: unknown): Promise<Api | undefined> => context.successor(error, api);
  const callerOf = createCallers({ ...services, registry: served }, () => api.endpoint?.engine);
  const { endpoint, mounts, schema } = mountsOf(
    context,
    { ...services, registry: served },
    source,
    { successor, callerOf },
    whole === undefined,
  );
  const handlers = new Map(mounts.map(({ prefix, handler }) => [prefix, handler]));
  const dataPlane = createDataPlane(handlers, context);
  const { draining, schemaState, hub, healthDetails } = context;
  const feed = hub === undefined ? {} : { feed: () => hub.health };
  const routed = { routes: custom.routes ?? [], callerOf };
  const console = hasConsole(settings)
    ? { console: lazyConsole({ ...source, registry: served, settings, services, graphql: schema }) }
    : {};
  const pages = createPages(services, { ...routed, draining, cors, schemaState, healthDetails, ...feed, ...console });
  const limited = mounts.filter(({ isPublic }) => isPublic !== true);
  const api: Api = {
    source,
    descriptors,
    registry,
    served,
    rowHooks,
    endpoint,
    handlers,
    callerOf,
    handle: (request, response, next) => {
      if (draining()) response.shouldKeepAlive = false;
      if (dataPlane(request, response)) return;
      if (next === undefined) pages(request, response);
      else next();
    },
    isLimited: (url) => limited.some(({ prefix }) => url.startsWith(prefix)) || consolePaths.test(url),
    senderOf: (request) => {
      const { url = '/' } = request;
      return mounts.find(({ prefix }) => url.startsWith(prefix))?.senderOf?.(request) ?? request;
    },
  };
  return api;
}

const consolePaths = /^\/(?:\?|$|console\/|schema\.graphql)/;

interface Mounts extends Pick<Api, 'endpoint'> {
  readonly mounts: readonly Mount[];
  /** What GraphQL serves; undefined where it has nothing to show. */
  readonly schema: GraphQLSchema | undefined;
}

/** Both protocols. A database with nothing that GraphQL can show has REST alone. */
function mountsOf(
  context: ApiContext,
  services: AskingServices,
  source: ApiSource,
  { successor, callerOf }: Pick<Api, 'callerOf'> & { readonly successor: (error: unknown) => Promise<Api | undefined> },
  isWhole: boolean,
): Mounts {
  const { routes, openapi, graphql } = source;
  const handlerIn = async (error: unknown, prefix: string): Promise<DataHandler | undefined> =>
    (await successor(error))?.handlers.get(prefix);
  const rest = createRestHandler(services, { routes, openapi, successor: (error) => handlerIn(error, restPath) });
  const narrowed = graphql === undefined ? undefined : narrowSchema(graphql, source.registry, services.registry);
  const schema = narrowed?.getQueryType() ? narrowed : undefined;
  const { hub, resolve, streams, endpoint: current } = context;
  const others = context.mounts(services, {
    ...source,
    ...{ schema, resolve, streams, isWhole, callerOf },
    successor: handlerIn,
  });
  const mounts = [{ prefix: restPath, handler: rest }, ...others];
  if (schema === undefined) return { mounts, endpoint: undefined, schema };
  const endpoint = createGraphqlEndpoint(services, schema, {
    ...{ hub, resolve, of: context.endpointOf },
    successor: async (error) => (await successor(error))?.endpoint?.engine,
  });
  const graphqlMount = { prefix: '/graphql', handler: createGraphqlHandler(endpoint, { streams, current }) };
  return { mounts: [...mounts, graphqlMount], endpoint, schema };
}

/**
 * The tables and procedures of the schemas that are served: other tables cannot be embedded either.
 */
export function servedRegistry(
  settings: Settings,
  { registry, descriptors }: Pick<ApiSource, 'registry' | 'descriptors'>,
): Registry {
  const schemas = settings['app.schemas'];
  if (schemas === undefined) return registry;
  const tables = descriptors.tables.filter(({ schema }) => schemas.includes(schema));
  const fields = new Set(tables.map(({ field }) => field));
  const isServed = (called: FunctionDescriptor): boolean =>
    schemas.includes(called.schema) && answeredTables(called).every((table) => fields.has(table));
  return createRegistry({
    ...descriptors,
    tables,
    procedures: (descriptors.procedures ?? []).filter(({ schema }) => schemas.includes(schema)),
    functions: (descriptors.functions ?? []).filter(isServed),
    ...(descriptors.callable === undefined ? {} : { callable: descriptors.callable.filter(isServed) }),
    ...(descriptors.mediaHandlers && {
      mediaHandlers: descriptors.mediaHandlers.filter(({ schema }) => schemas.includes(schema)),
    }),
  });
}

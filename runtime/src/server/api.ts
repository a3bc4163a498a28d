import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Catalog } from '../catalog/catalog.js';
import type { FunctionDescriptor } from '../descriptor/descriptor.js';
import { createRegistry, type Descriptors, type Registry } from '../descriptor/registry.js';
import { answeredTables } from '../descriptor/results.js';
import type { TableRoutes } from '../descriptor/generated.js';
import type { CancelSignal } from '../cancel-signal.js';
import type { Driver, Identity } from '../dialect/driver.js';
import { createGraphqlEndpoint, createGraphqlHandler } from '../endpoint/graphql/handler.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import type { Streams } from '../endpoint/graphql/stream/sockets.js';
import type { createMcp, Mcp } from '../endpoint/mcp/handler.js';
import type { Sdk } from '../endpoint/mcp/sdk.js';
import type { createPostgrestHandler } from '../endpoint/postgrest/handler.js';
import { postgrestPath } from '../endpoint/postgrest/path.js';
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
import type { CustomParts } from '../schema/custom/parts.js';
import { narrowSchema } from '../schema/narrow-schema.js';
import type { SchemaState } from '../drift/follower.js';
import type { RoleLimits } from '../model/role/descriptors-for-role.js';
import { createAsk, createCallers } from './callers.js';
import type { Unread } from './unread.js';
import { createRowHooks, type RowHooks } from './row-filter.js';
import { createPrepare } from './prepare.js';
import type { CustomServer } from './custom.js';

/** What every API of a server has in common, however often its database changes. */
export interface ApiContext extends Omit<Services, 'registry' | 'prepare'>, Pick<StreamEndpoint, 'hub' | 'resolve'> {
  readonly custom: CustomServer;
  /** The server's own database: that of `driver`, unless tenants have databases of theirs. */
  readonly database: Driver;
  /** Absent where roles have no grants on columns. */
  readonly unread?: Unread;
  /** Absent where `app.rest.postgrest` names no path: its modules are not loaded then. */
  readonly createPostgrestHandler?: typeof createPostgrestHandler;
  /** What serves the streams of an identity. Absent where all roles have the same API. */
  readonly endpointOf?: StreamEndpoint['of'];
  /** Absent where `app.mcp` is off: its modules and the SDK are not loaded then. */
  readonly agents?: { readonly createMcp: typeof createMcp; readonly paths: AgentPaths; readonly sdk: Sdk };
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

/** Where agents ask, and where they learn how to log in. */
interface AgentPaths {
  readonly handler: string;
  readonly metadata: string;
}

/** The source of an API: generated code, or a model of the current database. */
export interface ApiSource {
  readonly descriptors: Descriptors;
  readonly registry: Registry;
  readonly routes: readonly TableRoutes[];
  /** The bytes of openapi.json. */
  readonly openapi: () => Promise<Buffer>;
  /** The same of what a role may do. */
  readonly openapiFor: (limits: RoleLimits) => Promise<Buffer>;
  /** Undefined where GraphQL has nothing to show. */
  readonly graphql: GraphQLSchema | undefined;
  /** The user's part of it; undefined where there is none. */
  readonly customParts: CustomParts | undefined;
  /** Of its catalogue. Absent: the follower knows that of the generated API. */
  readonly fingerprint?: string;
  /** The catalogue that it follows from, for the console; undefined where it cannot be read. */
  readonly catalog: () => Promise<Catalog | undefined>;
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
  readonly rest: DataHandler;
  /** Undefined where `app.rest.postgrest` names no path. */
  readonly postgrest: DataHandler | undefined;
  /** Undefined where `app.mcp` is off. */
  readonly mcp: Mcp | undefined;
  /** The database as an identity, for the user's code. */
  readonly callerOf: (identity: Identity, signal?: CancelSignal) => Caller;
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** Whether the answer at this address depends on what the API has. */
  readonly isLimited: (url: string) => boolean;
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
  const { endpoint, rest, postgrest, mcp, handlers, schema } = dataHandlers(
    context,
    { ...services, registry: served },
    source,
    successor,
    whole === undefined,
  );
  const dataPlane = createDataPlane(handlers, context);
  const { draining, schemaState, hub } = context;
  const feed = hub === undefined ? {} : { feed: () => hub.health };
  const callerOf = createCallers({ ...services, registry: served }, () => api.endpoint?.engine);
  const routed = { routes: custom.routes ?? [], callerOf };
  const console = hasConsole(settings)
    ? { console: lazyConsole({ ...source, registry: served, settings, services, graphql: schema }) }
    : {};
  const pages = createPages(services, { ...routed, draining, cors, schemaState, ...feed, ...console });
  const paths = [...handlers.keys()].filter((path) => path !== context.agents?.paths.metadata);
  const api: Api = {
    source,
    descriptors,
    registry,
    served,
    rowHooks,
    endpoint,
    rest,
    postgrest,
    mcp,
    callerOf,
    handle: (request, response, next) => {
      if (draining()) response.shouldKeepAlive = false;
      if (dataPlane(request, response)) return;
      if (next === undefined) pages(request, response);
      else next();
    },
    isLimited: (url) => paths.some((path) => url.startsWith(path)) || consolePaths.test(url),
  };
  return api;
}

const consolePaths = /^\/(?:\?|$|console\/|schema\.graphql)/;

interface DataHandlers extends Pick<Api, 'rest' | 'postgrest' | 'mcp' | 'endpoint'> {
  readonly handlers: ReadonlyMap<string, DataHandler>;
  /** What GraphQL serves; undefined where it has nothing to show. */
  readonly schema: GraphQLSchema | undefined;
}

/** Both protocols. A database with nothing that GraphQL can show has REST alone. */
function dataHandlers(
  context: ApiContext,
  services: AskingServices,
  source: ApiSource,
  successor: (error: unknown) => Promise<Api | undefined>,
  isWhole: boolean,
): DataHandlers {
  const { routes, openapi, graphql } = source;
  const rest = createRestHandler(services, {
    routes,
    openapi,
    successor: async (error) => (await successor(error))?.rest,
  });
  const handlers = new Map<string, DataHandler>([['/api/v1', rest]]);
  const path = postgrestPath(services.settings);
  const postgrest =
    path === undefined
      ? undefined
      : context.createPostgrestHandler?.(services, path, {
          ...{ routes, openapi, catalog: source.catalog },
          successor: async (error) => (await successor(error))?.postgrest,
        });
  if (path !== undefined && postgrest !== undefined) handlers.set(path, postgrest);
  const narrowed = graphql === undefined ? undefined : narrowSchema(graphql, source.registry, services.registry);
  const schema = narrowed?.getQueryType() ? narrowed : undefined;
  const { hub, resolve, streams, endpoint: current, agents } = context;
  const mcp = agents?.createMcp(services, {
    ...{ sdk: agents.sdk, routes, openapi, schema, resolve, streams },
    resources: { showsPolicies: isWhole && hasConsole(services.settings), catalog: source.catalog },
    successor: async (error) => (await successor(error))?.mcp,
  });
  if (agents !== undefined && mcp !== undefined)
    handlers.set(agents.paths.handler, mcp.handler).set(agents.paths.metadata, mcp.metadata);
  if (schema === undefined) return { handlers, rest, postgrest, mcp, endpoint: undefined, schema };
  const endpoint = createGraphqlEndpoint(services, schema, {
    ...{ hub, resolve, of: context.endpointOf },
    successor: async (error) => (await successor(error))?.endpoint?.engine,
  });
  handlers.set('/graphql', createGraphqlHandler(endpoint, { streams, current }));
  return { endpoint, rest, postgrest, mcp, handlers, schema };
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAuthenticator } from '../auth/authenticator.js';
import { createLogger } from '../observe/logger.js';
import { nearest } from '../nearest.js';
import type { Observation, Observer } from '../observe/observation.js';
import { openUsageLog } from '../observe/usage-log.js';
import { Backlog } from '../response/backlog.js';
import { createRegistry, type Registry } from '../descriptor/registry.js';
import { createDriver } from './create-driver.js';
import { dialectOfGiven } from './dialects.js';
import type { Driver } from '../dialect/driver.js';
import type { Settings } from '../settings/settings.js';
import { createCors, type Cors } from '../http/cors.js';
import { createOpenapiReader } from '../http/openapi.js';
import type { Served } from '../drift/served.js';
import type { CustomServer } from './custom.js';
import type { GeneratedServer } from '../descriptor/generated.js';
import { loadSettings, type Environment } from '../settings/load-settings.js';
import { FirstContact } from './first-contact.js';
import { buildGraphqlSchema } from '../schema/build-schema.js';
import { createDocuments } from '../endpoint/graphql/documents.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import { createStreams, type Streams } from '../endpoint/graphql/stream/sockets.js';
import { codes, ServerError } from '../errors.js';
import { rawAnswer } from '../http/raw-answer.js';
import { hasChanges } from '../schema/changes-shape.js';
import { createChangeHub, type ServedHub } from './change-hub.js';
import { servedRegistry, type Api, type ApiSource, type Ground } from './api.js';
import { withSearchPath } from './search-path.js';
import { follow, type ProcessHandle } from './follow.js';

/** What a server is made of. */
export interface ServerOptions {
  readonly generated: GeneratedServer;
  readonly custom?: CustomServer;
  /** Overrides the generated settings. Default: `process.env`. */
  readonly environment?: Environment;
  /** Default: the one that `app.datasource.url` names. It is closed with the server. */
  readonly driver?: Driver;
  /** Is told what happens. Default: a logger of JSON lines. */
  readonly observe?: Observer;
}

/** A server put together. It serves data once its database is found and checked. */
export interface Assembly {
  readonly settings: Settings;
  readonly observe: Observer;
  readonly contact: FirstContact;
  /** What is served at the moment; replaced when the database has changed. */
  readonly api: Served<Api>;
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** Takes a connection that asks to become a WebSocket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Closes the connections that stay open: WebSockets and event streams. Their clients connect again, to another server. */
  readonly closeStreams: () => Promise<void>;
  /** From now on the server is not ready, and asks its clients to leave. */
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Puts the rooms together and begins to look for the database. Rejects with ServerError when a setting is wrong.
 * @param process is told what is served, and ends the server for `app.drift.on-change`
 */
export async function assemble(options: ServerOptions, process: ProcessHandle): Promise<Assembly> {
  const { generated, custom = {} } = options;
  const settings = loadSettings(generated.settings, options.environment ?? globalThis.process.env);
  const cors = createCors(settings);
  const observe = options.observe ?? createLogger(settings);
  const registry = createRegistry(generated.descriptors);
  const authenticator = createAuthenticator(settings, { observe });
  const database =
    options.driver ?? createDriver(withSearchPath(settings, generated.descriptors), registry.tables.length, observe);
  const dialect = dialectOfGiven(settings);
  const contact = new FirstContact(
    database,
    dialect,
    () => dialect.checkAtStart(database, registry, settings),
    observe,
  );
  const usagePath = settings['app.usage.log'];
  const usage = usagePath === undefined ? undefined : await openUsageLog(usagePath, observe);
  const opened: { changes?: ServedHub | undefined; streams?: Streams } = {};
  const close = async (): Promise<void> => {
    contact.stop();
    await opened.streams?.close();
    await opened.changes?.hub.close();
    authenticator.close();
    await usage?.close();
    await database.close();
  };
  let draining = false;
  const served: { api?: Served<Api> } = {};
  const endpoint = (): StreamEndpoint => served.api?.current.endpoint ?? noGraphql();
  const ground: Omit<Ground, 'schemaState' | 'successor' | 'hub' | 'streams' | 'resolve'> = {
    settings,
    dialect,
    driver: contact.driver,
    authenticate: authenticator.authenticate,
    authenticateHeader: authenticator.authenticateHeader,
    hasKeys: authenticator.hasKeys,
    observe,
    backlog: new Backlog(settings['app.limits.pending-response-bytes']),
    ...(custom.hooks === undefined ? {} : { hooks: custom.hooks }),
    ...(usage === undefined ? {} : { usage: usage.add }),
    custom,
    cors,
    draining: () => draining,
    endpoint,
  };
  for (const finding of unknownSchemas(settings, registry)) observe(finding);
  try {
    const resolve = createDocuments(settings);
    const first = servedRegistry(settings, { registry, descriptors: generated.descriptors });
    const changes = (opened.changes = createChangeHub(
      { settings, dialect, observe, driver: contact.driver, database },
      first,
    ));
    const streams = (opened.streams = createStreams(settings, endpoint));
    const source = await sourceOf(generated, registry, settings, custom, changes !== undefined);
    const followed = follow({ ...ground, resolve, streams, hub: changes?.hub }, source, {
      generated,
      contact,
      process,
    });
    served.api = followed.api;
    changes?.follow(followed.api);
    changes?.hub.start();
    return {
      settings,
      observe,
      contact,
      api: followed.api,
      handle: (request, response, next) => {
        followed.api.current.handle(request, response, next);
      },
      upgrade: (request, socket, head) => {
        if (followed.api.current.endpoint === undefined) refuseUpgrade(socket);
        else streams.upgrade(request, socket, head);
      },
      closeStreams: () => streams.close(),
      drain: () => {
        draining = true;
        observe({ kind: 'shutdown', phase: 'draining' });
      },
      close: async () => {
        await followed.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** CORS of a server that could not be put together, so that a page of another origin sees why; undefined when settings are what is wrong. */
export function corsOf({ generated, environment = process.env }: ServerOptions): Cors | undefined {
  try {
    return createCors(loadSettings(generated.settings, environment));
  } catch {
    return undefined;
  }
}

/** Schemas that are to be served, and for which nothing was generated. */
function unknownSchemas(settings: Settings, registry: Registry): readonly Observation[] {
  const unknown = (settings['app.schemas'] ?? []).filter((schema) => !registry.schemas.has(schema));
  return unknown.map((schema) => {
    const near = nearest(schema, registry.schemas.keys());
    const hint = near === undefined ? 'Generate the server again, with this schema.' : `Is \`${near}\` meant?`;
    return { kind: 'warning', message: `Nothing was generated for the schema "${schema}" of app.schemas.`, hint };
  });
}

/** What generated code says. */
async function sourceOf(
  { descriptors, resolvers, routes, openapi }: GeneratedServer,
  registry: Registry,
  settings: Settings,
  custom: CustomServer,
  isFed: boolean,
): Promise<ApiSource> {
  const changed = isFed ? registry.tables.filter(hasChanges) : [];
  return {
    descriptors,
    registry,
    routes,
    openapi: createOpenapiReader(openapi),
    graphql: await buildGraphqlSchema(resolvers, !settings['app.server.production'], custom, changed),
  };
}

/** Nothing here is a WebSocket. */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.end(rawAnswer(new ServerError(404, codes.notFound, 'There is no WebSocket at this path.')));
}

function noGraphql(): never {
  throw new ServerError(404, codes.notFound, 'Nothing is left that GraphQL could show.');
}

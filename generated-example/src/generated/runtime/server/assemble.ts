import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAuthenticator } from '../auth/authenticator.js';
import { checkAtStart } from '../auth/start-up-check.js';
import { createLogger } from '../observe/logger.js';
import { nearest } from '../nearest.js';
import type { Observation, Observer } from '../observe/observation.js';
import { createPrepare } from '../plan/prepare.js';
import { createRegistry, type Registry } from '../registry.js';
import { createDriver } from '../session/connect.js';
import type { Driver } from '../session/driver.js';
import type { Settings } from '../settings.js';
import { createCors, type Cors } from './cors.js';
import type { CustomServer } from './custom.js';
import { createDataPlane } from './data-plane.js';
import type { GeneratedServer } from './generated.js';
import { loadSettings, type Environment } from './load-settings.js';
import { createPages } from './pages.js';
import type { DataHandler } from './request-context.js';
import { createGraphqlHandler } from './graphql-handler.js';
import { buildGraphqlSchema } from './graphql-schema.js';
import { narrowSchema } from './narrow-schema.js';
import { createRestHandler } from './rest-handler.js';
import type { Services } from './services.js';

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

/** A server put together, connected and checked. */
export interface Assembly {
  readonly settings: Settings;
  readonly observe: Observer;
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** From now on the server is not ready, and asks its clients to leave. */
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** Puts the rooms together. Rejects with ServerError when a setting is wrong, the database is not there, or policies would be bypassed. */
export async function assemble(options: ServerOptions): Promise<Assembly> {
  const { generated, custom = {} } = options;
  const settings = loadSettings(generated.settings, options.environment ?? process.env);
  const cors = createCors(settings);
  const observe = options.observe ?? createLogger(settings);
  const registry = createRegistry(generated.descriptors);
  const authenticator = createAuthenticator(settings, { observe });
  const driver = options.driver ?? createDriver(settings, registry.tables.length);
  const close = async (): Promise<void> => {
    authenticator.close();
    await driver.close();
  };
  const services: Services = {
    registry,
    settings,
    driver,
    prepare: createPrepare({ registry, settings }),
    authenticate: authenticator.authenticate,
    observe,
    ...(custom.hooks === undefined ? {} : { hooks: custom.hooks }),
  };
  try {
    await driver.ping();
    for (const finding of await checkAtStart(driver, registry, settings)) observe(finding);
  } catch (error) {
    await close();
    throw error;
  }
  for (const finding of unknownSchemas(services)) observe(finding);
  const handlers = await dataHandlers(services, generated, custom);
  return { settings, observe, close, ...serve(services, handlers, custom, cors) };
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
function unknownSchemas({ settings, registry }: Services): readonly Observation[] {
  const unknown = (settings['app.schemas'] ?? []).filter((schema) => !registry.schemas.has(schema));
  return unknown.map((schema) => {
    const near = nearest(schema, registry.schemas.keys());
    const hint = near === undefined ? 'Generate the server again, with this schema.' : `Is \`${near}\` meant?`;
    return { kind: 'warning', message: `Nothing was generated for the schema "${schema}" of app.schemas.`, hint };
  });
}

/** Both protocols. A database with nothing that GraphQL can show has REST alone. */
async function dataHandlers(
  services: Services,
  generated: GeneratedServer,
  custom: CustomServer,
): Promise<ReadonlyMap<string, DataHandler>> {
  const { routes, openapi } = generated;
  const served = servedRegistry(services, generated);
  const rest = createRestHandler({ ...services, registry: served }, { routes, openapi });
  const handlers = new Map<string, DataHandler>([['/api/v1', rest]]);
  const resolvers = [...generated.resolvers, ...(custom.resolvers ?? [])];
  const schema = await buildGraphqlSchema(resolvers, !services.settings['app.server.production']);
  if (schema !== undefined) {
    const narrowed = narrowSchema(schema, services.registry, served);
    if (narrowed.getQueryType())
      handlers.set('/graphql', createGraphqlHandler({ ...services, registry: served }, narrowed));
  }
  return handlers;
}

/** The tables and procedures of the schemas that are served: what is not served is not embedded either. */
function servedRegistry({ registry, settings }: Services, { descriptors }: GeneratedServer): Registry {
  const schemas = settings['app.schemas'];
  if (schemas === undefined) return registry;
  return createRegistry({
    ...descriptors,
    tables: descriptors.tables.filter(({ schema }) => schemas.includes(schema)),
    procedures: (descriptors.procedures ?? []).filter(({ schema }) => schemas.includes(schema)),
  });
}

function serve(
  services: Services,
  handlers: ReadonlyMap<string, DataHandler>,
  custom: CustomServer,
  cors: Cors | undefined,
): Pick<Assembly, 'handle' | 'drain'> {
  let draining = false;
  const dataPlane = createDataPlane(handlers, services.observe, cors);
  const pages = createPages(services, { routes: custom.routes ?? [], draining: () => draining, cors });
  return {
    drain: () => {
      draining = true;
      services.observe({ kind: 'shutdown', phase: 'draining' });
    },
    handle: (request, response, next) => {
      if (draining) response.shouldKeepAlive = false;
      if (dataPlane(request, response)) return;
      if (next === undefined) pages(request, response);
      else next();
    },
  };
}

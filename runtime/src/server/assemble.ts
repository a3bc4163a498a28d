import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { actingIdentity } from '../auth/acting.js';
import { guardedObserver } from '../observe/guarded-observer.js';
import { createLogger } from '../observe/logger.js';
import { nearest } from '../nearest.js';
import type { Observation, Observer } from '../observe/observation.js';
import { openUsageLog } from '../observe/usage-log.js';
import { PendingBytes } from '../response/pending-bytes.js';
import { createRegistry, type Descriptors, type Registry } from '../descriptor/registry.js';
import { createAuthentication, withIdentities } from './authentication.js';
import { databaseOpener } from './database.js';
import { dialectOf, dialectOfGiven, dialectOfTenant } from './dialects.js';
import type { CancelSignal } from '../cancel-signal.js';
import type { Driver } from '../dialect/driver.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Caller } from '../execute/custom/caller.js';
import type { Rates } from '../rates/rates.js';
import type { Settings } from '../settings/settings.js';
import { createCors, type Cors } from '../http/cors.js';
import { createCheckSender } from '../http/senders.js';
import type { Served } from '../drift/served.js';
import { isOfTenants, type CustomServer } from './custom.js';
import type { GeneratedServer } from '../descriptor/generated.js';
import { modelOptions } from '../drift/model-options.js';
import { restNamesBy } from '../descriptor/naming.js';
import { loadSettings, type Environment } from '../settings/load-settings.js';
import { FirstContact } from './first-contact.js';
import { Unread } from './unread.js';
import { postgrestPath } from '../endpoint/postgrest/path.js';
import { createDocumentResolver } from '../endpoint/graphql/documents.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import { createStreams, type Streams } from '../endpoint/graphql/stream/sockets.js';
import { codes, ServerError } from '../errors.js';
import { rawAnswer } from '../http/raw-answer.js';
import type { ChangeHubOptions, ServedHub } from './change-hub.js';
import { servedRegistry, type Api, type ApiContext } from './api.js';
import { sourceOf } from './generated-source.js';
import { servedSchemas, withSearchPath } from './search-path.js';
import { openMeasuring } from './measuring.js';
import { createMentionedVariables } from './request-variables.js';
import { follow, knownSchemas, type FollowContext, type Following, type ProcessHandle } from './follow.js';
import type { Place } from './workers/place.js';
import type { Trigger } from '../drift/occasions.js';

/** The parts of a server. */
export interface ServerOptions<Database = AnyDatabase> {
  readonly generated: GeneratedServer;
  readonly custom?: CustomServer<Database>;
  /** Overrides the generated settings. Default: `process.env`. */
  readonly environment?: Environment;
  /** Default: the one that `app.datasource.url` names. It is closed with the server. */
  readonly driver?: Driver;
  /** Receives observations. Default: a logger of JSON lines. */
  readonly observe?: Observer;
}

/** A server put together. It serves data once its database is found and checked. */
export interface Assembly {
  readonly settings: Settings;
  readonly observe: Observer;
  readonly contact: FirstContact;
  /** The current API; replaced when the database has changed. */
  readonly api: Served<Api>;
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** The database as the sender of the request, or as an identity that the user's code names. */
  readonly callerOf: (who: IncomingMessage | ActingIdentity, signal?: CancelSignal) => Promise<Caller>;
  /** Takes a connection that asks to become a WebSocket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Closes the connections that stay open: WebSockets and event streams. Their clients connect
   * again, to another server.
   */
  readonly closeStreams: () => Promise<void>;
  /** Checks now whether the database has changed, and follows it. */
  readonly look: (trigger: Trigger) => Promise<void>;
  /** From now on `/health/ready` says no, and answers ask clients to connect to another server. */
  readonly drain: () => void;
  /** @param grace milliseconds until connections that do not end are ended. Default: the setting */
  readonly close: (grace?: number) => Promise<void>;
}

/**
 * Connects the folders and begins to connect to the database. Rejects with ServerError when a
 * setting is wrong.
 * @param process receives the served fingerprint, and ends the server for `app.drift.on-change`
 * @param place of a process that serves an address with others
 */
export async function assemble(options: ServerOptions, process: ProcessHandle, place?: Place): Promise<Assembly> {
  const { generated, custom = {} } = options;
  const given = loadSettings(generated.settings, options.environment ?? globalThis.process.env);
  const tenancies = isOfTenants(custom) ? await import('./tenants/open.js') : undefined;
  const placed = { ...withIdentities(given, custom), ...place?.settings(given) };
  const settings = tenancies?.withTenants(placed) ?? placed;
  const cors = createCors(settings);
  const checkSender = createCheckSender(settings);
  const descriptors = describe(generated);
  const find = options.driver === undefined ? dialectOf : dialectOfGiven;
  const found = await find(settings, servedSchemas(settings, descriptors));
  const dialect = place?.dialect?.(found) ?? found;
  const logger = place?.logger?.(settings) ?? createLogger(settings);
  const observer = options.observe === undefined ? logger : guardedObserver(options.observe, logger);
  const measuring = await openMeasuring(settings, dialect, observer, place?.publish);
  const { observe, metrics, traces, stages } = measuring;
  const registry = createRegistry(descriptors);
  const served: { api?: Served<Api> } = {};
  const opened: { changes?: ServedHub | undefined; streams?: Streams; followed?: Following } = {};
  const authentication = await createAuthentication(given, custom, observe, (identity) => {
    if (served.api === undefined) throw new TypeError('The server is not complete yet.');
    return served.api.current.callerOf(actingIdentity(identity, settings));
  });
  const { driver: database, replicas } =
    options.driver === undefined
      ? (await databaseOpener(dialect, withSearchPath(settings, descriptors), registry.tables.length, observe))()
      : { driver: options.driver };
  // The parent of a worker reads its feed and announcements.
  const following =
    replicas === undefined || place?.dialect !== undefined
      ? dialect
      : (await import('./at-primary.js')).dialectAtPrimary(dialect, replicas);
  const rates = await openRates(settings, observe, place);
  const requestVariables = createMentionedVariables(dialect, settings, observe);
  const unread = dialect.unreadColumns === undefined ? undefined : new Unread(dialect);
  const lookUp = async (driver: Driver): Promise<void> => {
    await requestVariables?.lookUp(driver);
    // Requests of tenants do not reach the server's own database.
    if (tenancies === undefined) await unread?.refresh(driver);
  };
  const contact = new FirstContact(
    database,
    dialect,
    async () => {
      const findings = await dialect.checkAtStart(database, registry, settings);
      await lookUp(database);
      await replicas?.settle();
      return findings;
    },
    observe,
    options.driver === undefined ? settings['app.datasource.url'] : undefined,
  );
  const usagePath = settings['app.usage.log'];
  const usage = usagePath === undefined ? undefined : await openUsageLog(usagePath, observe);
  const tenancy = tenancies?.openTenancy(custom, given, {
    settings: withSearchPath(settings, descriptors),
    dialect: found,
    dialectFor: (address) =>
      dialectOfTenant(found, address, servedSchemas(settings, descriptors), generated.naming?.schemas !== undefined),
    observe,
    schemas: generated.naming?.schemas,
    known: knownSchemas({ registry }, settings),
    registry: () => served.api?.current.registry ?? registry,
    fingerprint: async () => opened.followed?.fingerprint(),
    model: modelOptions(generated.naming ?? {}, settings, generated.rules),
    lookUp: async (driver, tenant) => {
      await requestVariables?.lookUp(driver);
      await unread?.refresh(driver, tenant);
    },
    forget: (tenant) => unread?.forget(tenant),
  });
  const serving = tenancy?.driver(contact.driver) ?? contact.driver;
  const close = async (grace = settings['app.server.shutdown-grace-ms']): Promise<void> => {
    const until = performance.now() + grace;
    contact.stop();
    authentication.close();
    rates?.close();
    // Each of these may wait for a network that does not answer: together they have the grace
    // period.
    const { followed, streams, changes } = opened;
    const parts = [() => followed?.stop(), () => streams?.close(), () => changes?.hub.close()];
    await within(
      grace,
      parts.map(async (end) => end()),
    );
    await usage?.close();
    const left = Math.max(0, until - performance.now());
    await Promise.all([tenancy?.close(left), database.close(left)]);
    await measuring.close();
  };
  let draining = false;
  const endpoint = (): StreamEndpoint => served.api?.current.endpoint ?? noGraphql();
  const measured = measuring.authenticate(authentication.authenticate);
  const identify = tenancy?.authenticate(measured) ?? measured;
  const identified: ApiContext['authenticate'] = (request) => {
    checkSender(request);
    return identify(request);
  };
  const roles = settings['app.security.schema-by-role'] ? await import('./role-apis.js') : undefined;
  const authenticate = roles?.remembered(identified) ?? identified;
  const context: Omit<FollowContext, 'hub' | 'streams' | 'resolve'> = {
    settings,
    dialect: tenancy?.dialect(following) ?? following,
    driver: measuring.driver(serving, 'read'),
    database: tenancy?.database(contact.driver) ?? contact.driver,
    authenticate,
    identifiedBy: [...new Set([...authentication.identifiedBy, ...(tenancy?.chosenBy ?? [])])],
    hasKeys: authentication.hasKeys,
    ...(authentication.onKeysChanged === undefined ? {} : { onKeysChanged: authentication.onKeysChanged }),
    actAs: (given) => actingIdentity(given, settings),
    ...(tenancy && { known: tenancy.known }),
    observe,
    pendingBytes: new PendingBytes(settings['app.limits.pending-response-bytes']),
    ...(custom.hooks === undefined ? {} : { hooks: custom.hooks }),
    ...(usage === undefined ? {} : { usage: usage.add }),
    ...(stages === undefined ? {} : { stages }),
    ...(metrics === undefined ? {} : { caches: metrics.cache }),
    ...(traces === undefined ? {} : { traces }),
    ...(requestVariables === undefined ? {} : { requestVariables }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(unread && { unread }),
    custom,
    ...(roles && { roles: roles.RoleApis }),
    ...(await postgrestMount(settings)),
    ...(await agentsOf(settings)),
    ...(rates === undefined ? {} : { rates }),
    cors,
    draining: () => draining,
    endpoint,
  };
  for (const finding of [...unknownSchemas(settings, registry), ...callableDefiners(settings, registry)])
    observe(finding);
  try {
    const resolve = createDocumentResolver(settings);
    const first = servedRegistry(settings, { registry, descriptors });
    const changes = (opened.changes = await openChangeHub(
      { settings, dialect: following, observe, driver: measuring.driver(serving, 're-read'), database, tenancy },
      first,
    ));
    const streams = (opened.streams = createStreams(settings, endpoint));
    const source = await sourceOf(
      { ...generated, descriptors },
      registry,
      { settings, custom, dialect },
      changes !== undefined,
    );
    const followed = (opened.followed = follow({ ...context, resolve, streams, hub: changes?.hub }, source, {
      generated,
      contact,
      process,
      lookUp,
    }));
    served.api = followed.api;
    changes?.follow(followed.api);
    metrics?.watch({
      ...{ pool: contact.driver.stats, tenants: tenancy?.stats, replicas },
      subscriptions: () => changes?.hub.size,
    });
    changes?.hub.start();
    return {
      settings,
      observe,
      contact,
      api: followed.api,
      handle:
        followed.roles?.handle ??
        ((request, response, next) => {
          followed.api.current.handle(request, response, next);
        }),
      callerOf: async (who, signal) => {
        const identity = who instanceof IncomingMessage ? await authenticate(who) : actingIdentity(who, settings);
        return followed.api.current.callerOf(identity, signal);
      },
      upgrade: (request, socket, head) => {
        if (followed.api.current.endpoint === undefined) refuseUpgrade(socket);
        else streams.upgrade(request, socket, head);
      },
      closeStreams: () => streams.close(),
      look: (trigger) => followed.look(trigger),
      drain: () => {
        if (draining) return;
        draining = true;
        observe({ kind: 'shutdown', phase: 'draining' });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads the second mount of REST, if it is on. */
async function postgrestMount(settings: Settings): Promise<Pick<ApiContext, 'createPostgrestHandler'>> {
  if (postgrestPath(settings) === undefined) return {};
  const { createPostgrestHandler } = await import('../endpoint/postgrest/handler.js');
  return { createPostgrestHandler };
}

/** Loads the tools of agents and the SDK of their protocol, if they are on. */
async function agentsOf(settings: Settings): Promise<Pick<ApiContext, 'agents'>> {
  if (!settings['app.mcp']) return {};
  const { loadSdk } = await import('../endpoint/mcp/sdk.js');
  const sdk = await loadSdk();
  const { createMcp, mcpPath, metadataPath } = await import('../endpoint/mcp/handler.js');
  return { agents: { createMcp, sdk, paths: { handler: mcpPath, metadata: metadataPath } } };
}

/** Loads the rates, if there are any. */
async function openRates(settings: Settings, observe: Observer, place?: Place): Promise<Rates | undefined> {
  if (settings['app.limits.rates'].length === 0) return undefined;
  return (await import('../rates/rates.js')).createRates(settings, observe, place?.openRateStore);
}

/** Loads the change feed and its hub, unless they are off. */
async function openChangeHub(options: ChangeHubOptions, first: Registry): Promise<ServedHub | undefined> {
  if (options.settings['app.changes.source'] !== 'off')
    return (await import('./change-hub.js')).createChangeHub(options, first);
  options.observe({ kind: 'feed', state: 'off' });
  return undefined;
}

/**
 * CORS of a server that could not be put together, so that a page of another origin sees why;
 * undefined if the settings are invalid.
 */
export function corsOf({ generated, environment = process.env }: ServerOptions): Cors | undefined {
  try {
    return createCors(loadSettings(generated.settings, environment));
  } catch {
    return undefined;
  }
}

/** Resolves when all of these have settled, or the time is over. */
async function within(milliseconds: number, works: readonly Promise<void>[]): Promise<void> {
  const ended = new AbortController();
  const over = sleep(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(works), over]);
  ended.abort();
}

/** Schemas that are to be served, and for which nothing was generated. */
function unknownSchemas(settings: Settings, registry: Registry): readonly Observation[] {
  const unknown = (settings['app.schemas'] ?? []).filter(
    (schema) => !registry.schemas.has(schema) && registry.callable?.some((each) => each.schema === schema) !== true,
  );
  return unknown.map((schema) => {
    const near = nearest(schema, registry.schemas.keys());
    const hint = near === undefined ? 'Generate the server again, with this schema.' : `Is \`${near}\` meant?`;
    return { kind: 'warning', message: `Nothing was generated for the schema "${schema}" of app.schemas.`, hint };
  });
}

/** The functions that clients of PostgREST's form call with the rights of their owners. */
function callableDefiners(settings: Settings, { callable = [] }: Registry): readonly Observation[] {
  if (postgrestPath(settings) === undefined) return [];
  const served = settings['app.schemas'];
  const definers = callable
    .filter(({ schema, securityDefiner }) => securityDefiner === true && served?.includes(schema) !== false)
    .map(({ field }) => field);
  if (definers.length === 0) return [];
  const message = `PostgREST's form calls functions that are SECURITY DEFINER: ${definers.join(', ')}.`;
  const hint = 'Revoke EXECUTE on those that no client should call, or name the others in `functions`.';
  return [{ kind: 'warning', message, hint }];
}

/** The descriptors of generated code, with its rules and what its naming says of REST. */
const describe = ({ descriptors, naming, rules }: GeneratedServer): Descriptors => ({
  ...descriptors,
  restNames: restNamesBy(naming),
  ...(rules === undefined ? {} : { rules }),
});

/** Answers 404 to a connection that asks to become a WebSocket elsewhere than at `/graphql`. */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.end(rawAnswer(new ServerError(404, codes.notFound, 'There is no WebSocket at this path.')));
}

function noGraphql(): never {
  throw new ServerError(404, codes.notFound, 'The API has no table, view or function left that GraphQL can serve.');
}

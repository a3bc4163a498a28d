import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { actingIdentity } from '../auth/acting.js';
import type { CancelSignal } from '../cancel-signal.js';
import type { Registry } from '../descriptor/registry.js';
import type { Driver } from '../dialect/driver.js';
import type { Trigger } from '../drift/occasions.js';
import type { Served } from '../drift/served.js';
import { createDocumentResolver } from '../endpoint/graphql/documents.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import { createStreams, type Streams } from '../endpoint/graphql/stream/sockets.js';
import { codes, ServerError } from '../errors.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Caller } from '../execute/custom/caller.js';
import { rawAnswer } from '../http/raw-answer.js';
import { createCheckSender } from '../http/senders.js';
import { nearest } from '../nearest.js';
import type { Observation, Observer } from '../observe/observation.js';
import { openUsageLog } from '../observe/usage-log.js';
import { PendingBytes } from '../response/pending-bytes.js';
import type { Settings } from '../settings/settings.js';
import { servedRegistry, type Api } from './api.js';
import { createAuthentication } from './authentication.js';
import type { ChangeHubOptions, ServedHub } from './change-hub.js';
import type { Extension, Host } from './extension.js';
import { FirstContact } from './first-contact.js';
import { fold, openAll, type Fold } from './fold.js';
import { follow, type FollowContext, type Following, type ProcessHandle } from './follow.js';
import { layFoundation, type Foundation } from './foundation.js';
import { sourceOf } from './generated-source.js';
import { withSearchPath } from './search-path.js';
import type { ServerOptions } from './server-options.js';
import { Unread } from '../rules/unread.js';
import { within } from './within.js';

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
 */
export async function assemble(
  options: ServerOptions,
  process: ProcessHandle,
  extensions: readonly Extension[],
): Promise<Assembly> {
  const foundation = await layFoundation(options, extensions);
  const { settings, custom, dialect: own, registry, measuring } = foundation;
  const { observe } = measuring;
  const running: Running = {};
  const callerAs = (identity: ActingIdentity): Caller => {
    if (running.followed === undefined) throw new TypeError('The server is not complete yet.');
    return running.followed.api.current.callerOf(actingIdentity(identity, settings));
  };
  const authentication = await createAuthentication(foundation.given, custom, observe, callerAs);
  const unread = own.unreadColumns === undefined ? undefined : new Unread(own);
  const joined = fold(await openAll(extensions, hostOf(foundation, running, unread, callerAs)));
  running.joined = joined;
  const lookUp = async (driver: Driver): Promise<void> => {
    await joined.lookUp(driver);
    if (joined.readsOwnDatabase) await unread?.refresh(driver);
  };
  const database = options.driver ?? (joined.openDatabase ?? (() => openDatabase(foundation)))();
  const contact = new FirstContact(
    database,
    own,
    async () => {
      const findings = await own.checkAtStart(database, registry, settings);
      await lookUp(database);
      await joined.settle();
      return findings;
    },
    observe,
    options.driver === undefined ? settings['app.datasource.url'] : undefined,
  );
  const usagePath = settings['app.usage.log'];
  const usage = usagePath === undefined ? undefined : await openUsageLog(usagePath, observe);
  const close = async (grace = settings['app.server.shutdown-grace-ms']): Promise<void> => {
    const until = performance.now() + grace;
    contact.stop();
    authentication.close();
    // Each of these may wait for a network that does not answer: together they have the grace
    // period.
    const { followed, streams, changes } = running;
    const parts = [() => followed?.stop(), () => streams?.close(), () => changes?.hub.close()];
    await within(
      grace,
      parts.map(async (end) => end()),
    );
    await usage?.close();
    const left = Math.max(0, until - performance.now());
    await Promise.all([joined.close(left), database.close(left)]);
    await measuring.close();
  };
  const endpoint = (): StreamEndpoint => running.followed?.api.current.endpoint ?? noGraphql();
  let draining = false;
  const context: Omit<FollowContext, 'hub' | 'streams' | 'resolve'> = {
    ...sharedServices(foundation, joined, contact),
    authenticate: joined.authenticate(checked(measuring.authenticate(authentication.authenticate), settings)),
    identifiedBy: [...new Set([...authentication.identifiedBy, ...joined.identifiedBy])],
    hasKeys: authentication.hasKeys,
    ...(authentication.onKeysChanged && { onKeysChanged: authentication.onKeysChanged }),
    ...(usage && { usage: usage.add }),
    ...(unread && { unread }),
    draining: () => draining,
    endpoint,
  };
  for (const finding of unknownSchemas(settings, registry)) observe(finding);
  try {
    const { api, byIdentity, ...followed } = await serve(foundation, context, running, {
      contact,
      process,
      lookUp,
      database,
    });
    return {
      ...{ settings, observe, contact, api, close },
      handle: joined.handle(
        byIdentity?.handle ??
          ((request, response, next) => {
            api.current.handle(request, response, next);
          }),
      ),
      callerOf: async (who, signal) => {
        const identity =
          who instanceof IncomingMessage ? await context.authenticate(who) : actingIdentity(who, settings);
        return api.current.callerOf(identity, signal);
      },
      upgrade: joined.upgrade((request, socket, head) => {
        if (api.current.endpoint === undefined) refuseUpgrade(socket);
        else running.streams?.upgrade(request, socket, head);
      }),
      closeStreams: async () => running.streams?.close(),
      look: (trigger) => followed.look(trigger),
      drain: () => {
        if (draining) return;
        draining = true;
        observe({ kind: 'shutdown', phase: 'draining' });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is made one after the other, and needs one another. */
interface Running {
  joined?: Fold;
  changes?: ServedHub | undefined;
  streams?: Streams;
  followed?: Following;
}

function hostOf(
  foundation: Foundation,
  running: Running,
  unread: Unread | undefined,
  callerOf: Host['callerOf'],
): Host {
  const { measuring, ...known } = foundation;
  return {
    ...known,
    callerOf,
    observe: measuring.observe,
    served: {
      registry: () => running.followed?.api.current.registry ?? foundation.registry,
      fingerprint: async () => running.followed?.fingerprint(),
    },
    lookUp: async (driver, tenant) => {
      await running.joined?.lookUp(driver);
      await unread?.refresh(driver, tenant);
    },
    forget: (tenant) => unread?.forget(tenant),
  };
}

const openDatabase = ({ dialect, settings, generated, registry, measuring }: Foundation): Driver =>
  dialect.createDriver(
    settings['app.datasource.url'] ?? '',
    withSearchPath(settings, generated.descriptors),
    registry.tables.length,
    measuring.observe,
  );

/** A sender is identified once its page may send the request. */
const checked = (authenticate: FollowContext['authenticate'], settings: Settings): FollowContext['authenticate'] => {
  const checkSender = createCheckSender(settings);
  return (request) => {
    checkSender(request);
    return authenticate(request);
  };
};

/** What every API has, and needs no request. */
function sharedServices(
  { settings, custom, cors, dialect, measuring }: Foundation,
  joined: Fold,
  contact: FirstContact,
) {
  const { observe, metrics, traces, stages } = measuring;
  const admission = joined.admission(undefined);
  return {
    ...{ settings, custom, cors, observe },
    dialect: joined.dialect(dialect),
    driver: measuring.driver(joined.driver(contact.driver), 'read'),
    database: joined.database(contact.driver),
    actAs: (identity: ActingIdentity) => actingIdentity(identity, settings),
    pendingBytes: new PendingBytes(settings['app.limits.pending-response-bytes']),
    ...(custom.hooks && { hooks: custom.hooks }),
    ...(stages && { stages }),
    ...(metrics && { caches: metrics.cache }),
    ...(traces && { traces }),
    ...(admission && { admission }),
    ...joined.services,
    ...{ mounts: joined.mounts, settle: joined.settle, healthDetails: joined.health },
    ...(joined.apis && { apis: joined.apis }),
  };
}

/** Serves the generated API, and its subscriptions. */
async function serve(
  { generated, settings, custom, registry, measuring }: Foundation,
  context: Omit<FollowContext, 'hub' | 'streams' | 'resolve'>,
  running: Running,
  { database, ...options }: Omit<Parameters<typeof follow>[2], 'generated'> & { readonly database: Driver },
): Promise<Following> {
  const { dialect, observe } = context;
  const { contact } = options;
  const resolve = createDocumentResolver(settings);
  const first = servedRegistry(settings, { registry, descriptors: generated.descriptors });
  const driver = measuring.driver(running.joined?.driver(contact.driver) ?? contact.driver, 're-read');
  const makeHub = running.joined?.hub;
  const changes = await openChangeHub({ settings, dialect, observe, driver, database, makeHub }, first);
  running.changes = changes;
  const streams = (running.streams = createStreams(settings, context.endpoint));
  const source = await sourceOf(generated, registry, { settings, custom, dialect }, changes !== undefined);
  const followed = follow({ ...context, resolve, streams, hub: changes?.hub }, source, { ...options, generated });
  running.followed = followed;
  changes?.follow(followed.api);
  measuring.metrics?.watch(
    { pool: contact.driver.stats, subscriptions: () => changes?.hub.size },
    running.joined?.series,
  );
  changes?.hub.start();
  return followed;
}

/** Loads the change feed and its hub, unless they are off. */
async function openChangeHub(options: ChangeHubOptions, first: Registry): Promise<ServedHub | undefined> {
  if (options.settings['app.changes.source'] !== 'off')
    return (await import('./change-hub.js')).createChangeHub(options, first);
  options.observe({ kind: 'feed', state: 'off' });
  return undefined;
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

/** Answers 404 to a connection that asks to become a WebSocket elsewhere than at `/graphql`. */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.end(rawAnswer(new ServerError(404, codes.notFound, 'There is no WebSocket at this path.')));
}

function noGraphql(): never {
  throw new ServerError(404, codes.notFound, 'The API has no table, view or function left that GraphQL can serve.');
}

import type { Server as HttpServer } from 'node:http';
import type { GeneratedServer } from '../descriptor/generated.js';
import type { Registry } from '../descriptor/registry.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Driver } from '../dialect/driver.js';
import type { Trigger } from '../drift/occasions.js';
import type { Served } from '../drift/served.js';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import type { Streams } from '../endpoint/graphql/stream/sockets.js';
import type { Admission } from '../execute/admission.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Caller } from '../execute/custom/caller.js';
import type { Services } from '../execute/services.js';
import type { Connections } from '../http/connections.js';
import type { CreateSeries, Metrics } from '../observe/metrics/metrics.js';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import type { Api, ApiContext } from './api.js';
import type { HubMaker } from './change-hub.js';
import type { CustomServer } from './custom.js';
import type { MakeMounts } from './mount.js';
import type { ServerOptions } from './server-options.js';
import type { LookedAt } from '../rules/unread.js';

/**
 * An optional capability of a server: a folder of its own, that is loaded only where its settings
 * or custom code ask for it. Every member is asked once, at the start: a request pays nothing for
 * the seam. Decision 058.
 */
export interface Extension {
  readonly name: string;
  /** Extensions that do not go together with it: the message, and what to do. */
  readonly excludes?: Readonly<Record<string, readonly [message: string, hint: string]>>;
  /** The settings that the server has instead of those that were given. */
  readonly settings?: (given: Settings) => Settings;
  /** The log, in the form of this process. */
  readonly logger?: (settings: Settings) => Observer;
  /** Receives observations, beside the log. */
  readonly observe?: Observer;
  /** Takes the metrics, which another process answers. */
  readonly publish?: (metrics: Metrics) => void;
  /** Names of the headers of answers that scripts of other origins may read. */
  readonly exposedHeaders?: readonly string[];
  /** Rejects with ServerError `misconfigured`. */
  readonly open?: (host: Host) => OpenExtension | Promise<OpenExtension>;
}

/** What an extension knows of the server that it belongs to. */
export interface Host {
  /** With its rules among the descriptors. */
  readonly generated: GeneratedServer;
  readonly custom: CustomServer;
  /** The settings before extensions changed them, and after that. */
  readonly given: Settings;
  readonly settings: Settings;
  /** Of the server's own database. */
  readonly dialect: Dialect;
  /** Of the generated code. */
  readonly registry: Registry;
  readonly observe: Observer;
  /** What is served at the moment. The fingerprint is undefined if the server does not know it. */
  readonly served: {
    readonly registry: () => Registry;
    readonly fingerprint: () => Promise<string | undefined>;
  };
  /** The database as an identity. Throws TypeError until the server is complete. */
  readonly callerOf: (identity: ActingIdentity) => Caller;
  /** Looks up what else of a database the server depends on. */
  readonly lookUp: (driver: Driver, tenant: LookedAt) => Promise<void>;
  /** Forgets what was looked up of a tenant. */
  readonly forget: (tenant: string) => void;
}

/** An extension of one server. Those that wrap are asked in the order of the list. */
export interface OpenExtension {
  /** Opens the database, instead of the dialect. No connection is made yet. */
  readonly openDatabase?: () => Driver;
  /** Wraps what compiles statements, and reads the catalogue and its changes. */
  readonly dialect?: (next: Dialect) => Dialect;
  /** Wraps the driver of requests. */
  readonly driver?: (next: Driver) => Driver;
  /** Wraps the driver of the server's own database. */
  readonly database?: (next: Driver) => Driver;
  /** Whether requests reach the server's own database. Default: they do. */
  readonly readsOwnDatabase?: boolean;
  /** Wraps what answers requests. */
  readonly handle?: (next: Api['handle']) => Api['handle'];
  /** Wraps what takes connections that ask to become WebSockets. */
  readonly upgrade?: (next: Streams['upgrade']) => Streams['upgrade'];
  readonly authenticate?: (next: Services['authenticate']) => Services['authenticate'];
  /** Names of the headers that requests are identified by, in lower case. */
  readonly identifiedBy?: readonly string[];
  /** Wraps what counts and refuses requests; undefined where nothing does yet. */
  readonly admission?: (next: Admission | undefined) => Admission | undefined;
  readonly services?: Pick<Services, 'beginVersion' | 'known'>;
  /** Paths that it serves: asked again for each API. */
  readonly mounts?: MakeMounts;
  /** Serves each identity an API of its own. */
  readonly apis?: (context: ApiContext, whole: Served<Api>) => ApisByIdentity;
  /** Makes the hub of subscriptions, instead of one at the server's own database. */
  readonly hub?: HubMaker;
  /** Looks up what it needs of a database, at the start and with each check of it. */
  readonly lookUp?: (driver: Driver) => Promise<void>;
  /** Resolves when a schema that has been checked is everywhere. */
  readonly settle?: () => Promise<void>;
  /** Adds to the answers of `/health`. */
  readonly health?: () => Readonly<Record<string, unknown>>;
  readonly series?: CreateSeries;
  /** @param grace milliseconds */
  readonly close?: (grace: number) => Promise<void>;
}

/** The APIs of a server whose identities may see different parts of it. */
export interface ApisByIdentity {
  readonly handle: Api['handle'];
  readonly endpointOf: NonNullable<StreamEndpoint['of']>;
  /** Looks whether the rights of identities have changed. */
  readonly refresh: () => Promise<void>;
}

/** Loads the extensions that a server needs, in the order in which they wrap. */
export type LoadExtensions = (asked: AskedFor) => Promise<readonly Extension[]>;

/** What says which extensions a server needs. */
export interface AskedFor {
  readonly settings: Settings;
  readonly custom: CustomServer;
  /** Whether the caller has made the driver. */
  readonly hasDriver: boolean;
}

/** The extensions that a server may have. */
export interface Extensions {
  readonly load: LoadExtensions;
  /** The number of this process, from 1, where another one has started it. */
  readonly worker: number | undefined;
  /**
   * Joins the processes that serve an address together; undefined where this one serves alone.
   * Rejects with ServerError `misconfigured`.
   */
  readonly join: (options: ServerOptions) => Promise<WorkerProcess | ParentProcess | undefined>;
}

/** A process that serves an address with others, and is led by their parent. */
export interface WorkerProcess {
  /** With what the process has in place of its own. */
  readonly load: LoadExtensions;
  /** Takes connections from now on. */
  readonly serve: (server: LedServer) => Promise<void>;
  /** Ends the process. The parent says why, or starts it again. */
  readonly fail: (error: unknown) => never;
  readonly exit: () => void;
}

/** The server of a worker. */
export interface LedServer {
  readonly http: HttpServer;
  readonly connections: Connections;
  readonly look: (trigger: Trigger) => Promise<void>;
  readonly drain: () => void;
  /** Resolves with whether every request was answered. */
  readonly stop: () => Promise<boolean>;
}

/** The process that starts the others and gives them their connections. */
export interface ParentProcess {
  readonly load: LoadExtensions;
  /** @param exit called when the process has to end with a failure */
  readonly start: (exit: (reason?: string) => void) => Promise<WorkerGroup>;
}

/** The processes that serve one address. */
export interface WorkerGroup {
  readonly address: string;
  readonly reload: () => Promise<void>;
  /** Stops once, however often it is called. Resolves with whether every request was answered. */
  readonly stop: () => Promise<boolean>;
}

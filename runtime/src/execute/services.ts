import type { IncomingMessage } from 'node:http';
import type { TellCache } from '../observe/metrics/cache-counts.js';
import type { TellStage } from '../observe/metrics/stages.js';
import type { Observer } from '../observe/observation.js';
import type { UsageLog } from '../observe/usage-log.js';
import type { Readable } from '../plan/context.js';
import type { Intent } from '../plan/intent.js';
import type { Backlog } from '../response/backlog.js';
import type { Registry } from '../descriptor/registry.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Driver, Identity } from '../dialect/driver.js';
import type { Statement } from '../dialect/statement.js';
import type { Settings } from '../settings/settings.js';
import type { Hooks } from './hooks.js';
import type { CallerParts } from './own/caller.js';

/** What every handler of the data plane is given. Made once, by createServer. */
export interface Services {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly driver: Driver;
  /** Intent → Plan → Statement. Pure; callers keep the result by the request's shape. */
  readonly prepare: (intent: Intent, readable?: Readable) => Statement;
  /** Which rows an identity may read, as the user's hooks say. Absent: no hook says anything. */
  readonly readable?: (identity: Identity) => Readable;
  /**
   * Verified claims of the request; an absent token is anonymous. Throws ServerError 401 or 503.
   */
  readonly authenticate: (request: IncomingMessage) => Promise<Identity> | Identity;
  /**
   * The same for an Authorization value from elsewhere: of a WebSocket's first message. Default:
   * nobody.
   */
  readonly authenticateHeader?: (authorization: string | undefined) => Promise<Identity> | Identity;
  /** Whether there are keys to verify tokens with, or none are needed. Default: there are. */
  readonly hasKeys?: () => boolean;
  readonly observe: Observer;
  /**
   * Receive the stages of requests and the statistics of caches, if metrics or traces are
   * on.
   */
  readonly stages?: TellStage;
  readonly caches?: TellCache;
  /** Receives each kind of request once, if `app.usage.log` names a file. */
  readonly usage?: UsageLog['add'];
  /** Answers of both protocols that wait for their clients. */
  readonly backlog: Backlog;
  /** The identity of the user's code, from the claims that it gives. Default: not allowed. */
  readonly actAs?: CallerParts['actAs'];
  /** The user's hooks around writes. */
  readonly hooks?: Hooks;
}

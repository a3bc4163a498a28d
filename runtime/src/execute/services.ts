import type { IncomingMessage } from 'node:http';
import type { Observer } from '../observe/observation.js';
import type { UsageLog } from '../observe/usage-log.js';
import type { Intent } from '../plan/intent.js';
import type { Backlog } from '../response/backlog.js';
import type { Registry } from '../descriptor/registry.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Driver, Identity } from '../dialect/driver.js';
import type { Statement } from '../dialect/statement.js';
import type { Settings } from '../settings/settings.js';
import type { Hooks } from './hooks.js';

/** What every handler of the data plane is given. Made once, by createServer. */
export interface Services {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly driver: Driver;
  /** Intent → Plan → Statement. Pure; callers keep the result by the request's shape. */
  readonly prepare: (intent: Intent) => Statement;
  /** Verified claims of the request; an absent token is anonymous. Throws ServerError 401 or 503. */
  readonly authenticate: (request: IncomingMessage) => Promise<Identity> | Identity;
  /** The same for an Authorization value from elsewhere: of a WebSocket's first message. Default: nobody. */
  readonly authenticateHeader?: (authorization: string | undefined) => Promise<Identity> | Identity;
  /** Whether there are keys to verify tokens with, or none are needed. Default: there are. */
  readonly hasKeys?: () => boolean;
  readonly observe: Observer;
  /** Is told each kind of request once, where `app.usage.log` names a file. */
  readonly usage?: UsageLog['add'];
  /** Answers of both protocols that wait for their clients. */
  readonly backlog: Backlog;
  /** The user's hooks around writes. */
  readonly hooks?: Hooks;
}

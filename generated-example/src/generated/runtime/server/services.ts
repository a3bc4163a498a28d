import type { IncomingMessage } from 'node:http';
import type { Observer } from '../observe/observation.js';
import type { Intent } from '../plan/intent.js';
import type { Registry } from '../registry.js';
import type { Driver, Identity } from '../session/driver.js';
import type { Statement } from '../session/statement.js';
import type { Settings } from '../settings.js';
import type { Hooks } from './write-hooks.js';

/** What every handler of the data plane is given. Made once, by createServer. */
export interface Services {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly driver: Driver;
  /** Intent → Plan → Statement. Pure; callers keep the result by the request's shape. */
  readonly prepare: (intent: Intent) => Statement;
  /** Verified claims of the request; an absent token is anonymous. Throws ServerError 401 or 503. */
  readonly authenticate: (request: IncomingMessage) => Promise<Identity> | Identity;
  readonly observe: Observer;
  /** The user's hooks around writes. */
  readonly hooks?: Hooks;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CacheListener } from '../observe/metrics/cache-counts.js';
import type { StageListener } from '../observe/metrics/stages.js';
import type { Observer } from '../observe/observation.js';
import type { UsageLog } from '../observe/usage-log.js';
import type { RowFilter } from '../plan/context.js';
import type { Intent } from '../plan/intent.js';
import type { PendingBytes } from '../response/pending-bytes.js';
import type { Registry } from '../descriptor/registry.js';
import type { Dialect } from '../dialect/dialect.js';
import type { DataVersion, Driver, Identity } from '../dialect/driver.js';
import type { MentionedVariables } from '../dialect/request-variables.js';
import type { Statement } from '../plan/statement.js';
import type { Settings } from '../settings/settings.js';
import type { Admission } from './admission.js';
import type { ActAs } from './custom/acting-identity.js';
import type { Hooks } from './hooks/table-hooks.js';
import type { IdentityRequest } from './custom/identity-request.js';

/** @param response gets the version of what the request writes */
export type BeginVersion = (request: IncomingMessage, response: ServerResponse) => DataVersion;

/** The services of every handler of the data plane. Made once, by createServer. */
export interface Services {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly driver: Driver;
  /** Intent → Plan → Statement. Pure; callers keep the result by the request's shape. */
  readonly prepare: (intent: Intent, rowFilter?: RowFilter) => Statement;
  /** The rows that an identity may read, by the user's hooks. Absent: no table has such a hook. */
  readonly rowFilter?: (identity: Identity) => RowFilter | undefined;
  /**
   * The identity of the request's sender; without any credential it is anonymous. Throws or rejects
   * with ServerError 401, 403 or 503, also 403 for a request that may write and that a page of a
   * foreign origin sends.
   */
  readonly authenticate: (request: IdentityRequest) => Promise<Identity> | Identity;
  /** Names of the headers that a request is identified by, in lower case. Default: none. */
  readonly identifiedBy?: readonly string[];
  /** Whether there are keys to verify tokens with, or none are needed. Default: there are. */
  readonly hasKeys?: () => boolean;
  /**
   * Calls the listener when the keys have changed. Returns a function that removes it. Default:
   * never.
   */
  readonly onKeysChanged?: (listener: () => void) => () => void;
  readonly observe: Observer;
  /**
   * Receive the stages of requests and the statistics of caches, if metrics or traces are
   * on.
   */
  readonly stages?: StageListener;
  readonly caches?: CacheListener;
  /** Receives each kind of request once, if `app.usage.log` names a file. */
  readonly usage?: UsageLog['add'];
  /** Absent where every request may run. */
  readonly admission?: Admission;
  /**
   * Begins a request that one of several servers of the database may answer. Throws ServerError 400
   * for a version that the client has not been given. Absent where there is one server.
   */
  readonly beginVersion?: BeginVersion;
  /** Absent without PostgREST's form, and where code of the database cannot read requests. */
  readonly requestVariables?: MentionedVariables;
  /** The bytes of answers of both protocols that clients have not read yet. */
  readonly pendingBytes: PendingBytes;
  /**
   * The identity as which custom code acts, from the claims that it gives. Default: not allowed.
   */
  readonly actAs?: ActAs;
  /**
   * Resolves when everything is known that statements of an identity are made for. Those of a
   * request are known when its sender is. Absent: it is known from the start.
   */
  readonly known?: (identity: Identity) => Promise<void>;
  /** The user's hooks around writes. */
  readonly hooks?: Hooks;
}

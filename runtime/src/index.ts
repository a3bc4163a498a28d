/** What a server is started with, and what its owner's own code is written against. */
import type { CustomResult, CustomSession, CustomStatement } from './dialect/driver.js';

export { createServer, type TablewrightServer } from './extensions/create-server.js';
export type { FetchOptions } from './extensions/fetch/index.js';
export type { ListenOptions } from './server/server.js';
export type { ServerOptions } from './server/server-options.js';
export type { CustomServer } from './server/custom.js';
export type {
  IdentifySender,
  MountedRequest,
  OpenServerExtension,
  OwnMount,
  RequestedUse,
  ServerExtension,
  ServerExtensionHost,
} from './server/custom-extension.js';
export type { GeneratedServer, ResolverClass } from './descriptor/generated.js';
export type { RowRule, RowRules } from './descriptor/row-rules.js';
export type {
  AnyDatabase,
  CommitEvent,
  DeletedEvent,
  DeleteEvent,
  Hooks,
  InsertedEvent,
  InsertEvent,
  ReadEvent,
  RowCondition,
  TableHooks,
  UpdatedEvent,
  UpdateEvent,
  WriteEvent,
} from './execute/hooks/table-hooks.js';
export type { ActingIdentity } from './execute/custom/acting-identity.js';
export type { Caller, TransactionOptions } from './execute/custom/caller.js';
export type { TypedDocument } from './execute/custom/documents.js';
export type { Batch, Loader } from './execute/custom/loader.js';
export type {
  Authenticate,
  AuthenticateContext,
  AuthenticateRequest,
  IdentityRequest,
  SendingPage,
} from './execute/custom/authenticate.js';
export type {
  ChooseTenant,
  FindTenant,
  TenantAddress,
  TenantDatabase,
  TenantDatabases,
} from './execute/custom/tenants.js';
export { apiKeys, createApiKey, hashApiKey, type ApiKeyOptions } from './auth/api-keys.js';
export { firstIdentity } from './auth/custom.js';
export { sessionCookie, type SessionCookieOptions } from './auth/session-cookie.js';
export { signedHeader, signIdentity, type SignedHeaderOptions } from './auth/signed-header.js';
export { tokenIntrospection, type IntrospectionOptions } from './auth/token-introspection.js';
export { contextOf } from './http/route-callers.js';
export { refuse } from './execute/hooks/table-hooks.js';
export type { Context } from './execute/custom/context.js';
export type { Connection, FieldInfo } from './schema/common-types.js';
export type {
  CustomResult,
  CustomSession,
  CustomStatement,
  Driver,
  Identity,
  RunOptions,
  Savepoint,
} from './dialect/driver.js';
export type { BoundStatement, RawRow } from './plan/statement.js';
export type { CancelSignal } from './cancel-signal.js';
export { codes, ServerError, type FailureKind, type ServerErrorOptions } from './errors.js';
export { createLogger } from './observe/logger.js';
export type { Observation, Observer } from './observe/observation.js';
export type { Settings } from './settings/settings.js';

/** @deprecated It is called CustomResult. */
export type OwnResult = CustomResult;

/** @deprecated It is called CustomSession. */
export type OwnSession = CustomSession;

/** @deprecated It is called CustomStatement. */
export type OwnStatement = CustomStatement;

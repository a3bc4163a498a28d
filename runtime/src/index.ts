/** What a server is started with, and what its owner's own code is written against. */
export {
  createServer,
  type ListenOptions,
  type ServerOptions,
  type TablewrightServer,
} from './server/create-server.js';
export type { CustomServer } from './server/custom.js';
export type { GeneratedServer, ResolverClass } from './descriptor/generated.js';
export type {
  AnyDatabase,
  CommitEvent,
  DeletedEvent,
  DeleteEvent,
  Hooks,
  InsertedEvent,
  InsertEvent,
  ReadEvent,
  TableHooks,
  UpdatedEvent,
  UpdateEvent,
  WriteEvent,
} from './execute/hooks.js';
export type { RowCondition } from './execute/row-condition.js';
export type { ActingIdentity, Caller, TransactionOptions } from './execute/own/caller.js';
export type { TypedDocument } from './execute/own/documents.js';
export type { Batch, Loader } from './execute/own/loader.js';
export { contextOf } from './http/route-callers.js';
export { refuse } from './execute/hooks.js';
export type { Connection, Context, FieldInfo } from './schema/common-types.js';
export type {
  CancelSignal,
  Driver,
  Identity,
  OwnResult,
  OwnSession,
  OwnStatement,
  RunOptions,
  Savepoint,
} from './dialect/driver.js';
export type { FailureKind } from './dialect/failure.js';
export type { BoundStatement, RawRow } from './dialect/statement.js';
export { codes, ServerError, type ServerErrorOptions } from './errors.js';
export { createLogger } from './observe/logger.js';
export type { Observation, Observer } from './observe/observation.js';
export type { Settings } from './settings/settings.js';

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
  Hooks,
  InsertEvent,
  TableHooks,
  UpdateEvent,
  WriteEvent,
} from './execute/hooks.js';
export { refuse } from './execute/hooks.js';
export type { Connection, Context, FieldInfo } from './schema/common-types.js';
export type { CancelSignal, Driver, Identity, RunOptions } from './dialect/driver.js';
export type { FailureKind } from './dialect/failure.js';
export type { BoundStatement, RawRow } from './dialect/statement.js';
export { codes, ServerError, type ServerErrorOptions } from './errors.js';
export { createLogger } from './observe/logger.js';
export type { Observation, Observer } from './observe/observation.js';
export type { Settings } from './settings/settings.js';

import type { Dialect as KyselyDialect } from 'kysely';
import type { Catalog } from '../catalog/catalog.js';
import type { Registry } from '../descriptor/registry.js';
import type { ModelDialect } from '../model/types.js';
import type { Observation, Observer } from '../observe/observation.js';
import type { ExplainStatement } from '../observe/slow-statements.js';
import type { PlanDialect } from '../plan/context.js';
import type { Plan } from '../plan/read/plan.js';
import type { OwnRowsPlan } from '../plan/write/own-rows.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { Settings } from '../settings/settings.js';
import type { ChangeFeed, WatchedTable } from './change-feed.js';
import type { CatalogConnection, ReadOptions } from './catalog-connection.js';
import type { Driver, Identity } from './driver.js';
import type { FeedObstacle } from './feed-session.js';
import type { DatabaseFailure, FailedStatement, Outage } from './failure.js';
import type { BoundStatement, PlanOptions, Statement } from './statement.js';
import type { WriteProgram } from './write-program.js';

/** The catalogue of the database that a server runs on, over the server's own driver. */
export interface LiveCatalog {
  /**
   * A text that is another one whenever the catalogue may have changed. Cheap, and may change
   * without a reason.
   * @param schemas as of `read`
   */
  readonly probe: (driver: Driver, schemas: readonly string[] | undefined) => Promise<string>;
  /**
   * A text of the catalogue. A change while it is read shows in the next probe.
   * @param schemas the schemas to read; undefined: the default schemas of the generator
   */
  readonly read: (driver: Driver, schemas: readonly string[] | undefined) => Promise<string>;
  /** The catalogue of the text that `read` gave: apart from it, for another thread may do it. */
  readonly parse: (text: string) => Catalog;
  /**
   * Calls `notified` for each announced change; undefined if the address allows no such connection.
   */
  readonly listen?: (url: string, settings: Settings, notified: () => void) => Announcements | undefined;
}

/** A connection that waits for announcements. It is opened again when it breaks. */
export interface Announcements {
  close(): Promise<void>;
}

/** What Kysely needs to know of a database, but for its connections. */
export type QueryBuilder = Pick<KyselyDialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>;

/** The enums and composites that the types of a plan speak of. */
export type TypeRegistry = Pick<Registry, 'enums' | 'composites'>;

/**
 * The same with the tables of a plan, where a statement needs more of one than the plan says: its
 * key.
 */
export type PlanRegistry = TypeRegistry & Partial<Pick<Registry, 'schemas'>>;

/**
 * A database as the server and the generator know it: everything that is this database's alone is
 * behind this interface, in a folder of its own beside this file. `server/` chooses one; no other
 * folder names it.
 */
export interface Dialect extends PlanDialect {
  readonly name: string;
  /** Whether an address, of `app.datasource.url`, is one of such a database. */
  readonly speaks: (url: string) => boolean;

  /**
   * The same dialect for one server, which keeps what `checkAtStart` finds out about the database
   * server. Absent: there is nothing to keep.
   */
  readonly forServer?: () => Dialect;

  /**
   * One text with its parameters as slots. Pure; the result is kept and run again with other
   * inputs.
   */
  readonly compileRead: (plan: Plan, types: PlanRegistry) => Statement;
  /** As many statements as this database takes for it. Pure, and kept as a read's. */
  readonly compileWrite: (plan: WritePlan, types: PlanRegistry) => WriteProgram;
  /** Rows for the user's hooks. Pure. */
  readonly compileOwnRows: (plan: OwnRowsPlan, types: PlanRegistry) => Statement;
  /** For handles in the user's code. */
  readonly queryBuilder: QueryBuilder;
  /**
   * The statements that set the identity of a transaction: always all of it, also without a token.
   * Drivers run them for the identity of a run.
   */
  readonly identity: (identity: Identity) => readonly BoundStatement[];
  /** Run at the end of a dry run: they make the checks of a commit. */
  readonly deferredChecks: readonly BoundStatement[];

  /**
   * The failure of a driver's error; undefined for other errors. The failed statement gives more
   * details.
   */
  readonly failure: (error: unknown, statement?: FailedStatement, types?: TypeRegistry) => DatabaseFailure | undefined;
  /**
   * Why the database cannot be reached or used, where waiting may help; undefined where somebody
   * has to mend something: a password, a name, a role, a certificate, a start-up option.
   */
  readonly outage: (error: unknown) => Outage | undefined;

  /**
   * Opens no connection yet.
   * @param tables how many there are that may be asked for: with more of them, connections keep
   * more statements
   * @param observe receives reads that share a connection
   */
  readonly createDriver: (url: string, settings: Settings, tables: number, observe: Observer) => Driver;
  /**
   * The checks before the first request. Returns warnings, throws ServerError for an unsafe
   * database.
   */
  readonly checkAtStart: (driver: Driver, registry: Registry, settings: Settings) => Promise<readonly Observation[]>;

  /** How a running server notices that its database has changed. Absent: it cannot. */
  readonly live?: LiveCatalog;

  /** The plan of a statement that took long, for the log. It shows no values. */
  readonly explain?: ExplainStatement;

  /**
   * The statement that answers the plan of another one, a line a row, for the client that sent the
   * values. Undefined where the database has no such plan.
   */
  readonly planOf?: (statement: BoundStatement, options: PlanOptions) => BoundStatement | undefined;

  /**
   * Every committed change of the tables, as `app.changes.source` says; undefined where that is
   * `off`, or where no such database can tell. Opens no connection yet.
   * @param driver of the server: where a database has one session, the feed is on it
   */
  readonly createChangeFeed: (
    url: string,
    settings: Settings,
    watched: readonly WatchedTable[],
    driver: Driver,
  ) => ChangeFeed | undefined;

  /**
   * Why the database server, as it was started, tells no changes to the feed that
   * `app.changes.source` names: then there is no Subscription type. Undefined where it tells them.
   * Rejects where it cannot be asked.
   */
  readonly changesObstacle: (url: string, settings: Settings) => Promise<FeedObstacle | undefined>;

  /** For models of its catalogues. */
  readonly model: ModelDialect;
  readonly connect: (url: string) => Promise<CatalogConnection>;
  readonly readCatalog: (connection: CatalogConnection, options?: ReadOptions) => Promise<Catalog>;
}

import type { Dialect as KyselyDialect } from 'kysely';
import type { Catalog } from '../catalog/catalog.js';
import type { Registry } from '../descriptor/registry.js';
import type { ModelDialect } from '../model/types.js';
import type { Observation, Observer } from '../observe/observation.js';
import type { ExplainStatement } from './driver.js';
import type { PlanDialect } from '../plan/context.js';
import type { Plan } from '../plan/read/plan.js';
import type { HookRowsPlan } from '../plan/write/hook-rows.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { Settings } from '../settings/settings.js';
import type { ChangeFeed, WatchedTable } from './change-feed.js';
import type { ConnectionBudget } from './connection-budget.js';
import type { CatalogConnection, ReadOptions } from './catalog-connection.js';
import type { Driver, Identity } from './driver.js';
import type { FeedObstacle } from './feed-session.js';
import type { DatabaseFailure, FailedStatement, Outage } from '../plan/failure.js';
import type { Replication } from './replication.js';
import type { RequestVariables } from './request-variables.js';
import type { SchemaNames } from './schema-names.js';
import type { BoundStatement, PlanOptions, Statement } from '../plan/statement.js';
import type { WriteProgram } from '../plan/write-program.js';

/** The catalogue of the database that a server runs on, over the server's own driver. */
export interface LiveCatalog {
  /**
   * A text that changes whenever the catalogue may have changed. It is cheap, and may change
   * without a reason.
   * @param schemas as of `read`
   */
  readonly probe: (driver: Driver, schemas: readonly string[] | undefined) => Promise<string>;
  /**
   * A text of the catalogue. If the catalogue changes during the read, the next probe shows it.
   * @param schemas the schemas to read; undefined: the default schemas of the generator
   */
  readonly read: (driver: Driver, schemas: readonly string[] | undefined) => Promise<string>;
  /**
   * The ids of tables and numbers of columns, which a rename keeps: Identities, in JSON. Absent:
   * the database has none.
   * @param schemas as of `read`
   */
  readonly identities?: (driver: Driver, schemas: readonly string[] | undefined) => Promise<string>;
  /** The schemas with tables that are not among these. Absent: the database has one. */
  readonly otherSchemas?: (driver: Driver, schemas: readonly string[]) => Promise<readonly string[]>;
  /**
   * The catalogue from the text that `read` returned. Separate, so that another thread can do it.
   */
  readonly parse: (text: string) => Catalog;
  /** Waits for announcements of changes; undefined if the address allows no such connection. */
  readonly listen?: (
    url: string,
    settings: Settings,
    listener: AnnouncementListener,
    observe: Observer,
  ) => Announcements | undefined;
}

export interface AnnouncementListener {
  /** A change was announced. */
  readonly announced: () => void;
  /**
   * Called each time the connection listens. The database does not repeat the announcements of the
   * time before.
   */
  readonly opened: () => void;
}

/** A connection that listens for announcements. A lost connection is opened again. */
export interface Announcements {
  close(): Promise<void>;
}

/** The schemas that a server serves. */
export interface ServedSchemas {
  readonly schemas: readonly string[];
  /** Their names in the database, where these are others: `app.datasource.databases`. */
  readonly named?: readonly (readonly [schema: string, name: string])[];
  readonly url?: string | undefined;
}

/** The parts of Kysely's dialect without its driver. */
export type QueryBuilder = Pick<KyselyDialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>;

/** What a server of tenants needs of a dialect. */
export interface TenantDialect {
  /** The same dialect for the database of a tenant. Throws ServerError `misconfigured`. */
  readonly dialectOf: (served: ServedSchemas) => Dialect;
  /** They make statements for the databases of all tenants: the names of schemas are marked. */
  readonly compilers: () => Compilers;
  /** The names of schemas in this database, which replace marked names. */
  readonly names: SchemaNames;
}

/** What makes statements that name schemas. */
export type Compilers = Pick<Dialect, 'compileRead' | 'compileWrite' | 'compileHookRows' | 'queryBuilder'>;

/** The enums and composites that types of a plan refer to. */
export type TypeRegistry = Pick<Registry, 'enums' | 'composites'>;

/** The same with tables: some statements need the key of a table, which the plan does not have. */
export type PlanRegistry = TypeRegistry & Partial<Pick<Registry, 'schemas'>>;

/**
 * A database as the server and the generator know it. Everything specific to one database is behind
 * this interface, in a folder beside this file. `server/` chooses a dialect; no other folder names
 * it.
 */
export interface Dialect extends PlanDialect {
  readonly name: string;
  /** Whether `app.datasource.url` is an address of this kind of database. */
  readonly speaks: (url: string) => boolean;

  /**
   * The same dialect for one server: it remembers the facts that `checkAtStart` reads from the
   * database server, and which database has which schema. Absent: there are no such facts.
   */
  readonly forServer?: (served?: ServedSchemas) => Dialect;

  /** What a server of tenants needs. Absent: there are no tenants. */
  readonly tenants?: TenantDialect;

  /**
   * One text with its parameters as slots. Pure; the result is cached and runs with other inputs.
   */
  readonly compileRead: (plan: Plan, types: PlanRegistry) => Statement;
  /**
   * The statements of a write, as many as this database needs. Pure and cached, like `compileRead`.
   */
  readonly compileWrite: (plan: WritePlan, types: PlanRegistry) => WriteProgram;
  /** The statement that reads rows for the user's hooks. Pure. */
  readonly compileHookRows: (plan: HookRowsPlan, types: PlanRegistry) => Statement;
  /** For the Kysely handles in the user's code. */
  readonly queryBuilder: QueryBuilder;
  /**
   * The statements that set the identity of a transaction. They set every variable, also without a
   * token. Drivers run them for the identity of a run.
   */
  readonly identity: (identity: Identity) => readonly BoundStatement[];
  /** Statements at the end of a dry run: they run the checks that a commit would run. */
  readonly deferredChecks: readonly BoundStatement[];

  /**
   * The failure that a driver's error means; undefined for other errors. The failed statement adds
   * details.
   */
  readonly failure: (error: unknown, statement?: FailedStatement, types?: TypeRegistry) => DatabaseFailure | undefined;
  /**
   * Why the database cannot be reached or used, if waiting may help. Undefined if an operator has
   * to correct something: a password, a name, a role, a certificate, a start-up option.
   */
  readonly outage: (error: unknown) => Outage | undefined;
  /**
   * Whether the error of a statement about the database itself means that the engine lacks a
   * capability: asking again does not help. Absent: such engines are not known.
   */
  readonly lacks?: (error: unknown) => boolean;

  /**
   * Creates the driver; it opens no connection yet.
   * @param tables number of served tables: with more tables, connections keep more statements
   * prepared
   * @param observe receives reads that share a connection
   * @param budget that its connections count against, with those of other drivers
   */
  readonly createDriver: (
    url: string,
    settings: Settings,
    tables: number,
    observe: Observer,
    budget?: ConnectionBudget,
  ) => Driver;
  /**
   * The checks before the first request. Returns warnings, throws ServerError for an unsafe
   * database.
   */
  readonly checkAtStart: (driver: Driver, registry: Registry, settings: Settings) => Promise<readonly Observation[]>;

  /** How a running server notices that its database has changed. Absent: it cannot. */
  readonly live?: LiveCatalog;

  /**
   * The statement that returns the rights of a role: one row with the text of `RoleRights`,
   * or none if the role does not exist. Absent:
   * requests have no roles of the database.
   * @param role undefined: that of the connection
   */
  readonly rightsOf?: (role: string | undefined) => BoundStatement;

  /** Returns one row with the text of `UnreadColumns`. Absent: as `rightsOf`. */
  readonly unreadColumns?: BoundStatement;

  /** Reads the plan of a slow statement for the log. The plan shows no values. */
  readonly explain?: ExplainStatement;

  /**
   * The statement that returns the plan of another statement, one line per row, for the client that
   * sent the values. Undefined if the database has no such plan.
   */
  readonly planOf?: (statement: BoundStatement, options: PlanOptions) => BoundStatement | undefined;

  /** Absent: the database has no replicas that a server can read from. */
  readonly replication?: Replication;

  /** Absent: code of the database cannot read requests, nor say anything of their answers. */
  readonly requestVariables?: RequestVariables;

  /** Loads the change feeds: a server without `app.changes.source` does not need them. */
  readonly changeFeeds: () => Promise<ChangeFeeds>;

  /** What models of this database's catalogues need. */
  readonly model: ModelDialect;
  readonly connect: (url: string) => Promise<CatalogConnection>;
  readonly readCatalog: (connection: CatalogConnection, options?: ReadOptions) => Promise<Catalog>;
}

/** The change feeds of a database. */
export interface ChangeFeeds {
  /**
   * The feed of every committed change of the tables, by the source that `app.changes.source`
   * names. Undefined if that is `off`, or if this database has no such source. Opens no connection
   * yet.
   * @param driver of the server: a database with a single session runs the feed on it
   */
  readonly createChangeFeed: (
    url: string,
    settings: Settings,
    watched: readonly WatchedTable[],
    driver: Driver,
  ) => ChangeFeed | undefined;

  /**
   * The server setting that prevents the change feed (for example `wal_level`), or undefined. With
   * an obstacle there is no Subscription type. Rejects if the database cannot be asked.
   */
  readonly changesObstacle: (url: string, settings: Settings) => Promise<FeedObstacle | undefined>;
}

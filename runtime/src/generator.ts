import type { Catalog, Dialect } from './catalog/catalog.js';
import type { CatalogConnection, ReadOptions } from './dialect/catalog-connection.js';
import { databaseIn, isMysqlAddress } from './dialect/mysql/catalog/address.js';
import { connect as connectMysql } from './dialect/mysql/catalog/connect.js';
import { readCatalog as readMysql } from './dialect/mysql/catalog/read.js';
import { model as mysqlModel } from './dialect/mysql/model.js';
import { connect as connectPostgres } from './dialect/postgres/catalog/connect.js';
import { readCatalog as readPostgres } from './dialect/postgres/catalog/read.js';
import { model as postgresModel } from './dialect/postgres/model.js';
import { modelBuilder } from './model/build.js';
import { createRegistry } from './descriptor/registry.js';
import { derivedTypes as mysqlTypes } from './dialect/mysql/derived-types.js';
import { rightsOf } from './dialect/postgres/live/rights.js';
import { derivedTypes as postgresTypes } from './dialect/postgres/derived-types.js';
import { descriptorsOf } from './model/descriptors.js';
import type { Model } from './model/model.js';
import type { RoleRights } from './catalog/rights.js';
import type { ModelOptions } from './descriptor/options.js';
import { compileRules } from './rules/row-rules.js';
import { TablewrightError, type ErrorCode } from './tablewright-error.js';

/**
 * What the generator is made with: the catalogue, the model of it, and the shapes of GraphQL's
 * types. A server that notices a changed database names everything by the same code.
 */
export type * from './catalog/catalog.js';
export { fingerprint } from './catalog/fingerprint.js';
export { portable } from './catalog/portable.js';
export { hasConflictMarkers } from './catalog/conflict-markers.js';
export { parseCatalog, serializeCatalog } from './catalog/snapshot.js';
export type * from './descriptor/descriptor.js';
export { formatOf } from './descriptor/generated.js';
export { aggregateField, functionFields as functionRoots } from './descriptor/names.js';
export { namingOptionsOf } from './descriptor/naming.js';
export type * from './descriptor/row-rules.js';
export { mayLack } from './descriptor/may-lack.js';
export { nodeType } from './descriptor/node-id.js';
export { fieldOf } from './descriptor/registry.js';
export { areUnique, rowKeyOf } from './descriptor/unique-keys.js';
export * as vocabulary from './dialect/postgres/types.js';
export * as mysqlVocabulary from './dialect/mysql/types.js';
export type { CatalogConnection, ReadOptions } from './dialect/catalog-connection.js';
export { pgliteConnection } from './dialect/postgres/catalog/connection/pglite.js';
export { databaseIn, isMysqlAddress };
export { pairsOf, schemaNamesOf, type SchemaNames } from './dialect/schema-names.js';
export { quoted as mysqlQuoted } from './dialect/mysql/quoted.js';
export { binlogOutline, binlogSql } from './dialect/mysql/changes/sql.js';
export {
  logicalLog,
  notifySql,
  notifyStatements,
  walOutline,
  walSql,
  walStatements,
} from './dialect/postgres/changes/sql.js';
export type { RoleRights } from './catalog/rights.js';
export { inSnapshot } from './dialect/postgres/catalog/read.js';
export { grantee, likePattern, rolesOf } from './dialect/mysql/catalog/grants.js';
export { retryMomentary } from './dialect/postgres/catalog/retry.js';
export { readEnvFiles } from './settings/env-files.js';
export { ServerError } from './errors.js';
export * from './model/index.js';

/** The functions that depend on the kind of database, for the generator. */
const byDialect = {
  postgres: {
    readCatalog: readPostgres,
    buildModel: modelBuilder(postgresModel),
    operators: postgresModel.operators,
    types: postgresTypes,
  },
  mysql: {
    readCatalog: readMysql,
    buildModel: modelBuilder(mysqlModel),
    operators: mysqlModel.operators,
    types: mysqlTypes,
  },
} as const satisfies Record<Dialect, unknown>;

/**
 * Connects to the database at `postgres://…`, `pglite:FOLDER` or `mysql://…`.
 * @throws TablewrightError USAGE, DATABASE_UNREACHABLE, DATABASE_AUTHENTICATION, DATABASE_UNKNOWN,
 * DATABASE_UNSUPPORTED
 */
export const connect = (url: string): Promise<CatalogConnection> =>
  isMysqlAddress(url) ? connectMysql(url) : connectPostgres(url);

/**
 * Reads the catalogue of whichever database the connection is to.
 * @throws TablewrightError SCHEMA_UNKNOWN, DATABASE_UNSUPPORTED, DATABASE_QUERY
 */
export const readCatalog = (connection: CatalogConnection, options: ReadOptions = {}): Promise<Catalog> =>
  byDialect[connection.dialect].readCatalog(connection, options);

/**
 * What the database lets a role do; undefined if it knows no roles of requests.
 * @throws TablewrightError DATABASE_QUERY
 */
export async function readRights(connection: CatalogConnection, role: string): Promise<RoleRights | undefined> {
  if (connection.dialect !== 'postgres') return undefined;
  const { text, values } = rightsOf(role);
  const [row] = await connection.query(text, values);
  if (row === undefined)
    throw new TablewrightError(
      'USAGE',
      `The database has no role ${role}.`,
      'Name a role of app.security.allowed-roles.',
    );
  return JSON.parse(String(row['rights'])) as RoleRights;
}

/**
 * Makes every decision about names and types. Pure: equal catalogues give equal models, independent
 * of their order.
 */
export const buildModel = (catalog: Catalog, options: ModelOptions = {}): Model =>
  byDialect[catalog.dialect].buildModel(catalog, options);

/**
 * Checks the rules of the configuration as a server of this model would.
 * @throws ServerError `misconfigured` for a rule that does not fit the model
 */
export function checkRules(model: Model): void {
  const { rules } = model.options;
  if (rules === undefined) return;
  const { operators, types } = byDialect[model.dialect];
  compileRules({
    registry: createRegistry({ ...descriptorsOf(model), rules }),
    settings: {
      'app.max-rows': 1,
      'app.rest.aggregates-enabled': true,
      'app.types.bigint': 'auto',
      'app.types.numeric': 'number',
    },
    dialect: { operators, types, capabilities: noCapabilities },
  });
}

/** Conditions on rows need none. */
const noCapabilities = {
  isGeometry: () => false,
  distinctOn: false,
  vector: false,
  callsInTransaction: false,
  callsByRpc: false,
  ordersWritten: false,
};

export { identifier } from './model/files.js';
export { description, invisible, loneSurrogate } from './model/description.js';
export { legalStart, lowerCamel } from './model/names.js';
export { Patterns } from './model/patterns.js';
export { groupWarnings } from './model/warning-groups.js';
export { nearest } from './nearest.js';
export { emitOpenapi } from './openapi/openapi.js';
export { aggregateShape } from './schema/aggregate-shape.js';
export { changeOperation, changesField, changeType, hasChanges } from './schema/changes-shape.js';
export { argumentsOf } from './schema/definitions/arguments.js';
export * from './schema/definitions/definition.js';
export { compositesOf, defineFunctions, functionFields } from './schema/definitions/functions.js';
export { compositeTypes, enumType, rangeTypes, runtimeTypes, sharedFilters } from './schema/definitions/shared.js';
export { shownTables } from './schema/declare.js';
export { defineTable, tableContext, type TableDefinitions } from './schema/definitions/table.js';
export { asDefinition, callMutation, writeTypeEnds } from './schema/definitions/writes.js';
export { inputType } from './schema/graphql-type.js';
export { nodeInterface, nodeRoots } from './schema/node-shape.js';
export { environmentText, loadSettings } from './settings/load-settings.js';
export { problemOfRates, type Rate } from './settings/rates.js';
export { environmentName, settingDefinitions, type SettingDefinition, type Settings } from './settings/settings.js';
export { TablewrightError, type ErrorCode };

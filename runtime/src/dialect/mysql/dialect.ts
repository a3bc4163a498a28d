import type { Compilers, Dialect, PlanRegistry, ServedSchemas } from '../dialect.js';
import { isGeometry } from './parameters/type-name.js';
import { databaseIn, inDatabase, isMysqlAddress } from './catalog/address.js';
import { connect } from './catalog/connect.js';
import { readCatalog } from './catalog/read.js';
import { isCertainAddress } from '../../certain-address.js';
import { misconfigured } from '../../errors.js';
import { markedNames, schemaNamesOf, type SchemaNames } from '../schema-names.js';
import { derivedTypes } from './derived-types.js';
import { explain, planOf } from './live/explain.js';
import { liveCatalogOf } from './live/live-catalog.js';
import { model } from './model.js';
import { createMysqlDriver } from './driver/create.js';
import { failureOf } from './failures/failure.js';
import { outageOf } from './failures/outage.js';
import { assumedFeatures, featuresOf, mariadbFeatures, type Features } from './start-up/features.js';
import { setIdentity } from './identity.js';
import { replication } from './replication.js';
import { compilePlan } from './read/words.js';
import { operators } from './read/operators.js';
import { queryBuilderOf } from './sql.js';
import type { Types } from './read/scope.js';
import { quoted } from './quoted.js';
import { reconsidered } from './start-up/reconsidered.js';
import { checkTables } from './start-up/check-tables.js';
import { checkServer } from './start-up/check.js';
import { compileHookRows } from './write/hook-rows.js';
import { compileProgram } from './write/program.js';

/** @param isShared whether its statements run on databases of tenants, whose zones may differ */
function createDialect({ named = [], schemas, url }: ServedSchemas = { schemas: [] }, isShared = false): Dialect {
  const current = url !== undefined && isMysqlAddress(url) ? databaseIn(url) : undefined;
  const databases = schemaNamesOf(named, schemas, current);
  let found: Features | undefined;
  let hasTenants = isShared;
  const features = (): Features => found ?? assumedFeatures;
  /**
   * Before the database has answered, it may be MariaDB or MySQL. Nothing that is cached may depend
   * on which.
   */
  const compiled = <T extends object>(registry: PlanRegistry, compile: (types: Types) => T, names: SchemaNames): T =>
    found === undefined
      ? reconsidered(features, (each) => compile(typesOf(registry, each, names)))
      : compile(typesOf(registry, found, names));
  const compilersOf = (names: SchemaNames): Compilers => ({
    compileRead: (plan, registry) => compiled(registry, (types) => compilePlan(plan, types), names),
    compileWrite: (plan, registry) => compiled(registry, (types) => compileProgram(plan, types), names),
    compileHookRows: (plan, registry) => compiled(registry, (types) => compileHookRows(plan, types), names),
    queryBuilder: queryBuilderOf(names),
  });
  return {
    name: 'MariaDB',
    speaks: (url) => isMysqlAddress(url) && URL.canParse(url) && isCertainAddress(url),
    forServer: (served) => createDialect(served),
    types: derivedTypes,
    operators: operators.ids,
    capabilities: {
      isGeometry,
      distinctOn: true,
      vector: false,
      callsInTransaction: false,
      callsByRpc: true,
      ordersWritten: false,
    },
    searchIndex: ({ schema, name }, column) =>
      `create fulltext index ${quoted(`${column}_search`)} on ${quoted(databases.of(schema))}.${quoted(name)} (${quoted(column)})`,
    ...compilersOf(databases),
    tenants: {
      dialectOf: dialectOfTenant,
      compilers: () => {
        hasTenants = true;
        if (found?.zone !== undefined) found = mariadbFeatures;
        return compilersOf(markedNames);
      },
      names: databases,
    },
    identity: (identity) => [setIdentity(identity)],
    // This database checks constraints as each statement runs.
    deferredChecks: [],
    failure: (error, statement) => failureOf(error, statement, databases),
    outage: outageOf,
    createDriver: (given, settings, _tables, observe, budget) =>
      createMysqlDriver(inDatabase(given, schemas.map(databases.of)), settings, observe, features, budget),
    checkAtStart: async (driver, registry, settings) => {
      const { version, zone, observations } = await checkServer(driver, registry, settings);
      // Statements that are compiled already have the zone of the first check.
      const kept = found === undefined ? zone : found.zone;
      const features = featuresOf(version);
      found = kept === undefined || hasTenants ? features : { ...features, zone: kept };
      await checkTables(driver, registry, settings, databases);
      return observations;
    },
    replication,
    live: liveCatalogOf(databases),
    explain,
    planOf,
    changeFeeds: async () => (await import('./change-feeds.js')).changeFeedsOf(databases),
    model,
    connect,
    readCatalog,
  };
}

/** Databases of tenants are never guessed: that of the server may have the name of a schema. */
function dialectOfTenant(served: ServedSchemas): Dialect {
  const { named = [], schemas } = served;
  const unnamed = schemas.length === 1 ? undefined : schemas.find((schema) => !named.some(([of]) => of === schema));
  if (unnamed === undefined) return createDialect(served, true);
  throw misconfigured(
    `The address of a tenant does not say which database has the schema ${unnamed}.`,
    'Name it: { url: …, schemas: { schema: database } }.',
  );
}

const typesOf = ({ enums, composites, schemas }: PlanRegistry, features: Features, databases: SchemaNames): Types => ({
  enums,
  composites,
  ...(schemas === undefined ? {} : { schemas }),
  features,
  databases,
});

export const mysql: Dialect = createDialect();

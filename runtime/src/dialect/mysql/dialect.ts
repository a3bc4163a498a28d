import type { Dialect, PlanRegistry } from '../dialect.js';
import { isMysqlAddress } from './catalog/address.js';
import { connect } from './catalog/connect.js';
import { readCatalog } from './catalog/read.js';
import { derivedTypes } from './derived-types.js';
import { createChangeFeed } from './changes/create.js';
import { changesObstacle } from './changes/obstacle.js';
import { explain, planOf } from './live/explain.js';
import { liveCatalog } from './live/live-catalog.js';
import { model } from './model.js';
import { createMysqlDriver } from './driver/create.js';
import { failureOf } from './failures/failure.js';
import { outageOf } from './failures/outage.js';
import { assumedFeatures, featuresOf, type Features } from './start-up/features.js';
import { setIdentity } from './identity.js';
import { compilePlan } from './read/compile.js';
import { renderedOperators } from './read/operators.js';
import { queryBuilder } from './sql.js';
import type { Types } from './read/scope.js';
import { reconsidered } from './start-up/reconsidered.js';
import { checkServer } from './start-up/check.js';
import { compileOwnRows } from './write/own-rows.js';
import { compileProgram } from './write/program.js';

function createDialect(): Dialect {
  let found: Features | undefined;
  const features = (): Features => found ?? assumedFeatures;
  /**
   * Until the database has answered, nothing that is kept may depend on which of the two servers it
   * is.
   */
  const compiled = <T extends object>(
    registry: PlanRegistry,
    compile: (types: Types) => T,
    known: Features | undefined,
  ): T =>
    known === undefined
      ? reconsidered(features, (each) => compile(typesOf(registry, each)))
      : compile(typesOf(registry, known));
  return {
    name: 'MariaDB',
    speaks: (url) => isMysqlAddress(url) && URL.canParse(url),
    forServer: createDialect,
    types: derivedTypes,
    operators: renderedOperators,
    capabilities: { distinctOn: true, vector: false, callsInTransaction: false },
    compileRead: (plan, registry) => compiled(registry, (types) => compilePlan(plan, types), found),
    compileWrite: (plan, registry) => compiled(registry, (types) => compileProgram(plan, types), found),
    compileOwnRows: (plan, registry) => compiled(registry, (types) => compileOwnRows(plan, types), found),
    queryBuilder,
    identity: (identity) => [setIdentity(identity)],
    // Constraints are checked as each statement runs.
    deferredChecks: [],
    failure: failureOf,
    outage: outageOf,
    createDriver: (url, settings, _tables, observe) => createMysqlDriver(url, settings, observe, features),
    checkAtStart: async (driver, _registry, settings) => {
      const { version, observations } = await checkServer(driver, settings);
      found = featuresOf(version);
      return observations;
    },
    live: liveCatalog,
    explain,
    planOf,
    createChangeFeed,
    changesObstacle,
    model,
    connect,
    readCatalog,
  };
}

const typesOf = ({ enums, composites, schemas }: PlanRegistry, features: Features): Types => ({
  enums,
  composites,
  ...(schemas === undefined ? {} : { schemas }),
  features,
});

export const mysql: Dialect = createDialect();

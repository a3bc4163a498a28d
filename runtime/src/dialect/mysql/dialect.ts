import type { Dialect } from '../dialect.js';
import { isMysqlAddress } from './catalog/address.js';
import { connect } from './catalog/connect.js';
import { readCatalog } from './catalog/read.js';
import { columnTypes } from './column-types.js';
import { derivedTypes } from './derived-types.js';
import { createChangeFeed } from './changes/create.js';
import { liveCatalog } from './live/live-catalog.js';
import { createMysqlDriver } from './driver/create.js';
import { failureOf } from './failures/failure.js';
import { outageOf } from './failures/outage.js';
import { setIdentity } from './identity.js';
import { compilePlan } from './read/compile.js';
import { renderedOperators } from './read/operators.js';
import { checkAtStart } from './start-up/check.js';
import { compileProgram } from './write/program.js';

/** The words of descriptors are behind one name, `tw.mysql.text`; the others are what database.ts declares for these databases alone. */
const vocabulary = ['mysql', 'Decimal', 'Geometry', 'LineString', 'Polygon'];

export const mysql: Dialect = {
  name: 'MariaDB',
  speaks: (url) => isMysqlAddress(url) && URL.canParse(url),
  types: derivedTypes,
  operators: renderedOperators,
  capabilities: { distinctOn: true, vector: false, callsInTransaction: false },
  compileRead: compilePlan,
  compileWrite: compileProgram,
  identity: (identity) => [setIdentity(identity)],
  // Constraints are checked as each statement runs.
  deferredChecks: [],
  failure: failureOf,
  outage: outageOf,
  createDriver: (url, settings) => createMysqlDriver(url, settings),
  checkAtStart,
  live: liveCatalog,
  createChangeFeed,
  model: { columnTypes, vocabulary, operators: renderedOperators, callsFunctions: false },
  connect,
  readCatalog,
};

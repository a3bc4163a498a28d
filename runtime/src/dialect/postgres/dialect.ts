import type { Dialect } from '../dialect.js';
import { connect } from './catalog/connect.js';
import { readCatalog } from './catalog/read.js';
import { createChangeFeed } from './changes/create.js';
import { changesObstacle } from './changes/obstacle.js';
import { derivedTypes } from './derived-types.js';
import { createPgDriver } from './driver/create.js';
import { failureOf } from './failures/failure.js';
import { outageOf } from './failures/outage.js';
import { setIdentity } from './identity.js';
import { createPgliteFeed } from './pglite/change-feed.js';
import { createPgliteDriver } from './pglite/create.js';
import { compilePlan } from './read/compile.js';
import { renderedOperators } from './read/operators.js';
import { queryBuilder } from './sql.js';
import { checkAtStart } from './start-up/check.js';
import { explain, planOf } from './live/explain.js';
import { liveCatalog } from './live/live-catalog.js';
import { model } from './model.js';
import { compileOwnRows } from './write/own-rows.js';
import { compileProgram } from './write/program.js';

/** The scheme of a PostgreSQL in this process. */
const inProcess = 'pglite:';

export const postgres: Dialect = {
  name: 'PostgreSQL',
  speaks: (url) => url.startsWith(inProcess) || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)),
  types: derivedTypes,
  operators: renderedOperators,
  capabilities: { distinctOn: true, vector: true, callsInTransaction: true },
  compileRead: compilePlan,
  compileWrite: compileProgram,
  compileOwnRows,
  queryBuilder,
  identity: (identity) => [setIdentity(identity)],
  deferredChecks: [{ text: 'set constraints all immediate', values: [] }],
  failure: failureOf,
  outage: outageOf,
  createDriver: (url, settings, tables, observe) =>
    url.startsWith(inProcess)
      ? createPgliteDriver(url.slice(inProcess.length), settings)
      : createPgDriver(url, settings, tables, observe),
  checkAtStart,
  live: liveCatalog,
  explain,
  planOf,
  createChangeFeed: (url, settings, watched, driver) => {
    if (!url.startsWith(inProcess)) return createChangeFeed(url, settings, watched);
    return settings['app.changes.source'] === 'notify' ? createPgliteFeed(driver, watched) : undefined;
  },
  changesObstacle: (url, settings) =>
    url.startsWith(inProcess) ? Promise.resolve(undefined) : changesObstacle(url, settings),
  model,
  connect,
  readCatalog,
};

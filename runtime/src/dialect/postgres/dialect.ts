import type { Dialect } from '../dialect.js';
import { connect } from './catalog/connect.js';
import { readCatalog } from './catalog/read.js';
import { derivedTypes } from './derived-types.js';
import { createPgDriver } from './driver/create.js';
import { failureOf } from './failures/failure.js';
import { lacks } from './failures/lacks.js';
import { outageOf } from './failures/outage.js';
import { setIdentity } from './identity.js';
import { inProcess } from './pglite/address.js';
import { createPgliteDriver } from './pglite/create.js';
import { compilePlan } from './read/words.js';
import { operators } from './read/operators.js';
import { replication } from './replication.js';
import { requestVariables } from './request-variables.js';
import { queryBuilder } from './sql.js';
import { checkTables } from './start-up/check-tables.js';
import { checkAtStart } from './start-up/check.js';
import { explain, planOf } from './live/explain.js';
import { liveCatalog } from './live/live-catalog.js';
import { rightsOf } from './live/rights.js';
import { model } from './model.js';
import { compileHookRows } from './write/hook-rows.js';
import { compileProgram } from './write/program.js';

export const postgres: Dialect = {
  name: 'PostgreSQL',
  speaks: (url) => url.startsWith(inProcess) || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)),
  types: derivedTypes,
  operators: operators.ids,
  capabilities: { distinctOn: true, vector: true, callsInTransaction: true, callsByRpc: false, ordersWritten: true },
  compileRead: compilePlan,
  compileWrite: compileProgram,
  compileHookRows,
  queryBuilder,
  identity: (identity) => [setIdentity(identity)],
  deferredChecks: [{ text: 'set constraints all immediate', values: [] }],
  failure: failureOf,
  outage: outageOf,
  lacks,
  createDriver: (url, settings, tables, observe, budget) =>
    url.startsWith(inProcess)
      ? createPgliteDriver(url.slice(inProcess.length), settings)
      : createPgDriver(url, settings, tables, observe, budget),
  checkAtStart: async (driver, registry, settings) => {
    await checkTables(driver, registry, settings);
    return checkAtStart(driver, registry, settings);
  },
  live: liveCatalog,
  rightsOf,
  explain,
  planOf,
  replication,
  requestVariables,
  changeFeeds: async () => (await import('./change-feeds.js')).changeFeeds,
  model,
  connect,
  readCatalog,
};

import { isCertainAddress } from '../../certain-address.js';
import type { Compilers, Dialect, PlanRegistry } from '../dialect.js';
import { markedNames, sameNames, schemaNamesOf, type SchemaNames } from '../schema-names.js';
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
import { isGeometry } from './parameters/geometry.js';
import { compilePlan } from './read/words.js';
import { operators } from './read/operators.js';
import { replication } from './replication.js';
import { requestVariables } from './request-variables.js';
import type { Types } from './parameters/encode.js';
import { queryBuilderOf } from './sql.js';
import { checkTables } from './start-up/check-tables.js';
import { checkAtStart } from './start-up/check.js';
import { explain, planOf } from './live/explain.js';
import { liveCatalogOf } from './live/live-catalog.js';
import { rightsOf } from './live/rights.js';
import { unreadColumns } from './live/unread.js';
import { model } from './model.js';
import { compileHookRows } from './write/hook-rows.js';
import { compileProgram } from './write/program.js';

const createDialect = (names: SchemaNames): Dialect => ({
  name: 'PostgreSQL',
  speaks: (url) =>
    url.startsWith(inProcess) || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url) && isCertainAddress(url)),
  types: derivedTypes,
  operators: operators.ids,
  capabilities: {
    isGeometry,
    distinctOn: true,
    vector: true,
    callsInTransaction: true,
    callsByRpc: false,
    ordersWritten: true,
  },
  tenants: {
    dialectOf: ({ named = [] }) => (named.length === 0 ? postgres : createDialect(schemaNamesOf(named, [], undefined))),
    compilers: () => compilersOf(markedNames),
    names,
  },
  ...compilersOf(names),
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
    await checkTables(driver, registry, settings, names);
    return checkAtStart(driver, registry, settings, names);
  },
  live: liveCatalogOf(names),
  rightsOf,
  unreadColumns,
  explain,
  planOf,
  replication,
  requestVariables,
  changeFeeds: async () => (await import('./change-feeds.js')).changeFeedsOf(names),
  model,
  connect,
  readCatalog,
});

function compilersOf(names: SchemaNames): Compilers {
  const typesOf = ({ enums, composites }: PlanRegistry): Types => ({ enums, composites, names });
  return {
    compileRead: (plan, registry) => compilePlan(plan, typesOf(registry)),
    compileWrite: (plan, registry) => compileProgram(plan, typesOf(registry)),
    compileHookRows: (plan, registry) => compileHookRows(plan, typesOf(registry)),
    queryBuilder: queryBuilderOf(names),
  };
}

export const postgres = createDialect(sameNames);

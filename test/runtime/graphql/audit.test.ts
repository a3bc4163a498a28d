import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { createDriver } from '../../../runtime/src/server/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { boardRegistry, boardSql } from '../../support/registry.js';
import { schemaOf } from '../../support/sdl.js';

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createTestDatabase('graphql_audit');
  await loadSql(database.url, boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(boardRegistry), driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
});

describe("graphql-http's audit suite", () => {
  for (const audit of serverAudits({ url: () => server.url, fetchFn: fetch })) {
    test(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      expect(result).toMatchObject({ status: 'ok' });
    });
  }
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_audit', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(board), driver });
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

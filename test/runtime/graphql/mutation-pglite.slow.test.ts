import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { extendedSchema } from '../../support/live-schema.js';
import { createPgliteFolder, type PgliteFolder } from '../../support/pglite-data.js';

let database: PgliteFolder;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createPgliteFolder(
    'create extension vector; create table docs (id int primary key, embedding vector(3))',
    { names: { schemaPrefix: 'never' }, rename: { 'public.docs': { columns: { embedding: 'v' } } } },
  );
  const { described } = database;
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  const schema = extendedSchema(described, 'extend type Mutation { count: Int! }', {
    'Mutation.count': async (_root, _args, context) => {
      const { docsAggregate } = await context.query('{ docsAggregate { count } }');
      return (docsAggregate as { count: number }).count;
    },
  });
  server = await startGraphqlServer({ registry: described.registry, schema, driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.remove();
});

test('vectors as literals and as variables', async () => {
  const { body } = await server.ask(
    `mutation ($v: Vector, $rows: [DocsCreateInput!]!) {
      createDocs(input: {id: 1, v: [1, 0.5, -2]}) { v }
      createManyDocs(inputs: $rows) { id v }
      updateDocs(id: 1, input: {v: $v}) { v }
    }`,
    { v: [0, 0, 1e-3], rows: [{ id: 2, v: [1, 2, 3] }, { id: 3 }] },
  );
  expect(body).toEqual({
    data: {
      createDocs: { v: [1, 0.5, -2] },
      createManyDocs: [
        { id: 2, v: [1, 2, 3] },
        { id: 3, v: null },
      ],
      updateDocs: [{ v: [0, 0, 0.001] }],
    },
  });
});

test('a vector of another length is refused, and its column is named', async () => {
  const { body } = await server.ask('mutation { createDocs(input: {id: 9, v: [1, 2]}) { id } }');
  expect(body).toMatchObject({
    data: null,
    errors: [{ path: ['createDocs'], extensions: { code: 'TW006' } }],
  });
  expect(body.errors?.[0]?.message).toContain('"embedding"');
});

test('a field of the user reads inside the transaction, though there is one session for all', async () => {
  const { body } = await server.ask('mutation { createDocs(input: {id: 10}) { id } count }');
  expect(body).toEqual({ data: { createDocs: { id: 10 }, count: 4 } });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRegistry } from '../../../runtime/src/descriptor/registry.js';
import { createDriver } from '../../../runtime/src/server/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import * as types from '../../../runtime/src/dialect/postgres/types.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/sdl.js';

const registry = createRegistry({
  tables: [
    {
      field: 'docs',
      type: 'Docs',
      schema: 'public',
      name: 'docs',
      kind: 'table',
      columns: [
        { name: 'id', type: types.int4 },
        { name: 'embedding', field: 'v', type: types.vector('public', 3), nullable: true },
      ],
      primaryKey: { name: 'docs_pkey', columns: ['id'] },
      insertable: true,
      updatable: true,
    },
  ],
});

const extra = `
  input DocsCreateInput { id: Int! v: Vector }
  input DocsUpdateInput { id: Int v: Vector }
  type Mutation {
    createDocs(input: DocsCreateInput!): Docs
    createManyDocs(inputs: [DocsCreateInput!]!): [Docs!]!
    updateDocs(where: DocsWhereInput, id: Int, input: DocsUpdateInput!): [Docs!]
    count: Int!
  }`;

let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  driver = createDriver(settingsWith({ 'app.datasource.url': 'pglite:' }));
  await driver.transaction(async (run) => {
    for (const text of [
      'create extension if not exists vector',
      'create table docs (id int primary key, embedding vector(3))',
    ]) {
      await run([{ text, values: [] }]);
    }
  });
  const schema = schemaOf(registry, extra, {
    'Mutation.count': async (_root, _args, context) => {
      const { docsAggregate } = await context.query('{ docsAggregate { count } }');
      return (docsAggregate as { count: number }).count;
    },
  });
  for (const name of ['createDocs', 'createManyDocs', 'updateDocs']) {
    const field = schema.getMutationType()?.getFields()[name];
    if (field === undefined) throw new Error(`no field ${name}`);
    field.resolve = (_source, _args, context: { write(info: unknown): unknown }, info) => context.write(info);
  }
  server = await startGraphqlServer({ registry, schema, driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
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

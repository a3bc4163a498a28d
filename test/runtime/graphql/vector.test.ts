import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createPgliteFolder, type PgliteFolder } from '../../support/pglite-data.js';

/** GraphQL calls the column by another name. */
const options = {
  names: { schemaPrefix: 'never' },
  rename: { 'public.docs': { columns: { embedding: 'v' } } },
} as const;

let database: PgliteFolder;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createPgliteFolder(
    `create extension vector;
     create table docs (id int primary key, embedding vector(3));
     create table plain (id int);
     insert into docs values (1, '[1,0,0]'), (2, '[0,1,0]'), (3, '[5,5,0]'), (4, null)`,
    options,
  );
  const { described } = database;
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: described.registry, schema: schemaOf(described), driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.remove();
});

async function nearest(vector: string, rest = '', head = '', variables?: unknown): Promise<unknown> {
  const { body } = await server.ask(`query ${head} { docs(vector: ${vector} ${rest}) { id } }`, variables);
  if (body.errors !== undefined) return body.errors[0]?.extensions.code;
  return (body.data?.['docs'] as { id: number }[]).map(({ id }) => id);
}

test.each([
  ['{column: "v", near: [1, 0, 0]}', '', [1, 2, 3, 4]],
  ['{column: "embedding", near: [1, 0, 0]}', '', [1, 2, 3, 4]],
  ['{column: "v", near: [1, 0, 0], distance: "L2"}', '', [1, 2, 3, 4]],
  ['{column: "v", near: [1, 0, 0], distance: "euclidean"}', '', [1, 2, 3, 4]],
  ['{column: "v", near: [1, 0, 0], distance: "COSINE"}', '', [1, 3, 2, 4]],
  ['{column: "v", near: [1, 0, 0], distance: "INNER_PRODUCT"}', '', [3, 1, 2, 4]],
  ['{column: "v", near: [1, 0, 0], limit: 2}', '', [1, 2]],
  ['{column: "v", near: [1, 0, 0], limit: 1}', 'orderBy: {id: DESC}', [1]],
  ['{column: "v", near: [1, 0, 0]}', 'where: {id: {in: [2, 3]}} orderBy: {id: DESC}', [2, 3]],
  ['{column: "id", near: [1, 0, 0]}', '', 'TW002'],
  ['{column: "w", near: [1, 0, 0]}', '', 'TW002'],
  ['{column: "v", near: [1, 0, 0], distance: "L7"}', '', 'TW005'],
])('vector: %s %s', async (vector, rest, expected) => {
  expect(await nearest(vector, rest)).toEqual(expected);
});

test('every part of it may be a variable, and the whole of it too', async () => {
  const head = '($c: String!, $n: [Float!]!, $d: String, $l: Int)';
  const parts = '{column: $c, near: $n, distance: $d, limit: $l}';
  const near = [1, 0, 0];
  expect(await nearest(parts, '', head, { c: 'v', n: near, d: 'COSINE', l: 2 })).toEqual([1, 3]);
  expect(await nearest(parts, '', head, { c: 'v', n: near, d: 'IP', l: 2 })).toEqual([3, 1]);
  expect(await nearest(parts, '', head, { c: 'w', n: near })).toBe('TW002');
  const whole = (vector: unknown) => nearest('$v', '', '($v: VectorInput)', { v: vector });
  expect(await whole({ column: 'v', near, distance: 'COSINE' })).toEqual([1, 3, 2, 4]);
  expect(await whole({ column: 'v', near, distance: 'IP' })).toEqual([3, 1, 2, 4]);
  expect(await whole(null)).toHaveLength(4);
});

test('as many numbers as the column has dimensions', async () => {
  const { body } = await server.ask('{ docs(vector: {column: "v", near: [1, 0]}) { id } }');
  expect(body).toMatchObject({ data: null, errors: [{ path: ['docs'] }] });
});

test('a vector is read as a list of numbers', async () => {
  const { text } = await server.ask('{ docsByPk(id: 3) { v } }');
  expect(text).toBe('{"data":{"docsByPk":{"v":[5,5,0]}}}');
});

test('a table without a vector column has no such argument', async () => {
  const { body } = await server.ask('{ plain(vector: {column: "v", near: [1]}) { id } }');
  expect(body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});

test('a misspelt vector column is helped with its name, but not where introspection is off', async () => {
  const document = '{ docs(vector: {column: "embeding", near: [1, 0, 0]}) { id } }';
  const open = await server.ask(document);
  expect(open.body.errors?.[0]?.extensions).toMatchObject({ code: 'TW002', hint: 'Did you mean embedding?' });
  const settings = { 'app.graphql.introspection': false };
  const closed = await startGraphqlServer({
    registry: database.described.registry,
    schema: schemaOf(database.described),
    driver,
    settings,
  });
  const { body, text } = await closed.ask(document);
  await closed.close();
  expect(body.errors?.[0]?.extensions).toEqual({ code: 'TW002' });
  expect(text).not.toContain('embedding');
});

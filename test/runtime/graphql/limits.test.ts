import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { post, startGraphqlServer, type GraphqlServer, type Reply } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_limits', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(board), driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
});

beforeEach(() => {
  server.forget();
});

/**
 * The error of a document that the server refuses before it queries the database. The server still
 * answers the next request.
 */
async function refusal(query: string): Promise<{ code: string | undefined; message: string }> {
  const { status, body } = await server.ask(query, undefined, { accept: 'application/graphql-response+json' });
  expect(status).toBe(400);
  expect(body.data).toBeUndefined();
  expect(server.rounds).toHaveLength(0);
  const after = await server.ask('{ kanbanLabelsByPk(id: 1) { name } }');
  expect(after.body).toEqual({ data: { kanbanLabelsByPk: { name: 'urgent' } } });
  const [error] = body.errors ?? [];
  return { code: error?.extensions.code, message: error?.message ?? '' };
}

const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

describe('a document that is too much is refused, and the server lives', () => {
  test.each([
    ['10,000 levels of selections', '{ a '.repeat(10_000) + '}'.repeat(10_000)],
    ['10,000 levels that never close', '{a'.repeat(10_000)],
    [
      '10,000 levels of lists in an argument',
      `{ kanbanIssues(where: ${'['.repeat(10_000)}${']'.repeat(10_000)}) { id } }`,
    ],
    [
      '10,000 levels of objects in an argument',
      `{ kanbanIssues(where: ${'{and:'.repeat(10_000)}1${'}'.repeat(10_000)}) { id } }`,
    ],
    ['5,000 aliases', `{ ${times(5000, (at) => `a${at}: __typename`)} }`],
    ['101 aliases below fields', `{ kanbanIssues { ${times(101, (at) => `a${at}: id`)} } }`],
    ['51 root fields', `{ ${times(51, () => '__typename')} }`],
    ['20,000 directives', `{ kanbanIssues ${'@a '.repeat(20_000)} { id } }`],
    ['51 directives', `{ kanbanIssues { id ${'@include(if: true) '.repeat(51)} } }`],
    [
      'more directives than fit, in fragments',
      `{ ${times(40, () => '...F')} } fragment F on Query { __typename @skip(if: false) @include(if: true) }`,
    ],
    ['a fragment in itself', '{ ...F } fragment F on Query { __typename ...F }'],
    [
      'fragments in a circle',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...C } fragment C on Query { ...A }',
    ],
    [
      'fragments that double at every step',
      `{ kanbanIssues { ...F0 } } ${times(30, (at) => `fragment F${at} on KanbanIssues { kanbanProjectId { kanbanIssues { ...F${at + 1} } } kanbanAssigneeId { kanbanIssues { ...F${at + 1} } } }`)} fragment F30 on KanbanIssues { id }`,
    ],
    [
      'fragments that double beside each other',
      `{ ...F0 } ${times(30, (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)} fragment F30 on Query { __typename }`,
    ],
    [
      '16 levels',
      `{ kanbanIssues { ${'kanbanProjectId { kanbanOwnerId { kanbanProjects { '.repeat(5)} id ${'} } }'.repeat(5)} } }`,
    ],
    [
      'a product of lists',
      '{ kanbanUsers { kanbanIssues { kanbanProjectId { kanbanIssues { kanbanAssigneeId { kanbanIssues { kanbanLabelsViaIssueLabels { id } } } } } } } }',
    ],
    ['a field repeated as often as the tokens allow', `{ kanbanIssues { ${'id '.repeat(5000)} } }`],
    ['introspection in circles', `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`],
    ['10,001 tokens', `{ kanbanIssues { ${'id '.repeat(10_000)} } }`],
  ])('%s', async (_what, query) => {
    const { code, message } = await refusal(query);
    expect(['TW011', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']).toContain(code);
    expect(message.length).toBeGreaterThan(10);
  });

  test('fields that are repeated are merged', async () => {
    const { body } = await server.ask(`{ kanbanLabelsByPk(id: 1) { ${'name '.repeat(50)} } }`);
    expect(body).toEqual({ data: { kanbanLabelsByPk: { name: 'urgent' } } });
  });

  test('the estimate counts literal limits: what asks for little is answered', async () => {
    const { body } = await server.ask(
      '{ kanbanUsers(limit: 1) { kanbanIssues(limit: 1) { kanbanProjectId { kanbanIssues(limit: 1) { kanbanAssigneeId { kanbanIssues(limit: 1) { id } } } } } } }',
    );
    expect(body.errors).toBeUndefined();
  });

  test('brackets in strings and comments are no nesting', async () => {
    const { body } = await server.ask(
      `# ${'{'.repeat(500)}\n{ kanbanIssues(where: {title: {eq: "${'[('.repeat(500)}\\""}}) { id } a: kanbanIssues(where: {title: {eq: """${'{'.repeat(500)}"""}}) { id } }`,
    );
    expect(body).toEqual({ data: { kanbanIssues: [], a: [] } });
  });

  test('long strings and comments cost no more than their length', async () => {
    for (const text of [
      `{ a(b: """${'x'.repeat(900_000)}`,
      `{ a(b: """${'"x'.repeat(400_000)}""") }`,
      `{ a(b: "${'\\\\'.repeat(200_000)}`,
      `{ a } #${'{'.repeat(900_000)}`,
      '"'.repeat(900_000),
      '"""'.repeat(300_000),
    ]) {
      expect((await server.ask(text)).body.errors).not.toHaveLength(0);
    }
  });

  test("the standard introspection query is not too deep, nor is GraphiQL's", async () => {
    const query = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true });
    const { body } = await server.ask(query);
    expect(body.errors).toBeUndefined();
  });
});

describe('requests that are no GraphQL requests', () => {
  const ask = (body: string, headers?: Readonly<Record<string, string>>): Promise<Reply> =>
    post(server.url, body, headers);

  test.each([
    ['not JSON', '{"query": '],
    ['a batch', '[{"query":"{__typename}"},{"query":"{__typename}"}]'],
    ['a string', '"{__typename}"'],
    ['null', 'null'],
    ['no query', '{}'],
    ['a query that is a number', '{"query": 1}'],
    ['variables that are a list', '{"query":"{__typename}","variables":[]}'],
    ['an operation name that is a number', '{"query":"{__typename}","operationName":1}'],
  ])('%s: 400', async (_what, body) => {
    const reply = await ask(body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors?.[0]?.extensions.code).toBe('TW006');
  });

  test('a body of another type: 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      expect((await ask('{"query":"{__typename}"}', { 'content-type': type })).status).toBe(415);
    }
  });

  test('a body that is too long: 413', async () => {
    const reply = await ask(JSON.stringify({ query: `{__typename} # ${'x'.repeat(1_100_000)}` }));
    expect(reply.status).toBe(413);
    expect(reply.body.errors?.[0]?.extensions.code).toBe('TW011');
  });

  test('PUT: 405, and nothing is executed', async () => {
    const response = await fetch(`${server.url}?query={__typename}`, { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('another path: 404', async () => {
    expect((await post(`${server.url}/more`, '{"query":"{__typename}"}')).status).toBe(404);
  });

  test('an answer that would not be accepted: 406', async () => {
    expect((await ask('{"query":"{__typename}"}', { accept: 'text/csv' })).status).toBe(406);
  });
});

describe('introspection turned off', () => {
  let closed: GraphqlServer;

  beforeAll(async () => {
    closed = await startGraphqlServer({
      registry: boardRegistry,
      schema: schemaOf(board),
      driver,
      settings: { 'app.graphql.introspection': false },
    });
  });

  afterAll(() => closed.close());

  test('__schema and __type are refused, __typename is answered', async () => {
    for (const query of ['{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }']) {
      expect((await closed.ask(query)).body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
    expect((await closed.ask('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
  });

  test('errors suggest no names', async () => {
    const { text } = await closed.ask('{ kanbanIssue { id } kanbanIssues(wher: {}) { idd } }');
    expect(text).not.toMatch(/Did you mean|kanbanIssuesByPk|"where"/);
  });
});

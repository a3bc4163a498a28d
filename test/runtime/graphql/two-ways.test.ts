import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { parseDatabaseJson } from '../../../runtime/src/response/graphql-json.js';
import { settingsWith } from '../../support/intents.js';
import { extendedSchema, type Resolvers } from '../../support/live-schema.js';
import { createFilledDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { boardSql } from '../../support/registry.js';

/** Texts that a conversion to JavaScript's numbers and objects would change. */
const oddSql = `
CREATE TABLE kanban.odd (id float8 PRIMARY KEY, amount numeric, raw json, nested int[], floats float8[], big numeric[]);
INSERT INTO kanban.odd VALUES
  (1e-7, 1.500, '{"b" : 1.0, "a": [1,  2], "b": "\\u0041 é \\n"}', '{{1,2},{3,4}}', '{1e20,NaN,-0}', '{1.10,NULL}'),
  ('NaN', 12345678901234567890.12345678901234567890, 'null', '{}', '{}', '{}'),
  (1e21, -0.0, '"text"', NULL, NULL, NULL);
`;

const custom = `
  extend type Query { custom: String fails: String hello(name: String!): String! issueCount: Int! newest: [KanbanIssues!] }
  extend type KanbanOdd { own: String }
  extend type KanbanLabels { own: String }
  extend type KanbanUsers { own: String }
  extend type KanbanProjects { own: String }
  extend type KanbanIssues { own: String summary: String! column(name: String!): JSON broken: String required: String! self: KanbanIssues }
`;

const resolvers: Resolvers = {
  'Query.custom': () => 'x',
  'Query.fails': () => {
    throw new Error('password is hunter2');
  },
  'Query.hello': (_source, { name }: { name: string }, { identity }) => `${name} ${identity.userId ?? 'nobody'}`,
  'Query.issueCount': async (_source, _args, context) => {
    const { all } = (await context.query(
      'query($p: Int!) { all: kanbanIssues(where: {project_id: {eq: $p}}) { id } }',
      {
        p: 1,
      },
    )) as { all: unknown[] };
    return all.length;
  },
  'Query.newest': async (_source, _args, context) => {
    const document = '{ rows: kanbanIssues(orderBy: {id: DESC}, limit: 2) { id title kanbanAssigneeId { name } } }';
    return (await context.query(document))['rows'];
  },
  'KanbanIssues.summary': ({ id, title }: { id: number; title: string }) => `#${id} ${title}`,
  'KanbanIssues.column': (row: Record<string, unknown>, { name }: { name: string }) => row[name],
  'KanbanIssues.broken': () => {
    throw new Error('never shown');
  },
  'KanbanIssues.required': () => null,
  'KanbanIssues.self': (row) => row,
  ...Object.fromEntries(
    ['Odd', 'Labels', 'Users', 'Projects', 'Issues'].map((name) => [`Kanban${name}.own`, () => 'x'] as const),
  ),
};

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_two_ways', boardSql);
  await loadSql(database.url, oddSql);
  const described = await describeDatabase(database.url);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({
    registry: described.registry,
    schema: extendedSchema(described, custom, resolvers),
    driver,
    authenticate: () => ({ userId: 'ada' }),
  });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
});

beforeEach(() => {
  server.forget();
});

const corpus: readonly (readonly [what: string, document: string])[] = [
  [
    'scalars of every kind',
    '{ kanbanIssues(orderBy: {id: ASC}) { id title points estimate views urgent created_at search } }',
  ],
  ['enums, mapped ones too', '{ kanbanIssues(orderBy: {id: ASC}) { status s: status } }'],
  ['lists and JSON', '{ kanbanIssues(orderBy: {id: ASC}) { labels metadata } }'],
  ['number texts', '{ kanbanOdd(orderBy: {id: ASC}) { id amount floats big } }'],
  ['json as it was written, duplicate keys and spaces included', '{ kanbanOdd(orderBy: {id: ASC}) { raw } }'],
  ['arrays in arrays', '{ kanbanOdd(orderBy: {id: ASC}) { nested } }'],
  [
    'nulls',
    '{ kanbanIssuesByPk(id: 3) { points urgent kanbanAssigneeId { name } kanbanBriefs { body } } none: kanbanIssuesByPk(id: 0) { id } }',
  ],
  ['key order and aliases', '{ z: kanbanUsersByPk(id: 1) { name b: id a: id } a: kanbanLabels { name id } }'],
  ['an alias that is another column', '{ kanbanIssues(orderBy: {id: ASC}) { title: points points: title id } }'],
  [
    'nested relations',
    '{ kanbanProjects(orderBy: {id: ASC}) { name kanbanOwnerId { name } kanbanIssues(orderBy: {id: ASC}) { id kanbanLabelsViaIssueLabels(orderBy: {id: ASC}) { name } } } }',
  ],
  ['__typename everywhere', '{ __typename kanbanProjects { __typename kanbanIssues { __typename } } }'],
  ['computed fields', '{ kanbanIssues(orderBy: {id: ASC}) { shout } }'],
  [
    'connections',
    '{ kanbanIssuesConnection(first: 2, orderBy: {points: DESC}) { totalCount nodes { id } edges { cursor node { title views } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor __typename } } }',
  ],
  [
    'aggregates',
    '{ kanbanIssuesAggregate { count sum { points estimate views } avg { points } min { created_at title status } max { id } countDistinct { project_id } stddev { points } } }',
  ],
  [
    'groups',
    '{ kanbanIssuesAggregate(groupBy: [project_id]) { groups { key { project_id } count sum { estimate } } } }',
  ],
  [
    'nested aggregates',
    '{ kanbanProjects(orderBy: {id: ASC}) { name kanbanIssuesAggregate { count max { views } } } }',
  ],
  [
    'fragments and directives',
    '{ ...F } fragment F on Query { kanbanLabels(orderBy: {id: ASC}) { ... @include(if: true) { id } name @skip(if: true) } }',
  ],
];

describe('a document of generated fields is answered in the same bytes with graphql-js and without', () => {
  test.each(corpus)('%s', async (_what, document) => {
    const passed = await server.ask(document);
    expect(passed.body.errors).toBeUndefined();
    expect(server.rounds).toHaveLength(1);
    server.forget();
    const executed = await server.ask(document.replace('{', '{ custom'));
    expect(server.rounds).toHaveLength(1);
    expect(executed.text.replace('"custom":"x",', '')).toBe(passed.text);
  });
});

const ofRows = /(?:kanban(?:Issues|Odd|Projects|Labels|UsersByPk|IssuesByPk)(?:\([^)]*\))?|nodes?) \{/g;

/** JSON without the members with the name `own`. */
function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'own');
  return Object.fromEntries(members.map(([name, each]: [string, unknown]) => [name, withoutOwn(each)]));
}

describe('with fields of the user inside every row the rest is the same JSON, digit for digit', () => {
  test.each(corpus.filter(([, document]) => document.search(ofRows) !== -1))('%s', async (_what, document) => {
    const passed = await server.ask(document);
    server.forget();
    const executed = await server.ask(document.replace(ofRows, '$& own'));
    expect(server.rounds).toHaveLength(1);
    expect(executed.text).toContain('"own":"x"');
    expect(withoutOwn(parseDatabaseJson(executed.text))).toEqual(parseDatabaseJson(passed.text));
  });
});

describe('fields of the user beside generated ones', () => {
  test('a field of a row gets the row, with the columns the document did not ask for', async () => {
    const { body } = await server.ask(
      '{ kanbanIssues(orderBy: {id: ASC}, limit: 1) { points: title summary views: column(name: "views") estimate: column(name: "estimate") labels: column(name: "labels") } }',
    );
    expect(body).toEqual({
      data: {
        kanbanIssues: [
          {
            points: 'Login fails with 100% CPU',
            summary: '#1 Login fails with 100% CPU',
            views: '9007199254740993',
            estimate: 1.5,
            labels: ['bug', 'auth'],
          },
        ],
      },
    });
    expect(server.rounds).toHaveLength(1);
  });

  test('deep below generated relations and in connections', async () => {
    const { body } = await server.ask(
      '{ kanbanProjectsByPk(id: 2) { kanbanIssues(orderBy: {id: ASC}) { summary } } kanbanIssuesConnection(first: 1, orderBy: {id: ASC}) { nodes { summary } edges { node { summary id } } } }',
    );
    expect(body.data).toEqual({
      kanbanProjectsByPk: { kanbanIssues: [{ summary: '#4 Search is slow' }, { summary: '#5 login_page broken' }] },
      kanbanIssuesConnection: {
        nodes: [{ summary: '#1 Login fails with 100% CPU' }],
        edges: [{ node: { summary: '#1 Login fails with 100% CPU', id: 1 } }],
      },
    });
    expect(server.rounds).toHaveLength(1);
  });

  test('a row that a resolver hands on', async () => {
    const { body } = await server.ask('{ kanbanIssuesByPk(id: 2) { id self { id title self { title status } } } }');
    expect(body.data).toEqual({
      kanbanIssuesByPk: {
        id: 2,
        self: { id: 2, title: 'Dark mode', self: { title: 'Dark mode', status: 'in_progress' } },
      },
    });
  });

  test('a root field of its own, without the database', async () => {
    const { body } = await server.ask('query($n: String!) { hello(name: $n) }', { n: 'Hi' });
    expect(body).toEqual({ data: { hello: 'Hi ada' } });
    expect(server.rounds).toHaveLength(0);
  });

  test('a resolver may run a document of its own, as the same identity', async () => {
    const { body } = await server.ask('{ issueCount }');
    expect(body).toEqual({ data: { issueCount: 3 } });
    expect(server.identities).toEqual([expect.objectContaining({ userId: 'ada' })]);
  });

  test('rows of its own have what the resolver gave them; a relation it did not read is a clear error', async () => {
    const { body } = await server.ask(
      '{ newest { id t: title summary kanbanAssigneeId { name } kanbanProjectId { name } } }',
    );
    expect(body.data).toEqual({
      newest: [
        {
          id: 5,
          t: 'login_page broken',
          summary: '#5 login_page broken',
          kanbanAssigneeId: { name: 'Linus' },
          kanbanProjectId: null,
        },
        {
          id: 4,
          t: 'Search is slow',
          summary: '#4 Search is slow',
          kanbanAssigneeId: { name: 'Ada' },
          kanbanProjectId: null,
        },
      ],
    });
    expect(body.errors?.[0]).toMatchObject({
      path: ['newest', 0, 'kanbanProjectId'],
      extensions: { code: 'TW017', hint: expect.stringContaining('context.query') },
    });
  });

  test('an error says where, not what; the rest of the answer stands', async () => {
    const { status, body, text } = await server.ask('{ fails kanbanIssuesByPk(id: 1) { id broken } }');
    expect(status).toBe(200);
    expect(body.data).toEqual({ fails: null, kanbanIssuesByPk: { id: 1, broken: null } });
    expect(body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['fails'], 'TW500'],
      [['kanbanIssuesByPk', 'broken'], 'TW500'],
    ]);
    expect(text).not.toMatch(/hunter2|never shown/);
    expect(server.observations.filter(({ kind }) => kind === 'failure')).toHaveLength(2);
  });

  test('null where there may be none goes up to the nearest field that may be null', async () => {
    const { body } = await server.ask('{ kanbanIssuesByPk(id: 1) { id required } kanbanLabels(limit: 1) { id } }');
    expect(body.data).toEqual({ kanbanIssuesByPk: null, kanbanLabels: [{ id: 1 }] });
  });
});

describe('introspection', () => {
  test('alone: no statement', async () => {
    const { body } = await server.ask(
      '{ __schema { queryType { name } } __type(name: "KanbanIssueStatus") { enumValues { name } } }',
    );
    expect(body.data).toEqual({
      __schema: { queryType: { name: 'Query' } },
      __type: { enumValues: [{ name: 'todo' }, { name: 'in_progress' }, { name: 'done' }] },
    });
    expect(server.rounds).toHaveLength(0);
  });

  test('mixed with data: one answer in the order of the document, one statement', async () => {
    const { text } = await server.ask(
      '{ a: kanbanLabels(limit: 1) { id } __schema { queryType { name } } b: kanbanOdd(limit: 1, where: {id: {lt: 1}}) { id } }',
    );
    expect(text).toBe('{"data":{"a":[{"id":1}],"__schema":{"queryType":{"name":"Query"}},"b":[{"id":1e-07}]}}');
    expect(server.rounds).toHaveLength(1);
  });
});

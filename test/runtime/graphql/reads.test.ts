import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
  database = await createFilledDatabase('graphql_reads', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({
    registry: boardRegistry,
    schema: schemaOf(board),
    driver,
    settings: { 'app.max-rows': 4 },
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

/** Sends a document and expects no error and one statement in one round trip. */
async function data(query: string, variables?: unknown): Promise<unknown> {
  const { status, body } = await server.ask(query, variables);
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
  expect(server.rounds).toHaveLength(1);
  expect(server.rounds[0]).toHaveLength(1);
  return body.data;
}

/**
 * Sends a document that the server refuses, and returns the first error. No statement reaches the
 * database.
 */
async function refusal(query: string, variables?: unknown) {
  const { body } = await server.ask(query, variables);
  expect(server.rounds).toHaveLength(0);
  const [error] = body.errors ?? [];
  if (error === undefined) throw new Error(`answered: ${JSON.stringify(body)}`);
  return error;
}

const ids = (rows: unknown): unknown[] => (rows as { id: unknown }[]).map(({ id }) => id);

/** The ids of issues that match a filter, in order. */
async function found(where: string, variables?: unknown, head = ''): Promise<unknown[]> {
  const answer = await data(`query ${head} { kanbanIssues(where: ${where}, orderBy: {id: ASC}) { id } }`, variables);
  return ids((answer as { kanbanIssues: unknown }).kanbanIssues);
}

describe('lists and rows', () => {
  test('a list, capped at app.max-rows whatever the limit', async () => {
    expect(await data('{ kanbanIssues(orderBy: {id: ASC}) { id } }')).toEqual({
      kanbanIssues: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
    });
    server.forget();
    const answer = await data('{ kanbanIssues(orderBy: {id: DESC}, limit: 1000) { id } }');
    expect(answer).toEqual({ kanbanIssues: [{ id: 5 }, { id: 4 }, { id: 3 }, { id: 2 }] });
  });

  test('limit and offset, as literals and as variables', async () => {
    const page = [{ id: 3 }, { id: 4 }];
    expect(await data('{ kanbanIssues(orderBy: {id: ASC}, limit: 2, offset: 2) { id } }')).toEqual({
      kanbanIssues: page,
    });
    server.forget();
    const query = 'query($l: Int, $o: Int) { kanbanIssues(orderBy: {id: ASC}, limit: $l, offset: $o) { id } }';
    expect(await data(query, { l: 2, o: 2 })).toEqual({ kanbanIssues: page });
    server.forget();
    expect(await data(query, { l: null })).toEqual({ kanbanIssues: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] });
  });

  test('a negative limit is an error', async () => {
    const { body } = await server.ask('{ kanbanIssues(limit: -1) { id } }');
    expect(body.errors?.[0]?.extensions.code).toBe('TW005');
  });

  test('a row by its key, and null where there is none', async () => {
    const query = '{ one: kanbanIssuesByPk(id: 2) { title } none: kanbanIssuesByPk(id: 99) { title } }';
    expect(await data(query)).toEqual({ one: { title: 'Dark mode' }, none: null });
  });

  test('a composite key', async () => {
    const query = '{ kanbanIssueLabelsByPk(label_id: 2, issue_id: 4) { issue_id label_id } }';
    expect(await data(query)).toEqual({ kanbanIssueLabelsByPk: { issue_id: 4, label_id: 2 } });
  });

  test('values as decision 002 write them', async () => {
    const { text } = await server.ask(
      '{ kanbanIssuesByPk(id: 1) { id views estimate status labels metadata urgent created_at points shout } }',
    );
    expect(text).toBe(
      '{"data":{"kanbanIssuesByPk":{"id":1,"views":"9007199254740993","estimate":1.50,"status":"todo",' +
        '"labels":["bug","auth"],"metadata":{"tags": ["a", "b"], "browser": "firefox"},"urgent":true,' +
        '"created_at":"2024-01-01T10:00:00.123456+00:00","points":3,"shout":"LOGIN FAILS WITH 100% CPU"}}}',
    );
  });

  test('enum labels that are not legal names are shown by their GraphQL names', async () => {
    expect(await data('{ kanbanIssuesByPk(id: 2) { status } }')).toEqual({
      kanbanIssuesByPk: { status: 'in_progress' },
    });
  });
});

describe('documents', () => {
  test('several root fields, aliases, __typename, and the order of the document', async () => {
    const { text } = await server.ask(
      '{ b: kanbanUsersByPk(id: 1) { n: name t: __typename } __typename a: kanbanLabels(limit: 1, orderBy: {id: ASC}) { id } }',
    );
    expect(text).toBe('{"data":{"b":{"n":"Ada","t":"KanbanUsers"},"__typename":"Query","a":[{"id":1}]}}');
    expect(server.rounds).toHaveLength(1);
  });

  test('named and inline fragments at every level, and merged selections', async () => {
    const query = `
      query Q { ...Root kanbanIssuesByPk(id: 1) { title kanbanProjectId { id } } }
      fragment Root on Query { kanbanIssuesByPk(id: 1) { ...Issue ... { points } ... on KanbanIssues { status } } }
      fragment Issue on KanbanIssues { id kanbanProjectId { ...Project } }
      fragment Project on KanbanProjects { name }`;
    const { text } = await server.ask(query);
    expect(text).toBe(
      '{"data":{"kanbanIssuesByPk":{"id":1,"kanbanProjectId":{"name":"Web","id":1},"points":3,"status":"todo",' +
        '"title":"Login fails with 100% CPU"}}}',
    );
  });

  test('@include and @skip, by literal and by variable', async () => {
    const query = `query($yes: Boolean!, $no: Boolean = false) { kanbanIssuesByPk(id: 1) {
      id title @include(if: $yes) points @skip(if: $yes) status @include(if: $no) urgent @skip(if: false)
      ... on KanbanIssues @include(if: $no) { views }
    } }`;
    expect(await data(query, { yes: true })).toEqual({
      kanbanIssuesByPk: { id: 1, title: 'Login fails with 100% CPU', urgent: true },
    });
    server.forget();
    expect(await data(query, { yes: false, no: true })).toEqual({
      kanbanIssuesByPk: { id: 1, points: 3, status: 'todo', urgent: true, views: '9007199254740993' },
    });
  });

  test('an operation that skips every field answers an empty object and asks the database nothing', async () => {
    const { body } = await server.ask('{ kanbanUsers @skip(if: true) { id } }');
    expect(body).toEqual({ data: {} });
    expect(server.rounds).toHaveLength(0);
  });

  test('operationName chooses; without one, several operations are an error', async () => {
    const query = 'query A { kanbanUsersByPk(id: 1) { name } } query B { kanbanUsersByPk(id: 2) { name } }';
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName: 'B' }),
    });
    expect(await response.json()).toEqual({ data: { kanbanUsersByPk: { name: 'Grace' } } });
    server.forget();
    expect((await refusal(query)).message).toMatch(/operationName/);
  });
});

describe('relations', () => {
  test('both ways, one-to-one and through a junction, with their own arguments', async () => {
    const query = `{ kanbanProjects(orderBy: {id: ASC}) {
      name
      kanbanOwnerId { name }
      kanbanIssues(where: {points: {gte: 5}}, orderBy: {points: DESC}, limit: 1) {
        title
        kanbanBriefs { body }
        kanbanLabelsViaIssueLabels(orderBy: {name: ASC}) { name }
        kanbanAssigneeId { name kanbanProjects { name } }
      }
    } }`;
    expect(await data(query)).toEqual({
      kanbanProjects: [
        {
          name: 'Web',
          kanbanOwnerId: { name: 'Ada' },
          kanbanIssues: [
            {
              title: 'Dark mode',
              kanbanBriefs: null,
              kanbanLabelsViaIssueLabels: [{ name: 'later' }],
              kanbanAssigneeId: { name: 'Grace', kanbanProjects: [{ name: 'App' }] },
            },
          ],
        },
        {
          name: 'App',
          kanbanOwnerId: { name: 'Grace' },
          kanbanIssues: [
            {
              title: 'Search is slow',
              kanbanBriefs: { body: 'Make it fast' },
              kanbanLabelsViaIssueLabels: [{ name: 'later' }, { name: 'urgent' }],
              kanbanAssigneeId: { name: 'Ada', kanbanProjects: [{ name: 'Web' }] },
            },
          ],
        },
        { name: 'Empty', kanbanOwnerId: null, kanbanIssues: [] },
      ],
    });
  });

  test('a nested list is capped too, and the same relation may be asked for twice', async () => {
    const query = `{ kanbanUsersByPk(id: 1) {
      mine: kanbanIssues(orderBy: {id: ASC}, limit: 100) { id }
      last: kanbanIssues(orderBy: {id: DESC}, limit: 1) { id }
    } }`;
    expect(await data(query)).toEqual({
      kanbanUsersByPk: { mine: [{ id: 1 }, { id: 4 }], last: [{ id: 4 }] },
    });
  });
});

describe('filters', () => {
  test.each([
    ['{id: {eq: 1}}', [1]],
    ['{id: {neq: 1}, project_id: {eq: 1}}', [2, 3]],
    ['{id: {in: [1, 3]}}', [1, 3]],
    ['{id: {in: 4}}', [4]],
    ['{id: {in: []}}', []],
    ['{id: {notIn: [1, 2, 3]}}', [4, 5]],
    ['{points: {isNull: true}}', [3]],
    ['{points: {isNull: false}, project_id: {eq: 1}}', [1, 2]],
    ['{points: {isNotNull: true}, project_id: {eq: 1}}', [1, 2]],
    ['{points: {isDistinctFrom: 5}, project_id: {eq: 1}}', [1, 3]],
    ['{points: {gt: 3, lt: 8}}', [2, 5]],
    ['{points: {between: [3, 5]}}', [1, 2, 5]],
    ['{views: {gt: 9007199254740992}}', [1]],
    ['{views: {eq: "9007199254740993"}}', [1]],
    ['{estimate: {eq: 0.10}}', [5]],
    ['{created_at: {lt: "2024-01-02T00:00:00Z"}}', [1]],
    ['{title: {contains: "100%"}}', [1]],
    ['{title: {startsWith: "login_"}}', [5]],
    ['{title: {istartsWith: "LOGIN "}}', [1]],
    ['{title: {like: "%broken%"}}', [5]],
    ['{title: {ilike: "%BROKEN%"}}', [3, 5]],
    ['{title: {regex: "^D"}}', [2]],
    ['{status: {eq: in_progress}}', [2]],
    ['{status: {in: [in_progress, "done"]}}', [2, 3, 5]],
    ['{urgent: {eq: true}}', [1, 4]],
    ['{metadata: {contains: {browser: "firefox"}}}', [1]],
    ['{metadata: {hasKey: "n"}}', [2]],
    ['{metadata: {hasAnyKeys: ["n", "deep"]}}', [2, 5]],
    ['{metadata: {path: "$.deep.er[*] ? (@ == 2)"}}', [5]],
    ['{labels: {hasAny: ["ui", "perf"]}}', [2, 4]],
    ['{labels: {contains: ["bug", "auth"]}}', [1]],
    ['{labels: {length: {eq: 0}}}', [3]],
    ['{labels: {length: {gte: 2}}}', [1, 4]],
    ['{search: {search: "searching slow"}}', [4]],
    ['{search: {webSearch: {query: "search -slow", config: "english"}}}', [3]],
    ['{or: [{id: {eq: 1}}, {title: {eq: "Dark mode"}}]}', [1, 2]],
    ['{or: []}', []],
    ['{and: [{id: {gt: 1}}, {id: {lt: 4}}], not: {id: {eq: 2}}}', [3]],
    ['{kanbanAssigneeId: {name: {eq: "Ada"}}}', [1, 4]],
    ['{kanbanProjectId: {kanbanOwnerId: {name: {eq: "Grace"}}}}', [4, 5]],
    ['{kanbanLabelsViaIssueLabels: {some: {name: {eq: "urgent"}}}}', [1, 4]],
    ['{kanbanLabelsViaIssueLabels: {none: {}}}', [3, 5]],
    ['{kanbanLabelsViaIssueLabels: {some: {}, every: {name: {eq: "later"}}}}', [2]],
    ['{kanbanProjectId: {}}', [1, 2, 3, 4]],
    ['{and: []}', [1, 2, 3, 4]],
    ['{}', [1, 2, 3, 4]],
  ])('where: %s', async (where, expected) => {
    expect(await found(where)).toEqual(expected);
  });

  test.each([
    { id: {} },
    { id: { gt: 0 }, title: {} },
    { labels: { length: {} } },
    { and: [{}] },
    { and: {} },
    { or: [{ id: { eq: 1 } }, {}] },
    { or: [{ id: {} }] },
    { not: {} },
    { not: { id: {} } },
    { kanbanProjectId: { id: {} } },
    { kanbanLabelsViaIssueLabels: {} },
    { kanbanLabelsViaIssueLabels: { every: {} } },
    { kanbanLabelsViaIssueLabels: { some: { name: {} } } },
  ])('what JSON leaves of a condition is no condition: %j', async (where) => {
    const query = 'query($w: KanbanIssuesWhereInput) { kanbanIssues(where: $w) { id } }';
    const literal = `{ kanbanIssues(where: ${JSON.stringify(where).replace(/"/g, '')}) { id } }`;
    const nested = 'query($w: KanbanIssuesWhereInput) { kanbanProjects { kanbanIssues(where: $w) { id } } }';
    const aggregate = 'query($w: KanbanIssuesWhereInput) { kanbanIssuesAggregate(where: $w) { count } }';
    const expected = { extensions: { code: 'TW005' } };
    expect(await refusal(literal)).toMatchObject(expected);
    for (const document of [query, nested, aggregate])
      expect(await refusal(document, { w: where })).toMatchObject(expected);
  });

  test('an alternative that says nothing is no alternative', async () => {
    const query = 'query($or: [KanbanIssuesWhereInput!]) { kanbanIssues(or: $or) { id } }';
    const expected = { path: ['kanbanIssues'], extensions: { code: 'TW005' } };
    expect(await refusal(query, { or: [{ id: { eq: 1 } }, {}] })).toMatchObject(expected);
  });

  test('the top-level or is ANDed with where', async () => {
    const query = '{ kanbanIssues(where: {project_id: {eq: 1}}, or: [{id: {eq: 1}}, {id: {eq: 5}}]) { id } }';
    expect(await data(query)).toEqual({ kanbanIssues: [{ id: 1 }] });
  });
});

describe('variables', () => {
  test('of every kind: scalar, list, enum, input object, whole filter, default', async () => {
    expect(await found('{id: {eq: $id}}', { id: 3 }, '($id: Int!)')).toEqual([3]);
    server.forget();
    expect(await found('{id: {in: $ids}}', { ids: [2, 3] }, '($ids: [Int!])')).toEqual([2, 3]);
    server.forget();
    expect(await found('{id: {in: [1, $id]}}', { id: 3 }, '($id: Int!)')).toEqual([1, 3]);
    server.forget();
    expect(await found('{status: {eq: $s}}', { s: 'in_progress' }, '($s: KanbanIssueStatus!)')).toEqual([2]);
    server.forget();
    expect(await found('{points: $p}', { p: { gte: 5, lt: 8 } }, '($p: IntFilterInput)')).toEqual([2, 5]);
    server.forget();
    const where = { or: [{ id: { eq: 1 } }, { kanbanAssigneeId: { name: { eq: 'Linus' } } }] };
    expect(await found('$w', { w: where }, '($w: KanbanIssuesWhereInput)')).toEqual([1, 5]);
    server.forget();
    expect(await found('{id: {eq: $id}}', {}, '($id: Int = 4)')).toEqual([4]);
    server.forget();
    expect(await found('{search: {search: $q}}', { q: 'slow' }, '($q: String!)')).toEqual([4]);
    server.forget();
    expect(await found('{metadata: {contains: {browser: $b}}}', { b: 'chrome' }, '($b: JSON)')).toEqual([2]);
    server.forget();
    expect(await found('{points: {between: $p}}', { p: [5, 8] }, '($p: [Int!])')).toEqual([2, 4, 5]);
  });

  test('a missing where is no filter; a missing part of one is left out', async () => {
    expect(await found('$w', {}, '($w: KanbanIssuesWhereInput)')).toHaveLength(4);
    server.forget();
    expect(await found('{id: $f, project_id: {eq: 2}}', {}, '($f: IntFilterInput)')).toEqual([4, 5]);
  });

  test('digits that JavaScript would round arrive as they were sent', async () => {
    const body =
      '{"query":"query($v: BigInt!) { kanbanIssues(where: {views: {eq: $v}}) { id } }","variables":{"v":9007199254740993}}';
    const response = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await response.json()).toEqual({ data: { kanbanIssues: [{ id: 1 }] } });
  });

  test('the keys of an orderBy variable count in the order the client wrote them', async () => {
    const query =
      'query($o: [KanbanIssuesOrderByInput!]) { kanbanIssues(orderBy: $o, where: {points: {isNotNull: true}}) { id } }';
    const byPoints = await data(query, { o: { points: 'DESC', id: 'DESC' } });
    server.forget();
    const byId = await data(query, { o: { id: 'DESC', points: 'DESC' } });
    expect([byPoints, byId].map((each) => ids((each as { kanbanIssues: unknown }).kanbanIssues))).toEqual([
      [4, 5, 2, 1],
      [5, 4, 2, 1],
    ]);
  });

  test('another shape is another statement, the same shape the same one', async () => {
    const query = 'query($w: KanbanIssuesWhereInput) { kanbanIssues(where: $w, orderBy: {id: ASC}) { id } }';
    const texts: string[] = [];
    for (const w of [{ id: { eq: 1 } }, { id: { eq: 5 } }, { id: { gt: 3 } }]) {
      server.forget();
      await data(query, { w });
      texts.push(server.rounds[0]?.[0]?.text ?? '');
    }
    expect(texts[0]).toBe(texts[1]);
    expect(texts[2]).not.toBe(texts[0]);
  });
});

describe('what is no filter is refused', () => {
  test.each([
    ['{id: {eq: null}}', undefined, ''],
    ['{id: null}', undefined, ''],
    ['{and: null}', undefined, ''],
    ['{id: {eq: $id}}', { id: null }, '($id: Int)'],
    ['{id: {eq: $id}}', {}, '($id: Int)'],
    ['$w', { w: { id: { eq: null } } }, '($w: KanbanIssuesWhereInput)'],
    ['$w', { w: { or: [{ id: null }] } }, '($w: KanbanIssuesWhereInput)'],
  ])('where: %s with %j', async (where, variables, head) => {
    const error = await refusal(`query ${head} { kanbanIssues(where: ${where}) { id } }`, variables);
    expect(error).toMatchObject({ path: ['kanbanIssues'], extensions: { code: 'TW004' } });
    expect(error.locations).toHaveLength(1);
  });

  test('between takes two values', async () => {
    const { body } = await server.ask('{ kanbanIssues(where: {id: {between: [1]}}) { id } }');
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW004' } }] });
  });

  test('an enum value that is no member fails validation', async () => {
    for (const literal of ['nonsense', '"nonsense"']) {
      server.forget();
      const error = await refusal(`{ kanbanIssues(where: {status: {eq: ${literal}}}) { id } }`);
      expect(error.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });
});

describe('order', () => {
  test.each([
    ['{points: DESC_NULLS_LAST, id: ASC}', [4, 2, 5, 1]],
    ['[{points: ASC_NULLS_FIRST}, {id: DESC}]', [3, 1, 5, 2]],
    ['{points: "desc_nulls_last", id: "asc"}', [4, 2, 5, 1]],
    ['{points: AscNullsFirst, id: DESC}', [3, 1, 5, 2]],
    ['{kanbanAssigneeId: {name: DESC_NULLS_LAST}, id: ASC}', [5, 2, 1, 4]],
    ['{kanbanLabelsViaIssueLabels: {_count: DESC}, id: ASC}', [4, 1, 2, 3]],
  ])('orderBy: %s', async (orderBy, expected) => {
    const answer = await data(`{ kanbanIssues(orderBy: ${orderBy}) { id } }`);
    expect(ids((answer as { kanbanIssues: unknown }).kanbanIssues)).toEqual(expected);
  });

  test('by a computed field', async () => {
    expect(await data('{ kanbanIssues(orderBy: {shout: ASC}, limit: 2) { id } }')).toEqual({
      kanbanIssues: [{ id: 3 }, { id: 2 }],
    });
  });

  test('directions in variables, in any spelling', async () => {
    const query = 'query($d: OrderDirection) { kanbanIssues(orderBy: {points: $d, id: ASC}) { id } }';
    for (const d of ['DESC_NULLS_LAST', 'desc_nulls_last', 'DescNullsLast']) {
      server.forget();
      const answer = await data(query, { d });
      expect(ids((answer as { kanbanIssues: unknown }).kanbanIssues)).toEqual([4, 2, 5, 1]);
    }
  });

  test('distinctOn keeps one row for each value', async () => {
    const query = '{ kanbanIssues(distinctOn: [project_id], orderBy: [{project_id: ASC}, {id: DESC}]) { id } }';
    expect(await data(query)).toEqual({ kanbanIssues: [{ id: 3 }, { id: 5 }] });
  });
});

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
  database = await createFilledDatabase('graphql_figures', boardSql);
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

async function data(query: string, variables?: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await server.ask(query, variables);
  expect(body.errors).toBeUndefined();
  expect(server.rounds).toHaveLength(1);
  return body.data ?? {};
}

interface Page {
  readonly nodes: readonly { readonly id: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

describe('connections', () => {
  const query = `query($first: Int, $after: String, $last: Int, $before: String, $o: [KanbanIssuesOrderByInput!]) {
    page: kanbanIssuesConnection(first: $first, after: $after, last: $last, before: $before, orderBy: $o) {
      nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } }`;
  const orderBy = [{ points: 'DESC_NULLS_LAST' }, { created_at: 'ASC' }];
  const page = async (variables: Readonly<Record<string, unknown>>): Promise<Page> => {
    server.forget();
    return (await data(query, variables))['page'] as Page;
  };
  const ids = ({ nodes }: Page): number[] => nodes.map(({ id }) => id);

  test('page forwards by variables, one shape for every page but the first', async () => {
    const seen: number[][] = [];
    let after: string | null = null;
    for (;;) {
      const current: Page = await page({ first: 2, after, o: orderBy });
      seen.push(ids(current));
      expect(current.pageInfo.hasPreviousPage).toBe(after !== null);
      if (!current.pageInfo.hasNextPage) break;
      after = current.pageInfo.endCursor;
    }
    expect(seen).toEqual([[4, 2], [5, 1], [3]]);
  });

  test('page backwards, each page in forward order', async () => {
    const last = await page({ last: 2, o: orderBy });
    expect([ids(last), last.pageInfo.hasPreviousPage, last.pageInfo.hasNextPage]).toEqual([[1, 3], true, false]);
    const before = await page({ last: 2, before: last.pageInfo.startCursor, o: orderBy });
    expect([ids(before), before.pageInfo.hasPreviousPage]).toEqual([[2, 5], true]);
  });

  test('first and last together give the last of the first', async () => {
    expect(ids(await page({ first: 3, last: 1, o: orderBy }))).toEqual([5]);
    expect(ids(await page({ first: null, last: null, o: orderBy }))).toEqual([4, 2, 5, 1, 3]);
  });

  test('a cursor of another order is refused with what to do', async () => {
    const { pageInfo } = await page({ first: 1, o: orderBy });
    const { body } = await server.ask(query, { first: 1, after: pageInfo.endCursor, o: [{ id: 'ASC' }] });
    expect(body).toMatchObject({ data: null, errors: [{ path: ['page'], extensions: { code: 'TW005' } }] });
  });

  test('edges, aliases, filters and relations; totalCount is counted when it is asked for', async () => {
    const answer = await data(`{ kanbanIssuesConnection(first: 1, where: {project_id: {eq: 2}}, orderBy: {id: ASC}) {
      total: totalCount
      __typename
      e: edges { __typename c: cursor node { id kanbanAssigneeId { name } __typename } }
    } }`);
    expect(answer).toEqual({
      kanbanIssuesConnection: {
        total: 2,
        __typename: 'KanbanIssuesConnection',
        e: [
          {
            __typename: 'KanbanIssuesEdge',
            c: expect.stringMatching(/^[\w-]+$/),
            node: { id: 4, kanbanAssigneeId: { name: 'Ada' }, __typename: 'KanbanIssues' },
          },
        ],
      },
    });
    const reads = (): number => server.rounds[0]?.[0]?.text.match(/from "kanban"\."issues"/g)?.length ?? 0;
    expect(reads()).toBe(2);
    await page({ first: 1 });
    expect(reads()).toBe(1);
  });
});

describe('aggregates', () => {
  test('of a table, filtered', async () => {
    expect(
      await data(`{ a: kanbanIssuesAggregate(where: {project_id: {eq: 1}}) {
        count n: count countDistinct { points } sum { points estimate views } avg { points } min { title status } max { created_at }
        stddev { points } variance { points } __typename
      } }`),
    ).toEqual({
      a: {
        count: 3,
        n: 3,
        countDistinct: { points: 2 },
        sum: { points: 8, estimate: 3.75, views: 9007199254741000 },
        avg: { points: 4 },
        min: { title: 'Broken search results', status: 'todo' },
        max: { created_at: '2024-01-03T10:00:00+00:00' },
        stddev: { points: 1.414213562373095 },
        variance: { points: 2 },
        __typename: 'KanbanIssuesAggregate',
      },
    });
  });

  test('in groups, with having', async () => {
    const query = `query($least: Int!) { kanbanIssuesAggregate(groupBy: [status], having: {count: {gte: $least}, or: [{sum: {points: {gt: 10}}}, {max: {title: {like: "l%"}}}]}) {
      count groups { key { status __typename } count sum { points } __typename } } }`;
    expect(await data(query, { least: 2 })).toEqual({
      kanbanIssuesAggregate: {
        count: 5,
        groups: [
          {
            key: { status: 'todo', __typename: 'KanbanIssuesAggregateKey' },
            count: 2,
            sum: { points: 11 },
            __typename: 'KanbanIssuesAggregateGroup',
          },
          {
            key: { status: 'done', __typename: 'KanbanIssuesAggregateKey' },
            count: 2,
            sum: { points: 5 },
            __typename: 'KanbanIssuesAggregateGroup',
          },
        ],
      },
    });
  });

  test('of related rows, with their own filter', async () => {
    expect(
      await data(`{ kanbanProjects(orderBy: {id: ASC}) { name
        all: kanbanIssuesAggregate { count }
        big: kanbanIssuesAggregate(where: {points: {gte: 5}}) { count max { points } }
      } }`),
    ).toEqual({
      kanbanProjects: [
        { name: 'Web', all: { count: 3 }, big: { count: 1, max: { points: 5 } } },
        { name: 'App', all: { count: 2 }, big: { count: 2, max: { points: 8 } } },
        { name: 'Empty', all: { count: 0 }, big: { count: 0, max: { points: null } } },
      ],
    });
  });

  test.each([
    ['null in having', 'having: {count: {gt: null}}', 'TW004'],
    ['a null having entry', 'having: {sum: null}', 'TW004'],
    ['a count of nothing in having', 'having: {count: {}}', 'TW005'],
    ['an empty having entry', 'having: {sum: {}}', 'TW005'],
    ['a column of nothing in having', 'having: {sum: {points: {}}}', 'TW005'],
    ['an empty alternative in having', 'having: {or: [{count: {gt: 1}}, {}]}', 'TW005'],
    ['not nothing in having', 'having: {not: {}}', 'TW005'],
  ])('%s is refused', async (_what, argument, code) => {
    const { body } = await server.ask(`{ kanbanIssuesAggregate(groupBy: [status], ${argument}) { groups { count } } }`);
    expect(body.errors?.[0]?.extensions.code).toBe(code);
  });
});

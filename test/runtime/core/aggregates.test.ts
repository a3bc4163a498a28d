import type { AggregateIntent, AggregateSelection } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { columns, compare, json, read, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { boardRegistry, boardSql, tableOf } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let board: Runner;

beforeAll(async () => {
  database = await createFilledDatabase('core_aggregates', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  board = runner(driver);
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

const issues = (select: readonly AggregateSelection[], rest: Partial<AggregateIntent> = {}): AggregateIntent => ({
  table: tableOf(boardRegistry, 'kanbanIssues'),
  select,
  form: graphqlForm,
  ...rest,
});

const aggregate = async (intent: AggregateIntent, runs = board) => {
  const { a } = (await runs.document([{ kind: 'aggregate', as: 'a', aggregate: intent }])) as { a: unknown };
  return a;
};

const call = (
  name: Extract<AggregateSelection, { kind: 'function' }>['function'],
  ...of: string[]
): AggregateSelection => ({
  kind: 'function',
  as: name,
  function: name,
  columns: of.map((column) => ({ as: column, column })),
});

test('counts, sums and the rest, over the rows of a filter', async () => {
  const select: AggregateSelection[] = [
    { kind: 'typename', as: '__typename', type: 'KanbanIssuesAggregate' },
    { kind: 'count', as: 'n' },
    call('countDistinct', 'project_id', 'points'),
    {
      kind: 'function',
      as: 'sum',
      function: 'sum',
      columns: [
        { as: 'points', column: 'points' },
        { as: 'estimate', column: 'estimate' },
        { as: '__typename', type: 'Sums' },
      ],
    },
    call('avg', 'points'),
    call('min', 'created_at', 'title', 'status', 'views'),
    call('max', 'status', 'views'),
    call('stddev', 'points'),
    call('variance', 'points'),
  ];
  expect(await aggregate(issues(select))).toEqual({
    __typename: 'KanbanIssuesAggregate',
    n: 5,
    countDistinct: { project_id: 2, points: 3 },
    sum: { points: 21, estimate: 13.85, __typename: 'Sums' },
    avg: { points: 5.25 },
    min: {
      created_at: '2024-01-01T10:00:00.123456+00:00',
      title: expect.any(String) as string,
      status: 'todo',
      views: '0',
    },
    max: { status: 'done', views: '9007199254740993' },
    stddev: { points: expect.closeTo(2.0616, 3) as number },
    variance: { points: 4.25 },
  });
  expect(
    await aggregate(
      issues([{ kind: 'count', as: 'count' }, call('sum', 'points')], { where: compare('id', 'eq', json(99)) }),
    ),
  ).toEqual({
    count: 0,
    sum: { points: null },
  });
});

describe('groups', () => {
  const groups = (...select: AggregateSelection[]): AggregateSelection => ({ kind: 'groups', as: 'groups', select });
  const key: AggregateSelection = {
    kind: 'key',
    as: 'key',
    columns: [
      { as: 's', column: 'status' },
      { as: '__typename', type: 'Key' },
    ],
  };

  test('one for each combination, in the order of the keys, beside the whole', async () => {
    const intent = issues(
      [{ kind: 'count', as: 'count' }, groups(key, { kind: 'count', as: 'count' }, call('sum', 'points'))],
      { groupBy: ['status'] },
    );
    expect(await aggregate(intent)).toEqual({
      count: 5,
      groups: [
        { key: { s: 'todo', __typename: 'Key' }, count: 2, sum: { points: 11 } },
        { key: { s: 'in_progress', __typename: 'Key' }, count: 1, sum: { points: 5 } },
        { key: { s: 'done', __typename: 'Key' }, count: 2, sum: { points: 5 } },
      ],
    });
  });

  test('having, on counts and on other aggregates', async () => {
    const intent = issues([groups(key)], {
      groupBy: ['status'],
      having: {
        kind: 'and',
        conditions: [
          { kind: 'compare', function: 'count', operator: 'gte', values: [json(2)] },
          {
            kind: 'not',
            condition: { kind: 'compare', function: 'sum', column: 'points', operator: 'gt', values: [json(10)] },
          },
        ],
      },
    });
    expect(await aggregate(intent)).toEqual({ groups: [{ key: { s: 'done', __typename: 'Key' } }] });
  });

  test('are clamped as every list is', async () => {
    const small = runner(driver, undefined, settingsWith({ 'app.max-rows': 2 }));
    const intent = issues([groups({ kind: 'count', as: 'n' })], { groupBy: ['status'] });
    expect(await aggregate(intent, small)).toEqual({ groups: [{ n: 2 }, { n: 1 }] });
  });

  test('without groupBy, one of all rows', async () => {
    expect(await aggregate(issues([groups({ kind: 'count', as: 'n' })]))).toEqual({ groups: [{ n: 5 }] });
  });

  test('a key that is not grouped by is refused', async () => {
    await expect(aggregate(issues([groups(key)], { groupBy: ['project_id'] }))).rejects.toMatchObject({ status: 400 });
  });
});

test('of the related rows, through a junction too', async () => {
  const related = (relation: string, table: string, select: readonly AggregateSelection[]) =>
    ({
      kind: 'aggregate',
      as: relation,
      relation,
      aggregate: {
        table: tableOf(boardRegistry, table),
        select,
        groupBy: table === 'kanbanIssues' ? ['project_id'] : [],
        form: graphqlForm,
      },
    }) as const;
  const rows = await board.list(
    read(
      'kanbanProjects',
      [
        ...columns('id'),
        related('kanbanIssues', 'kanbanIssues', [
          { kind: 'count', as: 'count' },
          call('max', 'points'),
          {
            kind: 'groups',
            as: 'groups',
            select: [
              { kind: 'count', as: 'n' },
              { kind: 'key', as: 'key', columns: [{ as: 'project_id', column: 'project_id' }] },
            ],
          },
        ]),
      ],
      { orderBy: [{ by: { kind: 'column', column: 'id' }, direction: 'asc' }] },
    ),
  );
  expect(rows).toEqual([
    { id: 1, kanbanIssues: { count: 3, max: { points: 5 }, groups: [{ n: 3, key: { project_id: 1 } }] } },
    { id: 2, kanbanIssues: { count: 2, max: { points: 8 }, groups: [{ n: 2, key: { project_id: 2 } }] } },
    { id: 3, kanbanIssues: { count: 0, max: { points: null }, groups: [] } },
  ]);
  const labels = await board.list(
    read('kanbanIssues', [related('kanbanLabelsViaIssueLabels', 'kanbanLabels', [{ kind: 'count', as: 'n' }])], {
      where: compare('id', 'eq', json(4)),
    }),
  );
  expect(labels).toEqual([{ kanbanLabelsViaIssueLabels: { n: 2 } }]);
});

test('what has no such aggregate is refused', async () => {
  await expect(aggregate(issues([call('sum', 'title')]))).rejects.toMatchObject({ status: 400 });
  await expect(aggregate(issues([call('min', 'metadata')]))).rejects.toMatchObject({ status: 400 });
});

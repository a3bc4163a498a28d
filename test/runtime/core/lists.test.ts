import type { Filter, Order, ReadIntent, Selection } from '../../../runtime/src/plan/intent.js';
import { restForm } from '../../../runtime/src/plan/intent-form.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { columns, compare, json, raw, read, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { boardSql } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let board: Runner;

beforeAll(async () => {
  database = await createFilledDatabase('core_lists', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  board = runner(driver);
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

const by = (column: string, direction: Order['direction'] = 'asc', nulls?: Order['nulls']): Order => ({
  by: { kind: 'column', column },
  direction,
  ...(nulls === undefined ? {} : { nulls }),
});

async function ids(rest: Partial<ReadIntent>, inputs?: unknown): Promise<readonly unknown[]> {
  return (await board.list(read('kanbanIssues', columns('id'), rest), inputs)).map(({ id }) => id);
}

describe('order', () => {
  test.each<[string, Order[], number[]]>([
    ['ascending, nulls last, ties by key', [by('points')], [1, 2, 5, 4, 3]],
    ['descending, nulls first', [by('points', 'desc')], [3, 4, 2, 5, 1]],
    ['nulls where asked', [by('points', 'asc', 'first')], [3, 1, 2, 5, 4]],
    ['nulls where asked, descending', [by('points', 'desc', 'last')], [4, 2, 5, 1, 3]],
    ['several', [by('project_id', 'desc'), by('id', 'desc')], [5, 4, 3, 2, 1]],
    ['an enum in its own order', [by('status'), by('id')], [1, 4, 2, 3, 5]],
    [
      'through a to-one relation',
      [
        {
          by: { kind: 'relation', relation: 'kanbanAssigneeId', by: { kind: 'column', column: 'name' } },
          direction: 'desc',
          nulls: 'last',
        },
      ],
      [5, 2, 1, 4, 3],
    ],
    [
      'by the number of related rows',
      [{ by: { kind: 'count', relation: 'kanbanLabelsViaIssueLabels' }, direction: 'desc' }],
      [4, 1, 2, 3, 5],
    ],
    ['by a computed field', [{ by: { kind: 'computed', name: 'shout' }, direction: 'asc' }], [3, 2, 1, 5, 4]],
    [
      'by a JSON path',
      [{ by: { kind: 'column', column: 'metadata', path: [{ arrow: '->>', key: 'browser' }] }, direction: 'asc' }],
      [2, 1, 3, 4, 5],
    ],
  ])('%s', async (_, orderBy, expected) => {
    expect(await ids({ orderBy })).toEqual(expected);
  });

  test('through a to-many relation is refused', async () => {
    const orderBy: Order[] = [
      {
        by: { kind: 'relation', relation: 'kanbanLabelsViaIssueLabels', by: { kind: 'column', column: 'name' } },
        direction: 'asc',
      },
    ];
    await expect(ids({ orderBy })).rejects.toMatchObject({ status: 400 });
  });
});

describe('limit and offset', () => {
  const three = runnerWith(3);
  function runnerWith(maximum: number): () => Runner {
    return () => runner(driver, undefined, settingsWith({ 'app.max-rows': maximum }));
  }

  test('every list is cut at app.max-rows, nested ones too, whatever is asked', async () => {
    const intent = read('kanbanProjects', [
      ...columns('id'),
      {
        kind: 'relation',
        as: 'issues',
        relation: 'kanbanIssues',
        read: read('kanbanIssues', columns('id'), { limit: json(100), orderBy: [by('id')] }),
      },
    ]);
    expect(await runnerWith(1)().list(intent)).toEqual([{ id: 1, issues: [{ id: 1 }] }]);
    expect(
      await three().list(read('kanbanIssues', columns('id'), { limit: json(100), orderBy: [by('id')] })),
    ).toHaveLength(3);
    expect(await three().list(read('kanbanIssues', columns('id'), { limit: raw('2') }))).toHaveLength(2);
    expect(await three().list(read('kanbanIssues', columns('id')))).toHaveLength(3);
    expect(await three().list(read('kanbanIssues', columns('id'), { limit: json(null) }))).toHaveLength(3);
  });

  test('limit 0 is no rows; an offset has no ceiling', async () => {
    expect(await ids({ limit: json(0) })).toEqual([]);
    expect(await ids({ offset: raw('9223372036854775807'), orderBy: [by('id')] })).toEqual([]);
    expect(await ids({ offset: json(3), orderBy: [by('id')] })).toEqual([4, 5]);
  });

  test.each([[-1], ['-1'], [1.5], ['1.5'], ['abc'], [''], ['9223372036854775808'], [true], [[1]]])(
    '%p is no count of rows',
    async (value) => {
      await expect(ids({ limit: json(value) })).rejects.toMatchObject({ status: 400 });
      await expect(ids({ offset: json(value) })).rejects.toMatchObject({ status: 400 });
    },
  );

  test('the same statement runs with other inputs', async () => {
    const limit = { read: (inputs: unknown) => (inputs as { n: number }).n, form: 'json' } as const;
    expect(await ids({ limit, orderBy: [by('id')] }, { n: 2 })).toEqual([1, 2]);
    expect(await ids({ limit, orderBy: [by('id')] }, { n: 4 })).toEqual([1, 2, 3, 4]);
  });
});

describe('distinctOn', () => {
  test('the first row of each by the order, then in that order', async () => {
    expect(await ids({ distinctOn: ['project_id'], orderBy: [by('created_at', 'desc'), by('id', 'desc')] })).toEqual([
      5, 3,
    ]);
    expect(await ids({ distinctOn: ['project_id'], orderBy: [by('points')] })).toEqual([1, 5]);
  });
  test('without an order, by the key; with computed fields, where, limit', async () => {
    const rows = await board.list(
      read('kanbanIssues', [...columns('id'), { kind: 'computed', as: 'shout', name: 'shout' }], {
        distinctOn: ['status'],
        where: compare('id', 'gt', json(1)),
        limit: json(2),
      }),
    );
    expect(rows).toEqual([
      { id: 2, shout: 'DARK MODE' },
      { id: 3, shout: 'BROKEN SEARCH RESULTS' },
    ]);
  });
});

describe('relation filters', () => {
  const relation = (name: string, quantifier: 'one' | 'some' | 'every' | 'none', filter: Filter): Filter => ({
    kind: 'relation',
    relation: name,
    quantifier,
    filter,
  });
  const projects = async (where: Filter) =>
    (await board.list(read('kanbanProjects', columns('id'), { where, orderBy: [by('id')] }))).map(({ id }) => id);
  const scored = compare('points', 'gte', json(4));

  test('some, every, none; null is not true', async () => {
    expect(await projects(relation('kanbanIssues', 'some', scored))).toEqual([1, 2]);
    expect(await projects(relation('kanbanIssues', 'every', scored))).toEqual([2, 3]);
    expect(await projects(relation('kanbanIssues', 'none', scored))).toEqual([3]);
  });
  test('one, nested, and through a junction', async () => {
    expect(
      await ids({
        where: relation(
          'kanbanProjectId',
          'one',
          relation('kanbanOwnerId', 'one', compare('name', 'eq', json('Grace'))),
        ),
        orderBy: [by('id')],
      }),
    ).toEqual([4, 5]);
    expect(
      await ids({
        where: relation('kanbanLabelsViaIssueLabels', 'some', compare('name', 'eq', json('later'))),
        orderBy: [by('id')],
      }),
    ).toEqual([2, 4]);
    expect(
      await ids({ where: relation('kanbanBriefs', 'one', { kind: 'and', filters: [] }), orderBy: [by('id')] }),
    ).toEqual([1, 4]);
  });
  test('an unknown relation is refused with what was meant', async () => {
    await expect(ids({ where: relation('kanbanBrief', 'one', scored) })).rejects.toMatchObject({
      status: 400,
      code: 'TW002',
      hint: 'Did you mean "kanbanBriefs"?',
    });
  });
});

describe('selections', () => {
  const rest = async (select: Selection[], more: Partial<ReadIntent> = {}) => {
    const [row] = await board.run({
      kind: 'rows',
      read: read('kanbanIssues', select, { form: restForm, orderBy: [by('id')], ...more }),
      count: 'none',
      format: 'json',
    });
    return JSON.parse(row?.[0] ?? '') as Record<string, unknown>[];
  };

  test('aliases, casts and JSON paths', async () => {
    const [first] = await rest([
      { kind: 'column', as: 'name', column: 'title' },
      { kind: 'column', as: 'id', column: 'id', cast: 'text' },
      { kind: 'column', as: 'browser', column: 'metadata', path: [{ arrow: '->>', key: 'browser' }] },
      {
        kind: 'column',
        as: 'tag',
        column: 'metadata',
        path: [
          { arrow: '->', key: 'tags' },
          { arrow: '->', key: 1 },
        ],
      },
      {
        kind: 'column',
        as: 'last',
        column: 'metadata',
        path: [
          { arrow: '->', key: 'tags' },
          { arrow: '->>', key: -1 },
        ],
      },
      { kind: 'column', as: 'day', column: 'created_at', cast: 'DATE' },
    ]);
    expect(first).toEqual({
      name: 'Login fails with 100% CPU',
      id: '1',
      browser: 'firefox',
      tag: 'b',
      last: 'b',
      day: '2024-01-01',
    });
  });

  test('casts to types that are not on the list are refused', async () => {
    await expect(rest([{ kind: 'column', as: 'id', column: 'id', cast: 'regclass' }])).rejects.toMatchObject({
      status: 400,
      code: 'TW005',
    });
    await expect(
      rest([{ kind: 'column', as: 'id', column: 'id', cast: 'int); drop table x; --' }]),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('!inner leaves out rows without the relation, at any depth', async () => {
    const inner = (where: Filter): Selection[] => [
      ...columns('id'),
      {
        kind: 'relation',
        as: 'assignee',
        relation: 'kanbanAssigneeId',
        inner: true,
        read: read('kanbanUsers', columns('name'), { form: restForm, where }),
      },
    ];
    expect(await rest(inner(compare('name', 'eq', raw('Ada'))))).toEqual([
      { id: 1, assignee: { name: 'Ada' } },
      { id: 4, assignee: { name: 'Ada' } },
    ]);
    const deep: Selection[] = [
      ...columns('id'),
      {
        kind: 'relation',
        as: 'p',
        relation: 'kanbanProjectId',
        inner: true,
        read: read(
          'kanbanProjects',
          [
            {
              kind: 'relation',
              as: 'o',
              relation: 'kanbanOwnerId',
              inner: true,
              read: read('kanbanUsers', columns('name'), {
                form: restForm,
                where: compare('name', 'eq', raw('Grace')),
              }),
            },
          ],
          { form: restForm },
        ),
      },
    ];
    expect((await rest(deep)).map(({ id }) => id)).toEqual([4, 5]);
  });

  test('keys longer than 63 bytes, the same in their first 63, empty, or with quotes come out as they are', async () => {
    const long = 'k'.repeat(70);
    const select = [`${long}a`, `${long}b`, '', 'a"b', 't', 'r0'].map((as): Selection => ({
      kind: 'column',
      as,
      column: 'id',
    }));
    const [first] = await rest(select, { limit: raw('1') });
    expect(first).toEqual({ [`${long}a`]: 1, [`${long}b`]: 1, '': 1, 'a"b': 1, t: 1, r0: 1 });
    const nested: Selection[] = [
      {
        kind: 'relation',
        as: long,
        relation: 'kanbanProjectId',
        read: read('kanbanProjects', [{ kind: 'column', as: `${long}ü`, column: 'name' }], { form: restForm }),
      },
    ];
    expect((await rest(nested, { limit: raw('1') }))[0]).toEqual({ [long]: { [`${long}ü`]: 'Web' } });
  });

  test('more columns than a target list has', async () => {
    const select = Array.from({ length: 2000 }, (_, i): Selection => ({ kind: 'column', as: `c${i}`, column: 'id' }));
    const [first] = await rest(select, { limit: raw('1') });
    expect(Object.keys(first ?? {})).toEqual(select.map(({ as }) => as));
  });

  test('no columns at all', async () => {
    expect(await rest([], { limit: raw('2') })).toEqual([{}, {}]);
  });

  test('a zero byte in an alias is refused', async () => {
    await expect(rest([{ kind: 'column', as: 'a\0b', column: 'id' }])).rejects.toMatchObject({ status: 400 });
  });
});

describe('counts', () => {
  const counted = async (count: 'exact' | 'planned' | 'estimated', maximum: number, where?: Filter) => {
    const small = runner(driver, undefined, settingsWith({ 'app.max-rows': maximum }));
    const [row] = await small.run({
      kind: 'rows',
      read: read('kanbanIssues', columns('id'), {
        form: restForm,
        limit: raw('2'),
        ...(where === undefined ? {} : { where }),
      }),
      count,
      format: 'json',
    });
    return row?.slice(1);
  };
  test('exact counts every row that matches, beyond the page', async () => {
    expect(await counted('exact', 30)).toEqual(['2', '5']);
    expect(await counted('exact', 30, compare('points', 'eq', raw('5')))).toEqual(['2', '2']);
    expect(await counted('exact', 30, compare('points', 'eq', raw('77')))).toEqual(['0', '0']);
  });
  test('planned is what the planner thinks', async () => {
    expect(await counted('planned', 30)).toEqual(['2', '5']);
    expect(await counted('planned', 30, compare('id', 'eq', raw('1')))).toEqual(['1', '1']);
  });
  test('estimated is exact up to app.max-rows, and at least what was counted beyond', async () => {
    expect(await counted('estimated', 30)).toEqual(['2', '5']);
    expect(Number((await counted('estimated', 3))?.[1])).toBeGreaterThanOrEqual(4);
  });
});

test('CSV: a header, arrays as literals of PostgreSQL, other values as the JSON has them, quoted where they have to be', async () => {
  const select: Selection[] = [
    ...columns('id', 'title', 'points', 'labels', 'urgent'),
    { kind: 'column', as: 'a,b', column: 'status' },
  ];
  const csv = async (where: Filter) =>
    (
      await board.run({
        kind: 'rows',
        read: read('kanbanIssues', select, { form: restForm, where, orderBy: [by('id')] }),
        count: 'exact',
        format: 'csv',
      })
    )[0];
  expect(await csv(compare('id', 'in', raw(['2', '3'])))).toEqual([
    'id,title,points,labels,urgent,"a,b"\n2,Dark mode,5,{ui},false,in progress\n3,Broken search results,,{},,done',
    '2',
    '2',
  ]);
  expect(await csv(compare('id', 'eq', raw('99')))).toEqual(['id,title,points,labels,urgent,"a,b"', '0', '0']);
});

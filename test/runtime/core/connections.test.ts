import fc from 'fast-check';
import pg from 'pg';
import type { ConnectionIntent, ConnectionSelection, Order, Value } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { compare, json, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { boardRegistry, boardSql, tableOf } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let board: Runner;
let client: pg.Client;

beforeAll(async () => {
  database = await createFilledDatabase('core_connections', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  board = runner(driver);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await driver.close();
  await database.drop();
});

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: number } }[];
  readonly nodes: readonly { readonly id: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

const nodeOf = (column: string) => [{ kind: 'column', as: 'id', column }] as const;

const selectOf = (column: string): ConnectionSelection[] => [
  {
    kind: 'edges',
    as: 'edges',
    select: [
      { kind: 'cursor', as: 'cursor' },
      { kind: 'node', as: 'node', select: nodeOf(column) },
    ],
  },
  { kind: 'nodes', as: 'nodes', select: nodeOf(column) },
  {
    kind: 'pageInfo',
    as: 'pageInfo',
    select: [
      { kind: 'hasNextPage', as: 'hasNextPage' },
      { kind: 'hasPreviousPage', as: 'hasPreviousPage' },
      { kind: 'startCursor', as: 'startCursor' },
      { kind: 'endCursor', as: 'endCursor' },
    ],
  },
  { kind: 'totalCount', as: 'totalCount' },
];

type Arguments = Partial<Record<'first' | 'last' | 'after' | 'before', unknown>>;

async function page(
  given: Arguments,
  rest: Partial<ConnectionIntent> = {},
  table = 'kanbanIssues',
  key = 'id',
): Promise<Page> {
  const values = Object.fromEntries(Object.entries(given).map(([name, value]): [string, Value] => [name, json(value)]));
  const connection: ConnectionIntent = {
    table: tableOf(boardRegistry, table),
    select: selectOf(key),
    form: graphqlForm,
    ...values,
    ...rest,
  };
  const answer = (await board.document([{ kind: 'connection', as: 'c', connection }])) as { c: Page };
  return answer.c;
}

const ids = ({ nodes }: Page): readonly number[] => nodes.map(({ id }) => id);
const flags = ({ pageInfo }: Page) => [pageInfo.hasPreviousPage, pageInfo.hasNextPage];
const by = (column: string, direction: Order['direction'] = 'asc', nulls?: Order['nulls']): Order => ({
  by: { kind: 'column', column },
  direction,
  ...(nulls === undefined ? {} : { nulls }),
});

describe('a keyed table', () => {
  test('pages forwards and backwards, in forward order', async () => {
    const one = await page({ first: 2 });
    expect([ids(one), flags(one), one.totalCount]).toEqual([[1, 2], [false, true], 5]);
    expect(one.edges.map(({ node }) => node.id)).toEqual([1, 2]);
    expect(one.pageInfo.startCursor).toBe(one.edges[0]?.cursor);
    expect(one.pageInfo.endCursor).toBe(one.edges[1]?.cursor);
    const two = await page({ first: 2, after: one.pageInfo.endCursor });
    expect([ids(two), flags(two)]).toEqual([
      [3, 4],
      [true, true],
    ]);
    const three = await page({ first: 2, after: two.pageInfo.endCursor });
    expect([ids(three), flags(three)]).toEqual([[5], [true, false]]);

    const end = await page({ last: 2 });
    expect([ids(end), flags(end)]).toEqual([
      [4, 5],
      [true, false],
    ]);
    expect(end.pageInfo.startCursor).toBe(end.edges[0]?.cursor);
    const before = await page({ last: 2, before: end.pageInfo.startCursor });
    expect([ids(before), flags(before)]).toEqual([
      [2, 3],
      [true, true],
    ]);
    const start = await page({ last: 2, before: before.pageInfo.startCursor });
    expect([ids(start), flags(start)]).toEqual([[1], [false, true]]);
  });

  test('first and last, after and before together', async () => {
    const all = await page({});
    const [a, , , d] = all.edges.map(({ cursor }) => cursor);
    expect(ids(await page({ first: 3, last: 2 }))).toEqual([2, 3]);
    expect(flags(await page({ first: 3, last: 2 }))).toEqual([true, true]);
    expect(ids(await page({ after: a, before: d }))).toEqual([2, 3]);
    expect(ids(await page({ first: 1, after: a, before: d }))).toEqual([2]);
    expect(ids(await page({ last: 1, after: a, before: d }))).toEqual([3]);
  });

  test('no rows: empty lists, no cursors; first 0 still knows whether there are rows', async () => {
    const none = await page({}, { where: compare('id', 'eq', json(99)) });
    expect(none).toEqual({
      edges: [],
      nodes: [],
      totalCount: 0,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    expect(flags(await page({ first: 0 }))).toEqual([false, true]);
  });

  test('is clamped, and only what is selected is counted', async () => {
    const small = runner(driver, undefined, settingsWith({ 'app.max-rows': 2 }));
    const connection: ConnectionIntent = {
      table: tableOf(boardRegistry, 'kanbanIssues'),
      select: selectOf('id'),
      first: json(100),
      form: graphqlForm,
    };
    const { c } = (await small.document([{ kind: 'connection', as: 'c', connection }])) as { c: Page };
    expect([ids(c), flags(c), c.totalCount]).toEqual([[1, 2], [false, true], 5]);
    expect(
      await board.document([
        { kind: 'connection', as: 'c', connection: { ...connection, select: [{ kind: 'totalCount', as: 'n' }] } },
      ]),
    ).toEqual({ c: { n: 5 } });
  });

  test.each([
    '',
    'x',
    'bm90IGpzb24',
    Buffer.from('["a"]').toString('base64url'),
    Buffer.from('{}').toString('base64url'),
    5,
  ])('%p is no cursor', async (after) => {
    await expect(page({ first: 1, after })).rejects.toMatchObject({ status: 400, code: 'TW005' });
  });

  test('a cursor of another order or another table is refused', async () => {
    const { pageInfo } = await page({ first: 1 }, { orderBy: [by('points')] });
    await expect(
      page({ first: 1, after: pageInfo.endCursor }, { orderBy: [by('points', 'desc')] }),
    ).rejects.toMatchObject({ message: expect.stringContaining('another order') as string });
    await expect(page({ first: 1, after: pageInfo.endCursor })).rejects.toMatchObject({ status: 400 });
    await expect(
      page({ first: 1, after: (await page({ first: 1 })).pageInfo.endCursor }, {}, 'kanbanUsers'),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('a negative first is refused', async () => {
    await expect(page({ first: -1 })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a table without a key', () => {
  const orderBy = [by('at')];
  const lines = async (given: Arguments) => {
    const answer = await page(given, { orderBy }, 'kanbanLog', 'line');
    return {
      lines: ids(answer) as unknown as readonly string[],
      flags: flags(answer),
      ...answer.pageInfo,
      total: answer.totalCount,
    };
  };

  test('pages by position, both ways', async () => {
    const one = await lines({ first: 3 });
    expect([one.lines, one.flags, one.total]).toEqual([['line 1', 'line 2', 'line 3'], [false, true], 7]);
    const two = await lines({ first: 3, after: one.endCursor });
    expect([two.lines, two.flags]).toEqual([
      ['line 4', 'line 5', 'line 6'],
      [true, true],
    ]);
    const three = await lines({ first: 3, after: two.endCursor });
    expect([three.lines, three.flags]).toEqual([['line 7'], [true, false]]);
    const end = await lines({ last: 2 });
    expect([end.lines, end.flags]).toEqual([
      ['line 6', 'line 7'],
      [true, false],
    ]);
    const before = await lines({ last: 2, before: end.startCursor });
    expect([before.lines, before.flags]).toEqual([
      ['line 4', 'line 5'],
      [true, true],
    ]);
    expect((await lines({ first: 5, last: 2 })).lines).toEqual(['line 4', 'line 5']);
    expect((await lines({ after: one.startCursor, before: end.startCursor })).lines).toEqual([
      'line 2',
      'line 3',
      'line 4',
      'line 5',
    ]);
    expect((await lines({ first: 3, after: end.endCursor })).lines).toEqual([]);
  });
});

describe('any order over any data', () => {
  const direction = fc.constantFrom<Order['direction']>('asc', 'desc');
  const nulls = fc.constantFrom<Order['nulls']>('first', 'last', undefined);
  const key = fc.constantFrom('points', 'estimate', 'urgent', 'title', 'status', 'created_at', 'project_id', 'views');
  const orders = fc.array(
    fc.tuple(key, direction, nulls).map(([column, way, where]) => by(column, way, where)),
    { maxLength: 3 },
  );
  const row = fc.record({
    points: fc.option(fc.integer({ min: 0, max: 2 })),
    estimate: fc.option(fc.constantFrom('0.10', '1.00', '2.50')),
    urgent: fc.option(fc.boolean()),
    title: fc.constantFrom('a', 'B', 'ä', ''),
    status: fc.constantFrom('todo', 'in progress', 'done'),
    created: fc.constantFrom('2024-01-01 00:00:00.000001+00', '2024-01-01 00:00:00.000002+00'),
  });

  test('each row comes once, in the order of the list, forwards and backwards, also while rows are added behind', async () => {
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      orders,
      fc.integer({ min: 1, max: 5 }),
      async (rows, orderBy, size) => {
        await client.query('TRUNCATE kanban.issues CASCADE');
        const insert =
          'INSERT INTO kanban.issues (id, project_id, points, estimate, urgent, title, status, created_at) VALUES ($1, 1, $2, $3, $4, $5, $6, $7)';
        for (const [id, each] of rows.entries()) {
          await client.query(insert, [
            id,
            each.points,
            each.estimate,
            each.urgent,
            each.title,
            each.status,
            each.created,
          ]);
        }
        const expected = (
          await board.list({
            table: tableOf(boardRegistry, 'kanbanIssues'),
            select: nodeOf('id'),
            orderBy: orderBy.length === 0 ? [by('id')] : orderBy,
            form: graphqlForm,
          })
        ).map(({ id }) => id);

        const forwards: number[] = [];
        for (let after: string | null | undefined, more = true; more;) {
          const next: Page = await page({ first: size, ...(after === undefined ? {} : { after }) }, { orderBy });
          forwards.push(...ids(next));
          expect(next.pageInfo.hasPreviousPage).toBe(after !== undefined);
          more = next.pageInfo.hasNextPage;
          after = next.pageInfo.endCursor;
        }
        expect(forwards).toEqual(expected);

        const backwards: number[] = [];
        for (let before: string | null | undefined, more = true; more;) {
          const next: Page = await page({ last: size, ...(before === undefined ? {} : { before }) }, { orderBy });
          backwards.unshift(...ids(next));
          expect(next.pageInfo.hasNextPage).toBe(before !== undefined);
          more = next.pageInfo.hasPreviousPage;
          before = next.pageInfo.startCursor;
          // Inserts a row at the very end, which must not move the pages before it.
          await client.query(insert, [1000 + backwards.length, null, null, null, 'new', 'todo', '2030-01-01']);
        }
        expect(backwards.filter((id) => id < 1000)).toEqual(expected);
        expect(new Set(backwards).size).toBe(backwards.length);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});

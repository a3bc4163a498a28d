import fc from 'fast-check';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

/** Ties, nulls, completely equal rows, and types whose sort form differs from their text form. */
const sql = `
create schema app;
create table app.events (place text, points int, note jsonb, seen xml);
insert into app.events
  select case when n % 4 = 0 then null else 'p' || n % 3 end, nullif(n % 5, 0), json_build_object('n', n)::jsonb,
    case when n % 2 = 0 then xml '<x/>' end
  from generate_series(1, 23) as n;
insert into app.events select 'twin', 1, '{}', null from generate_series(1, 3);
create view app.shown as select place, points, note, row_number() over (order by points, note) as position from app.events;
create materialized view app.kept as select * from app.shown;
create table app.keyed (id int primary key, place text, points int);
insert into app.keyed select row_number() over (), place, points from app.events;
`;

/** A column that changes its type between two pages. */
const migrated = `
create table app.changed (id int primary key, place text, points int, seen date);
insert into app.changed select n, 'p' || n, n * 10, date '2024-01-01' + n from generate_series(1, 9) as n;
`;

interface Node {
  readonly place: string | null;
  readonly points: number | null;
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly nodes: readonly Node[];
  readonly pageInfo: {
    readonly startCursor: string | null;
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
  readonly totalCount: number;
}

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createTestDatabase('cursors');
  await loadSql(database.url, sql + migrated);
  const app = await describeDatabase(database.url);
  const settings = { 'app.datasource.url': database.url, 'app.max-rows': 100 };
  driver = createDriver(settingsWith(settings));
  server = await startGraphqlServer({ registry: app.registry, schema: schemaOf(app), driver, settings });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
});

interface Asked {
  readonly orderBy: readonly Readonly<Record<string, string>>[];
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
  readonly before?: string;
}

async function page(table: string, { orderBy, ...paging }: Asked): Promise<Page> {
  const order = orderBy.map(
    (each) =>
      `{ ${Object.entries(each)
        .map(([name, way]) => `${name}: ${way}`)
        .join(' ')} }`,
  );
  const given = [
    ...(order.length === 0 ? [] : [`orderBy: [${order.join(' ')}]`]),
    ...Object.entries(paging).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ].join(' ');
  const found = `${table}Connection${given === '' ? '' : `(${given})`}`;
  const all = `edges { cursor node { place points ${table === 'appKeyed' ? 'id' : 'note'} } }`;
  const { body } = await server.ask(
    `{ ${found} { ${all} nodes { place points } totalCount
       pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
  );
  expect(body.errors).toBeUndefined();
  return body.data?.[`${table}Connection`] as Page;
}

const orders: readonly Asked['orderBy'][] = [
  [],
  [{ place: 'ASC' }],
  [{ points: 'DESC' }],
  [{ place: 'DESC_NULLS_LAST' }, { points: 'ASC_NULLS_FIRST' }],
];

const cases = ['appEvents', 'appShown', 'appKept', 'appKeyed'].flatMap((table) =>
  orders.map((orderBy) => [table, orderBy] as const),
);

describe.each(cases)('%s by %j', (table, orderBy) => {
  const nodes = ({ edges }: Page) => edges.map(({ node }) => node);

  test('the page after the cursor of each edge begins with the next edge, the page before it ends with the one before', async () => {
    const { edges, totalCount } = await page(table, { orderBy });
    expect(edges).toHaveLength(26);
    expect(totalCount).toBe(26);
    expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(26);
    for (const [at, { cursor }] of edges.entries()) {
      const following = await page(table, { orderBy, first: 3, after: cursor });
      expect(following.edges).toEqual(edges.slice(at + 1, at + 4));
      expect(following.pageInfo).toEqual({
        startCursor: edges[at + 1]?.cursor ?? null,
        endCursor: edges[Math.min(at + 3, 25)]?.cursor === cursor ? null : edges[Math.min(at + 3, 25)]?.cursor,
        hasNextPage: at + 4 < 26,
        hasPreviousPage: true,
      });
      const preceding = await page(table, { orderBy, last: 3, before: cursor });
      expect(preceding.edges).toEqual(edges.slice(Math.max(0, at - 3), at));
    }
  });

  test('any two cursors hold what is between them', async () => {
    const { edges } = await page(table, { orderBy });
    const at = fc.nat(25);
    const size = fc.integer({ min: 1, max: 30 });
    await fc.assert(
      fc.asyncProperty(at, at, size, fc.constantFrom('first', 'last'), async (from, to, count, side) => {
        const after = edges[from]?.cursor ?? '';
        const before = edges[to]?.cursor ?? '';
        const between = edges.slice(from + 1, Math.max(from + 1, to));
        const found = await page(table, { orderBy, after, before, [side]: count });
        expect(found.edges).toEqual(side === 'first' ? between.slice(0, count) : between.slice(-count));
        expect(found.nodes).toEqual(nodes(found).map(({ place, points }) => ({ place, points })));
      }),
      { numRuns: 15 },
    );
  });
});

describe('a cursor from before its column has changed its type', () => {
  const pageOf = async (order: string, after?: string, of = server) => {
    const given = after === undefined ? '' : `, after: "${after}"`;
    const { status, body } = await of.ask(
      `{ appChangedConnection(orderBy: [{ ${order}: ASC }], first: 2${given}) { nodes { id } pageInfo { endCursor } } }`,
    );
    const found = body.data?.['appChangedConnection'] as {
      nodes: { id: number }[];
      pageInfo: { endCursor: string };
    } | null;
    return { status, ids: found?.nodes.map(({ id }) => id), end: found?.pageInfo.endCursor, error: body.errors?.[0] };
  };

  /** The page after that of the former type. */
  async function after(order: string, type: string) {
    const { end } = await pageOf(order);
    await loadSql(database.url, `alter table app.changed alter ${order} type ${type}`);
    const app = await describeDatabase(database.url);
    const later = await startGraphqlServer({ registry: app.registry, schema: schemaOf(app), driver });
    try {
      return await pageOf(order, end, later);
    } finally {
      await later.close();
      await loadSql(database.url, `drop table app.changed; ${migrated}`);
    }
  }

  test.each([
    ['points', 'numeric(10, 2)'],
    ['points', 'bigint'],
    ['points', 'text'],
    ['seen', 'timestamptz'],
    ['place', 'varchar(20)'],
  ])('goes on where its value converts: %s to %s', async (order, type) => {
    expect((await after(order, type)).ids).toEqual([3, 4]);
  });

  test.each([
    ['place', 'int using substr(place, 2)::int'],
    ['place', "date using date '2024-01-01' + substr(place, 2)::int"],
    ['points', 'boolean using points > 30'],
  ])('is refused where it does not: %s to %s', async (order, type) => {
    expect(await after(order, type)).toMatchObject({
      ids: undefined,
      error: { message: 'The cursor has a value that its column cannot have.' },
    });
  });
});

import type { Order } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import type { Registry } from '../../../runtime/src/descriptor/registry.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { columns, json, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { tableOf } from '../../support/registry.js';

let database: TestDatabase;
let driver: Driver;
let registry: Registry;
let odd: Runner;

/**
 * Types that PostgreSQL cannot order or group by, types with an unexpected order, and types whose
 * operators are outside the search path.
 */
beforeAll(async () => {
  database = await createTestDatabase('core_compared');
  await loadSql(
    database.url,
    `CREATE SCHEMA ext; CREATE EXTENSION hstore SCHEMA ext; CREATE EXTENSION citext SCHEMA ext;
     CREATE TABLE odd (id int PRIMARY KEY, j json, x xml, p point, h ext.hstore, ci ext.citext);
     INSERT INTO odd VALUES (1, '{"a": 2}', '<b/>', '(2,0)', 'b=>1', 'b'), (2, '{"a":  1}', '<a/>', '(1,0)', 'a=>1', 'A'),
       (3, '{"a":2}', '<b/>', '(2,0)', 'b=>1', 'B'), (4, NULL, NULL, NULL, NULL, NULL);`,
  );
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  ({ registry } = await describeDatabase(database.url, { names: { schemaPrefix: 'never' } }));
  odd = runner(driver, registry);
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

const by = (column: string): Order => ({ by: { kind: 'column', column }, direction: 'asc' });
const table = () => tableOf(registry, 'odd');

describe.each(['j', 'x', 'p', 'h', 'ci'])('%s', (column) => {
  test('is ordered', async () => {
    const rows = await odd.list({ table: table(), select: columns('id'), orderBy: [by(column)], form: graphqlForm });
    expect(rows.map(({ id }) => id)).toEqual([2, 1, 3, 4]);
  });

  test('tells distinct rows apart', async () => {
    const rows = await odd.list({
      table: table(),
      select: columns('id'),
      distinctOn: [column],
      orderBy: [by('id')],
      form: graphqlForm,
    });
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 4]);
  });

  test('is grouped by', async () => {
    const answer = await odd.document([
      {
        kind: 'aggregate',
        as: 'a',
        aggregate: {
          table: table(),
          groupBy: [column],
          select: [
            {
              kind: 'groups',
              as: 'groups',
              select: [
                { kind: 'count', as: 'n' },
                { kind: 'key', as: 'key', columns: [{ as: 'of', column }] },
              ],
            },
          ],
          form: graphqlForm,
        },
      },
    ]);
    expect(answer).toMatchObject({ a: { groups: [{ n: 1 }, { n: 2 }, { n: 1, key: { of: null } }] } });
  });

  test('is paged by', async () => {
    const seen: unknown[] = [];
    for (let after: unknown = undefined, more = true; more;) {
      const { c } = (await odd.document([
        {
          kind: 'connection',
          as: 'c',
          connection: {
            table: table(),
            orderBy: [by(column)],
            first: json(1),
            ...(after === undefined ? {} : { after: json(after) }),
            select: [
              { kind: 'nodes', as: 'nodes', select: columns('id') },
              {
                kind: 'pageInfo',
                as: 'pageInfo',
                select: [
                  { kind: 'hasNextPage', as: 'more' },
                  { kind: 'endCursor', as: 'end' },
                ],
              },
            ],
            form: graphqlForm,
          },
        },
      ])) as { c: { nodes: { id: number }[]; pageInfo: { more: boolean; end: string } } };
      seen.push(...c.nodes.map(({ id }) => id));
      ({ more, end: after } = c.pageInfo);
    }
    expect(seen).toEqual([2, 1, 3, 4]);
  });
});

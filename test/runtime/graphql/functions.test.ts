import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { createDriver } from '../../support/create-driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { caseText } from '../../support/described.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createTestDatabase('graphql_functions');
  await loadSql(database.url, caseText('functions', 'schema.sql'));
  const described = await describeDatabase(database.url, { functions: ['shop.*'] });
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({
    registry: described.registry,
    schema: schemaOf(described),
    driver,
    settings: { 'app.max-rows': 3 },
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

async function data(query: string, variables?: unknown): Promise<unknown> {
  const { body } = await server.ask(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('functions in a schema that is made of a model alone', () => {
  it('are one statement, with relations, aggregates and several of them in one document', async () => {
    expect(
      await data(
        `query ($term: String) {
           shopSearch(term: $term, orderBy: [{name: ASC}]) { name shopMakerId { name } }
           shopSearchAggregate(term: $term) { count }
           shopDivide(a: 7, b: 2) { quotient }
           shopSizesOf(maker: 2)
         }`,
        { term: 'an' },
      ),
    ).toEqual({
      shopSearch: [
        { name: 'anchor', shopMakerId: { name: 'Ajax' } },
        { name: 'anvil', shopMakerId: { name: 'Ajax' } },
      ],
      shopSearchAggregate: { count: 2 },
      shopDivide: { quotient: 3 },
      shopSizesOf: ['S', 'M'],
    });
    expect(server.rounds.map((statements) => statements.length)).toEqual([1]);
  });

  it('of a row are fields in the same statement, also where they filter, sort and are aggregated', async () => {
    expect(
      await data(
        `query ($currency: String, $where: ShopProductsWhereInput) {
           shopProducts(where: $where, orderBy: [{price_in: {args: {currency: $currency, by: 50}, direction: DESC}}]) {
             price_in(currency: $currency) half: price_in(currency: "GBP", by: 50) next_size }
           shopMakers(where: {shopProducts: {some: {price_in: {args: {currency: "x"}, eq: "0.50 x"}}}}) { name }
           shopProductsAggregate(where: {next_size: {eq: M}}, groupBy: [next_size]) {
             max { price_in(currency: $currency) } groups { key { next_size } count } }
         }`,
        { currency: 'EUR', where: { price_in: { args: { currency: 'USD' }, in: ['3.00 USD', '35.25 USD'] } } },
      ),
    ).toEqual({
      shopProducts: [
        { price_in: '35.25 EUR', half: '17.63 GBP', next_size: 'XL' },
        { price_in: '3.00 EUR', half: '1.50 GBP', next_size: 'M' },
      ],
      shopMakers: [{ name: 'Brio' }],
      shopProductsAggregate: { max: { price_in: '3.00 EUR' }, groups: [{ key: { next_size: 'M' }, count: 2 }] },
    });
    expect(server.rounds.map((statements) => statements.length)).toEqual([1]);
  });

  it('answer no more rows and values than app.max-rows', async () => {
    const answered = await data('{ shopSearch(term: "") { id } shopNames { name } }');
    expect(answered).toMatchObject({ shopSearch: { length: 3 }, shopNames: { length: 3 } });
  });

  it('answer values of a mutation in one statement, and rows in two', async () => {
    expect(await data('mutation { callShopRaisePrices(by: 0) { raised } }')).toEqual({
      callShopRaisePrices: { raised: '5' },
    });
    expect(server.rounds.flat()).toHaveLength(1);
    server.forget();
    await data('mutation { callShopRetag(tag: "x") { id } }');
    expect(server.rounds.flat()).toHaveLength(2);
  });
});

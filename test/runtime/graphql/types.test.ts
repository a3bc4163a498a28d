import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { extendedSchema } from '../../support/live-schema.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

const sql = `
CREATE SCHEMA shop;
CREATE TYPE shop.size AS ENUM ('S', 'M', 'extra large');
CREATE TYPE shop.point AS (x int, y float8);
CREATE TYPE shop.place AS (name text, "at point" shop.point, days daterange);
CREATE TABLE shop.things (
  id int PRIMARY KEY, place shop.place, places shop.place[], days daterange, spans int4range[], sizes shop.size[], u uuid, d date, t time,
  b bytea, i interval, f float8, n numeric, m money, "constructor" text, "1st" int
);
CREATE FUNCTION shop.things_home(thing shop.things) RETURNS shop.place LANGUAGE sql STABLE AS $$ SELECT thing.place $$;
INSERT INTO shop.things VALUES
  (1, ROW('Home', ROW(1, 2.5)::shop.point, '[2024-01-01,2024-02-01)'), ARRAY[ROW('A', ROW(3, 4)::shop.point, NULL)::shop.place, NULL],
   '[2024-01-01,)', '{"[1,5)","empty"}', '{S,"extra large"}', '123e4567-e89b-12d3-a456-426614174000', '2024-02-29', '10:20:30.123456',
   '\\xdead', '1 day 2 hours', 'NaN', 12345678901234567890.5, '12.50', 'built', 7),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
`;

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createTestDatabase('graphql_types');
  await loadSql(database.url, sql);
  const described = await describeDatabase(database.url);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({
    registry: described.registry,
    schema: extendedSchema(described, 'extend type Query { custom: Int }', { 'Query.custom': () => null }),
    driver,
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

/** The answer for thing 1, which must be the same with and without graphql-js. */
async function ofThing(selection: string): Promise<unknown> {
  const alone = await server.ask(`{ shopThingsByPk(id: 1) { ${selection} } }`);
  expect(alone.body.errors).toBeUndefined();
  const beside = await server.ask(`{ custom shopThingsByPk(id: 1) { ${selection} } }`);
  expect(beside.text.replace('"custom":null,', '')).toBe(alone.text);
  return alone.body.data?.['shopThingsByPk'];
}

async function found(where: string, head = '', variables?: unknown): Promise<unknown> {
  const { body } = await server.ask(
    `query ${head} { shopThings(where: ${where}, orderBy: {id: ASC}) { id } }`,
    variables,
  );
  expect(body.errors).toBeUndefined();
  return (body.data?.['shopThings'] as { id: number }[]).map(({ id }) => id);
}

describe('what is read', () => {
  test('scalars', async () => {
    const { text } = await server.ask('{ shopThingsByPk(id: 1) { u d t b i f n m constructor _1st } }');
    expect(text).toBe(
      '{"data":{"shopThingsByPk":{"u":"123e4567-e89b-12d3-a456-426614174000","d":"2024-02-29","t":"10:20:30.123456","b":"\\\\xdead",' +
        '"i":"P1DT2H","f":"NaN","n":12345678901234567890.5,"m":12.50,"constructor":"built","_1st":7}}}',
    );
    await ofThing('u d t b i f n m constructor _1st');
  });

  test('composites: what was selected, under its alias, at every level', async () => {
    expect(await ofThing('place { called: name at_point { y __typename } __typename }')).toEqual({
      place: { called: 'Home', at_point: { y: 2.5, __typename: 'ShopPoint' }, __typename: 'ShopPlace' },
    });
  });

  test('ranges, also inside a composite', async () => {
    expect(
      await ofThing('days { from: lower upper lowerInclusive empty __typename } place { days { upper } name }'),
    ).toEqual({
      days: { from: '2024-01-01', upper: null, lowerInclusive: true, empty: false, __typename: 'DateRange' },
      place: { days: { upper: '2024-02-01' }, name: 'Home' },
    });
  });

  test('arrays of composites, of ranges and of enums', async () => {
    expect(await ofThing('places { name at_point { x } } spans { upper empty } sizes')).toEqual({
      places: [{ name: 'A', at_point: { x: 3 } }, null],
      spans: [
        { upper: 5, empty: false },
        { upper: null, empty: true },
      ],
      sizes: ['S', 'extra_large'],
    });
  });

  test('a computed field that is a composite', async () => {
    expect(await ofThing('home { upper: name at_point { x } }')).toEqual({
      home: { upper: 'Home', at_point: { x: 1 } },
    });
  });

  test('nulls of all of them', async () => {
    const { body } = await server.ask(
      '{ shopThingsByPk(id: 2) { place { name } places { name } days { lower } spans { lower } sizes home { name } u } }',
    );
    expect(body).toEqual({
      data: {
        shopThingsByPk: { place: null, places: null, days: null, spans: null, sizes: null, home: null, u: null },
      },
    });
  });

  test('ranges as keys of groups', async () => {
    const { body } = await server.ask(
      '{ shopThingsAggregate(where: {id: {eq: 1}}, groupBy: [days]) { groups { key { when: days { lower } __typename } count } } }',
    );
    expect(body.data).toEqual({
      shopThingsAggregate: {
        groups: [{ key: { when: { lower: '2024-01-01' }, __typename: 'ShopThingsAggregateKey' }, count: 1 }],
      },
    });
  });
});

describe('what is given', () => {
  test.each([
    ['{u: {eq: "123E4567-E89B-12D3-A456-426614174000"}}'],
    ['{d: {eq: "2024-02-29"}}'],
    ['{t: {gt: "10:20:30.1"}}'],
    ['{b: {eq: "\\\\xDEAD"}}'],
    ['{i: {lt: "P2D"}}'],
    ['{n: {eq: 12345678901234567890.5}}'],
    ['{n: {eq: "12345678901234567890.5"}}'],
    ['{m: {eq: 12.5}}'],
    ['{constructor: {eq: "built"}}'],
    ['{_1st: {gte: 7}}'],
    ['{sizes: {contains: [extra_large]}}'],
    ['{sizes: {hasAny: [M, "S"]}}'],
    ['{days: {containsElement: "2030-01-01"}}'],
    ['{days: {overlaps: {lower: "2023-01-01", upper: "2024-01-01", upperInclusive: true}}}'],
    ['{days: {contains: {lower: "2024-05-01", upper: "2024-06-01"}}}'],
    ['{place: {eq: {name: "Home", at_point: {x: 1, y: 2.5}, days: {lower: "2024-01-01", upper: "2024-02-01"}}}}'],
    ['{place: {isNull: false}}'],
  ])('%s', async (where) => {
    expect(await found(where)).toEqual([1]);
  });

  test.each([
    ['$w: ShopThingsWhereInput', '$w', { w: { constructor: { eq: 'built' } } }],
    ['$w: ShopThingsWhereInput', '$w', { w: { n: { eq: '12345678901234567890.5' } } }],
    ['$w: ShopThingsWhereInput', '$w', { w: { days: { overlaps: { lower: '2024-01-01' } } } }],
    ['$r: DateRangeInput', '{days: {overlaps: $r}}', { r: { lower: '2024-01-01', upper: '2024-01-03' } }],
    ['$l: Date', '{days: {overlaps: {lower: $l}}}', { l: '2024-01-01' }],
    ['$s: [ShopSize!]', '{sizes: {hasAll: $s}}', { s: ['S', 'extra_large'] }],
    ['$s: ShopSize!', '{sizes: {hasAll: ["S", $s]}}', { s: 'extra_large' }],
    ['$d: Date!', '{d: {in: ["1999-01-01", $d]}}', { d: '2024-02-29' }],
  ])('(%s) %s with %j', async (head, where, variables) => {
    expect(await found(where, `(${head})`, variables)).toEqual([1]);
  });

  test('a column that is called as what every object inherits is not found in objects that have it not', async () => {
    expect(await found('$w', '($w: ShopThingsWhereInput)', { w: { id: { eq: 2 } } })).toEqual([2]);
  });

  test.each([
    ['BigInt', '{n: {eq: "12x"}}'],
    ['UUID', '{u: {eq: "no"}}'],
    ['Bytes', '{b: {eq: "no"}}'],
    ['Date', '{d: {eq: 5}}'],
  ])('what no %s is fails validation', async (_type, where) => {
    const { body } = await server.ask(`{ shopThings(where: ${where}) { id } }`);
    expect(body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

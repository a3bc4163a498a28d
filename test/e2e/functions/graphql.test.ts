import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { startShop, type Shop } from './served.js';

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});

afterAll(() => shop.stop());

describe('functions that answer rows of a table', () => {
  it('are lists with where, orderBy, limit and offset, and take named arguments', async () => {
    const { all, cheap, page } = await shop.data(
      `{ all: shopSearch(term: "a") { name }
         cheap: shopSearch(term: "a", floor: 1, where: {size: {eq: XL}}, orderBy: [{price: DESC}]) { name price }
         page: shopSearch(term: "a", limit: 1, offset: 1) { name } }`,
      'ann',
    );
    expect(all).toEqual([{ name: 'anchor' }, { name: 'anvil' }]);
    expect(cheap).toEqual([
      { name: 'anchor', price: 250 },
      { name: 'anvil', price: 99.5 },
    ]);
    expect(page).toEqual([{ name: 'anvil' }]);
  });

  it('have relations and aggregates', async () => {
    const { found, sums } = await shop.data(
      `{ found: shopSearch(term: "an") { name shopMakerId { name shopProducts(orderBy: [{name: ASC}]) { name } } }
         sums: shopSearchAggregate(term: "a", where: {name: {neq: "anvil"}}) { count max { price } } }`,
      'ann',
    );
    const maker = { name: 'Ajax', shopProducts: [{ name: 'anchor' }, { name: 'anvil' }] };
    expect(found).toEqual([
      { name: 'anchor', shopMakerId: maker },
      { name: 'anvil', shopMakerId: maker },
    ]);
    expect(sums).toEqual({ count: 1, max: { price: 250 } });
  });

  it('or values are lists with where, orderBy, limit and offset, too', async () => {
    const answered = await shop.data(
      `{ some: shopNumbers(limit_: 9, where: {value: {gt: 2}, or: [{value: {lt: 4}}, {value: {eq: 9}}]}, orderBy: [{value: DESC}]) 
         page: shopNumbers(limit_: 5, limit: 2, offset: 1)
         sizes: shopSizesOf(maker: 2, where: {value: {neq: M}})
         ranked: shopRanked(where: {size: {eq: XL}, limit: {gte: 5}}, orderBy: [{limit: DESC}, {name: ASC}]) { name limit size }
         last: shopRanked(prefix: "a", orderBy: [{name: DESC}], limit: 1) { name }
         all: shopRanked { name } }`,
      'ann',
    );
    expect(answered).toEqual({
      some: [9, 3],
      page: [2, 3],
      sizes: ['S'],
      ranked: [
        { name: 'anchor', limit: 6, size: 'XL' },
        { name: 'anvil', limit: 5, size: 'XL' },
      ],
      last: [{ name: 'anvil' }],
      all: [{ name: 'anvil' }, { name: 'anchor' }, { name: 'bread' }],
    });
    const [refused] = await shop.errors('{ shopNumbers(limit_: 3, where: {value: null}) }');
    expect(refused?.message).toContain('is null');
  });

  it('keep policies: each user sees rows of their own', async () => {
    const names = async (user?: string) => (await shop.data('{ shopSearch(term: "a") { name } }', user))['shopSearch'];
    expect(await names('bob')).toEqual([{ name: 'apple' }, { name: 'axe' }]);
    expect(await names()).toEqual([]);
  });

  it('run as their owner where they are declared as SECURITY DEFINER', async () => {
    expect(await shop.data('{ shopAllProducts }')).toEqual({ shopAllProducts: '5' });
  });

  it('answer one row as an object, and null where there is none', async () => {
    const answered = await shop.data(
      '{ shopCheapest { name } of: shopCheapest(maker: 1) { name } none: shopCheapest(maker: 77) { name } }',
      'ann',
    );
    expect(answered).toEqual({ shopCheapest: { name: 'bread' }, of: { name: 'anvil' }, none: null });
  });

  it('take rows as inputs', async () => {
    const { shopSameMaker } = await shop.data(
      `{ shopSameMaker(product: {id: 1, maker_id: 1, name: "x, \\"y\\"", size: XL, tags: ["a b"]}) { id } }`,
      'ann',
    );
    expect(shopSameMaker).toEqual([{ id: 2 }]);
  });

  it('rename arguments that a list has itself', async () => {
    const { shopPaged } = await shop.data(
      '{ shopPaged(limit_: 2, where_: "a", limit: 1, where: {size: {eq: XL}}) { id } }',
      'ann',
    );
    expect(shopPaged).toEqual([{ id: 1 }]);
  });
});

describe('functions that answer values', () => {
  it('answer scalars, with defaults, domains and NULL', async () => {
    const answered = await shop.data(
      `{ shopDiscounted(price: 200) half: shopDiscounted(price: 200, by: 50)
         shopShout(text: "hi") nothing: shopShout(text: null) }`,
    );
    expect(answered).toEqual({ shopDiscounted: 180, half: 100, shopShout: 'HI', nothing: null });
    const [refused] = await shop.errors('{ shopDiscounted(price: 1, by: 101) }');
    expect(refused?.extensions.code).toBe('23514');
  });

  it('answer lists of scalars, VARIADIC sums, composites and ranges', async () => {
    const answered = await shop.data(
      `{ shopSizesOf(maker: 2) shopTotal(amounts: [1, 2, 3]) none: shopTotal
         shopLocate(place: {street: "high", zip: "1"}) { s: street zip } missing: shopLocate(place: {street: "x"}) { zip }
         shopSpan(low: 1, high: 3) { lower up: upper } }`,
      'bob',
    );
    expect(answered).toEqual({
      shopSizesOf: ['S', 'M'],
      shopTotal: '6',
      none: '0',
      shopLocate: { s: 'HIGH', zip: '1' },
      missing: null,
      shopSpan: { lower: 1, up: 3 },
    });
  });

  it('answer TABLE (…) and OUT parameters as objects', async () => {
    const answered = await shop.data(
      `{ shopMakersOf(at_least: 1) { maker n: products dearest { name price } }
         shopDivide(a: 17, b: 5) { quotient remainder __typename }
         shopNames { name } }`,
      'ann',
    );
    expect(answered).toEqual({
      shopMakersOf: [
        { maker: 'Ajax', n: '2', dearest: { name: 'anchor', price: 250 } },
        { maker: 'Brio', n: '1', dearest: { name: 'bread', price: 3 } },
      ],
      shopDivide: { quotient: 3, remainder: 2, __typename: 'ShopDivideResult' },
      shopNames: [{ name: 'anchor' }, { name: 'anvil' }, { name: 'bread' }],
    });
  });

  it('are told apart by the names of their arguments, then by their types', async () => {
    expect(
      await shop.data(
        `{ shopDescribeByValueAsInt4(value: 7) shopDescribeByValueAsText(value: "7")
           shopDescribeByValueAndTimes(value: "7", times: 3) }`,
      ),
    ).toEqual({
      shopDescribeByValueAsInt4: 'integer 7',
      shopDescribeByValueAsText: 'text 7',
      shopDescribeByValueAndTimes: '777',
    });
  });

  it('are given null for an argument that is left out and has no default', async () => {
    const { omitted, given } = await shop.data(
      '{ omitted: shopSearch { name } given: shopSearch(term: null) { name } }',
    );
    expect(omitted).toEqual(given);
  });

  it('are refused without the privilege', async () => {
    const [denied] = await shop.errors('{ shopSecret }');
    expect(denied?.extensions.code).toBe('FORBIDDEN');
  });
});

describe('the schema', () => {
  it('is the one that was written, and has no function that no client can call', async () => {
    const { data } = JSON.parse((await shop.server.ask(getIntrospectionQuery())).text) as { data: IntrospectionQuery };
    const text = await readFile(join(shop.served.folder, 'dist/generated/schema.graphql'), 'utf8');
    const printed = (schema: GraphQLSchema): string => printSchema(lexicographicSortSchema(schema));
    expect(printed(buildClientSchema(data))).toBe(printed(buildSchema(text)));
    expect(text).not.toMatch(/shopAnyRecord|shopSame\(/);
  });
});

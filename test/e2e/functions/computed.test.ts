import { startShop, type Shop } from './served.js';

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});

afterAll(() => shop.stop());

describe('filters on computed fields', () => {
  it('are conditions as those of columns, also below relations, of arrays and in aggregates', async () => {
    const answered = await shop.data(
      `{ like: shopProducts(where: {label: {endsWith: "/Ajax"}}, orderBy: [{label: DESC}]) { label }
         not: shopProducts(where: {not: {label: {in: ["anvil/Ajax", "bread/Brio"]}}}) { label }
         long: shopProducts(where: {stars: {length: {gte: 3}}}) { name stars }
         makers: shopMakers(where: {shopProducts: {some: {label: {eq: "anchor/Ajax"}}}}) { name }
         shopProductsAggregate(where: {label: {startsWith: "a"}}) { count }
         shopSearch(term: "a", where: {label: {eq: "anvil/Ajax"}}) { name } }`,
      'ann',
    );
    expect(answered).toEqual({
      like: [{ label: 'anvil/Ajax' }, { label: 'anchor/Ajax' }],
      not: [{ label: 'anchor/Ajax' }],
      long: [{ name: 'anchor', stars: [1, 2, 3] }],
      makers: [{ name: 'Ajax' }],
      shopProductsAggregate: { count: 2 },
      shopSearch: [{ name: 'anvil' }],
    });
  });

  it('say which rows are written', async () => {
    const { updated } = await shop.data(
      'mutation { updated: updateShopProducts(where: {label: {eq: "bread/Brio"}}, input: {price: 4}) { label price } }',
      'ann',
    );
    expect(updated).toEqual([{ label: 'bread/Brio', price: 4 }]);
  });

  it('are parameters over REST, by the field’s name or the function’s', async () => {
    const ann = { authorization: `Bearer ${await shop.served.token('ann')}` };
    const ids = (path: string): Promise<unknown[]> => shop.server.ids(path, ann);
    expect(await ids('/api/v1/products?label=like.*%2FAjax&order=id')).toEqual([1, 2]);
    expect(await ids('/api/v1/products?products_label=eq.anvil%2FAjax')).toEqual([1]);
    expect(await ids('/api/v1/products?or=(label.eq.anvil%2FAjax,stars.arraylength.2)&order=id')).toEqual([1, 5]);
    const malformed = await shop.server.get('/api/v1/products?label=fits.x', ann);
    expect(malformed.status).toBe(400);
    expect(malformed.text).not.toContain('no column');
  });
});

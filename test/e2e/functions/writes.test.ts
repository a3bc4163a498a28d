import { startShop, type Shop } from './served.js';

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});

afterAll(() => shop.stop());

const prices = async (): Promise<readonly string[]> =>
  (await shop.served.query<{ price: string }>('select price::text from shop.products order by id')).map(
    ({ price }) => price,
  );

describe('VOLATILE functions', () => {
  it('are mutations with typed results, whose relations are what they wrote', async () => {
    const { added } = await shop.data(
      `mutation { added: callShopAddProduct(maker: "Cato", name: "cup", price: 4) { name price shopMakerId { name } } }`,
      'ann',
    );
    expect(added).toEqual({ name: 'cup', price: 4, shopMakerId: { name: 'Cato' } });
  });

  it('answer OUT parameters, lists of rows and nothing at all', async () => {
    const answered = await shop.data(
      `mutation { callShopRaisePrices(by: 0) { n: raised } callShopRetag(tag: "new") { name tags } callShopTouch }`,
      'bob',
    );
    // The policy shows bob two rows of his own and two rows without an owner.
    expect(answered).toEqual({
      callShopRaisePrices: { n: '4' },
      callShopRetag: [
        { name: 'apple', tags: ['new'] },
        { name: 'bread', tags: ['new'] },
      ],
      callShopTouch: true,
    });
  });

  it('are part of the document’s transaction: what fails after them undoes them', async () => {
    const before = await prices();
    const errors = await shop.errors(
      'mutation { callShopRaisePrices(by: 50) { raised } callShopRefuse(reason: "closed") }',
      'ann',
    );
    expect(errors.map(({ message }) => message)).toEqual(['closed']);
    expect(await prices()).toEqual(before);
  });

  it('are called over REST by POST alone', async () => {
    const headers = { authorization: `Bearer ${await shop.served.token('ann')}`, 'content-type': 'application/json' };
    const post = (name: string, body: unknown) =>
      shop.server.send('POST', `/api/v1/rpc/${name}`, headers, JSON.stringify(body));
    const added = await post('add_product?select=name,makers(name)', { maker: 'Dora', name: 'dish', price: 1.5 });
    expect([added.status, JSON.parse(added.text)]).toEqual([200, { name: 'dish', makers: { name: 'Dora' } }]);
    const raised = await post('raise_prices', { by: 0 });
    expect(JSON.parse(raised.text)).toMatchObject({ raised: 5 });
    expect((await post('touch', {})).status).toBe(204);
    expect((await post('refuse', { reason: 'no' })).status).toBe(400);
    expect((await shop.server.get('/api/v1/rpc/touch', headers)).status).toBe(405);
  });
});

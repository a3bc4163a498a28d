import { errorOf, query, type Reply } from '../../runtime/rest/support/client.js';
import { startShop, type Shop } from './served.js';

let shop: Shop;
let ann: Readonly<Record<string, string>>;

beforeAll(async () => {
  shop = await startShop();
  ann = { authorization: `Bearer ${await shop.served.token('ann')}` };
});

afterAll(() => shop.stop());

const path = (name: string, parameters: Readonly<Record<string, string>> = {}): string =>
  `/api/v1/rpc/${name}?${query(parameters)}`;

const body = (reply: Reply): unknown => JSON.parse(reply.text);

const post = (name: string, given: unknown, parameters = {}): Promise<Reply> =>
  shop.server.send(
    'POST',
    path(name, parameters),
    { ...ann, 'content-type': 'application/json' },
    JSON.stringify(given),
  );

describe('GET /rpc/{function}', () => {
  it('answers rows in the envelope of lists, filtered, sorted and embedded', async () => {
    const found = await shop.server.rows(
      path('search', { term: 'a', size: 'eq.XL', select: 'name,makers(name)', order: 'price.desc' }),
      ann,
    );
    expect(found).toEqual([
      { name: 'anchor', makers: { name: 'Ajax' } },
      { name: 'anvil', makers: { name: 'Ajax' } },
    ]);
    const page = await shop.server.get(path('search', { term: 'a', limit: '1' }), { ...ann, prefer: 'count=exact' });
    expect(page.headers['content-range']).toBe('0-0/2');
    expect(await shop.server.ids(path('paged', { limit: '2', where: 'a' }), ann)).toEqual([1, 2]);
  });

  it('answers one row, values and lists of values bare', async () => {
    const get = async (name: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> => {
      const reply = await shop.server.get(path(name, parameters), ann);
      expect([name, reply.status]).toEqual([name, 200]);
      return body(reply);
    };
    expect(await get('cheapest', { maker: '1', select: 'id,name' })).toEqual({ id: 1, name: 'anvil' });
    expect(await get('cheapest', { maker: '77' })).toBeNull();
    expect(await get('discounted', { price: '200' })).toBe(180);
    expect(await get('sizes_of', { maker: '1' })).toEqual(['XL']);
    expect(await get('total', { amounts: '{1,2}' })).toBe(3);
    expect(await get('locate', { place: '(high,1)' })).toEqual({ street: 'HIGH', zip: '1' });
    expect(await get('divide', { a: '17', b: '5' })).toEqual({ quotient: 3, remainder: 2 });
    expect(await get('names')).toEqual([{ name: 'anchor' }, { name: 'anvil' }, { name: 'bread' }]);
  });

  it('answers some of a list of values, filtered, sorted and selected as rows are', async () => {
    const get = async (name: string, parameters: Readonly<Record<string, string>>): Promise<unknown> =>
      body(await shop.server.get(path(name, parameters), ann));
    expect(await get('ranked', { size: 'eq.XL', order: 'name.desc', select: 'name,length:limit' })).toEqual([
      { name: 'anvil', length: 5 },
      { name: 'anchor', length: 6 },
    ]);
    expect(await get('ranked', { or: '(name.eq.anvil,size.eq.S)', limit: '1', offset: '1' })).toMatchObject([
      { name: 'bread' },
    ]);
    expect(await get('sizes_of', { maker: '2', value: 'eq.S' })).toEqual(['S']);
    expect(await get('numbers', { limit: '9', value: 'gte.5', order: 'value.desc', offset: '1' })).toEqual([
      8, 7, 6, 5,
    ]);
    for (const refused of [{ colour: 'eq.1' }, { order: 'colour' }, { select: 'name::text' }, { limit: 'x' }]) {
      expect((await shop.server.get(path('ranked', refused), ann)).status).toBe(400);
    }
  });

  it('takes a VARIADIC argument several times', async () => {
    expect(body(await shop.server.get('/api/v1/rpc/total?amounts=1&amounts=2&amounts=4'))).toBe(7);
  });

  it('chooses an overload by its arguments, and otherwise says its path', async () => {
    expect(body(await shop.server.get(path('describe', { value: 'x', times: '2' })))).toBe('xx');
    const several = await shop.server.get(path('describe', { value: '7' }));
    expect(several.status).toBe(400);
    expect(errorOf(several).hint).toContain('/rpc/shopDescribeByValueAsInt4');
    expect(body(await shop.server.get(path('shopDescribeByValueAsInt4', { value: '7' })))).toBe('integer 7');
  });

  it('refuses what is missing, unknown or forbidden', async () => {
    const statuses = async (...paths: readonly string[]) =>
      Promise.all(paths.map(async (each) => (await shop.server.get(each, ann)).status));
    expect(
      await statuses(
        path('search'),
        path('search', { term: 'a', colour: 'eq.1' }),
        path('discounted', { price: '1', size: 'eq.M' }),
        path('discount'),
        path('secret'),
        path('any_record'),
        path('retag', { tag: 'x' }),
      ),
    ).toEqual([400, 400, 400, 404, 403, 404, 405]);
    expect(errorOf(await shop.server.get(path('discount'))).hint).toContain('`discounted`');
    const options = await shop.server.send('OPTIONS', path('search'));
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  it('answers HEAD and entity tags as for tables', async () => {
    const reply = await shop.server.get(path('names'), ann);
    const again = await shop.server.get(path('names'), { ...ann, 'if-none-match': String(reply.headers.etag) });
    expect(again.status).toBe(304);
    const head = await shop.server.send('HEAD', path('names'), ann);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(reply.text.length)]);
  });
});

describe('POST /rpc/{function}', () => {
  it('takes arguments as JSON, rows too, and reads rows as the query string says', async () => {
    const rows = await post('same_maker', { product: { id: 1, maker_id: 1 } }, { select: 'name' });
    expect(body(rows)).toMatchObject({ data: [{ name: 'anchor' }] });
    expect(body(await post('search', { term: 'a' }, { name: 'eq.anvil', select: 'id' }))).toMatchObject({
      data: [{ id: 1 }],
    });
    expect(body(await post('total', { amounts: [1, 2] }))).toBe(3);
    expect(body(await post('shout', { text: null }))).toBeNull();
    expect((await post('shout', { text: 'a', tone: 'b' })).status).toBe(400);
  });
});

describe('openapi.json', () => {
  it('describes each function, an overload by its own path', async () => {
    const { paths } = body(await shop.server.get('/api/v1')) as { paths: Record<string, Record<string, Operation>> };
    expect(Object.keys(paths).filter((each) => each.includes('describe') || each.includes('Describe'))).toEqual([
      '/rpc/shopDescribeByValueAsInt4',
      '/rpc/shopDescribeByValueAsText',
      '/rpc/shopDescribeByValueAndTimes',
    ]);
    const search = paths['/rpc/search'];
    expect(search?.['get']?.summary).toBe('Products whose name begins with a term.');
    expect(search?.['get']?.parameters.slice(0, 2)).toMatchObject([
      { name: 'term', required: true, schema: { type: 'string' } },
      { name: 'floor', required: false, schema: { type: 'number' } },
    ]);
    expect(Object.keys(paths['/rpc/retag'] ?? {})).toEqual(['post']);
  });
});

interface Operation {
  readonly summary: string;
  readonly parameters: readonly unknown[];
}

import type { ServedServer } from '../../support/served-as-role.js';
import { startShop, type Shop } from './served.js';

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});

afterAll(() => shop.stop());

/** The answers of `functions` from a server with these settings. */
async function answers(
  environment: Readonly<Record<string, string>>,
): Promise<readonly [path: unknown, count: unknown]> {
  const server: ServedServer = await shop.served.start(environment);
  try {
    const [path, count] = await Promise.all(['path', 'unqualified'].map((name) => server.get(`/api/v1/rpc/${name}`)));
    return [JSON.parse(path?.text ?? ''), JSON.parse(count?.text ?? '')];
  } finally {
    await server.stop();
  }
}

describe('app.datasource.search-path', () => {
  it('is the schemas served and then public, so that functions find what they name without a schema', async () => {
    expect(await shop.data('{ shopPath shopUnqualified }')).toEqual({
      shopPath: '"shop","public"',
      shopUnqualified: '1',
    });
  });

  it('is the same behind a pooler, where nothing of the session counts', async () => {
    expect(await answers({ APP_DATASOURCE_POOLER: 'transaction' })).toEqual(['"shop","public"', 1]);
  });

  it('can be another one, of names that have to be quoted', async () => {
    expect(await answers({ APP_DATASOURCE_SEARCH_PATH: 'My \\ "schema",public' })).toEqual([
      '"My \\ ""schema""","public"',
      expect.objectContaining({ code: '42P01' }),
    ]);
  });
});

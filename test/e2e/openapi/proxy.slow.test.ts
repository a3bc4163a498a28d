import { describeClients } from '../../support/client-packages.js';
import { startDemoServer } from '../../support/demo-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { describeMysql } from '../../support/mysql.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import { startServerHere } from '../../support/server-here.js';
import { startPrism, type Prism } from '../../support/validating-proxy.js';
import { postgresTables, mysqlTables, rows } from '../mysql/by-chance/data.js';
import { startShop } from '../functions/served.js';
import { serveMysql } from '../mysql/served.js';
import type { Asked } from './requests.js';
import { checkServer, type Checked } from './validated.js';

/**
 * Prism, between clients and servers, finds no violation: every header, status, media type and body
 * is as openapi.json describes it.
 */
describeClients('a validating proxy', () => {
  let prism: Prism;

  beforeAll(async () => {
    prism = await startPrism();
  });
  afterAll(() => prism.stop());

  /** Expects no objection, and every status that such requests can have. */
  function expectClean({ requests, objections, statuses }: Checked, least: number, expected: readonly number[]): void {
    expect(objections.slice(0, 20)).toEqual([]);
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([...expected]));
    expect(requests).toBeGreaterThan(least);
  }

  /** Expects that Prism objects to the same server with another document. */
  async function expectObjection(base: string): Promise<void> {
    const upstream = `${base}/api/v1`;
    const document = await (await fetch(upstream)).text();
    const proxy = await prism.proxy(document.replace(/"type":\s*"string"/g, '"type": "integer"'), upstream);
    const { status, violations } = await proxy.send('GET', '/customers?limit=1');
    await proxy.stop();
    expect([status, violations.filter(({ location }) => location[0] === 'response').length > 0]).toEqual([200, true]);
  }

  test('agrees with the demo: two schemas, tokens and policies, ranges, composites, vectors, views', async () => {
    const server = await startDemoServer();
    try {
      const seen = [200, 201, 204, 206, 304, 400, 401, 403, 404, 406, 415, 416, 500];
      expectClean(await checkServer(prism, server.base, server.token), 3000, seen);
    } finally {
      await server.stop();
    }
  }, 600_000);

  const statuses = [200, 201, 204, 206, 304, 400, 404, 406, 409, 415, 416];

  test('agrees with a PostgreSQL of one schema', async () => {
    const database = await createTestDatabase('openapi');
    await loadSql(database.url, postgresTables + rows());
    const program = await buildGenerated(database.url);
    const server = await startServerHere(program.folder, { DATABASE_URL: database.url });
    try {
      expectClean(await checkServer(prism, server.base), 1200, statuses);
      await expectObjection(server.base);
    } finally {
      await server.stop();
      await program.remove();
      await database.drop();
    }
  }, 600_000);

  test('agrees with functions, called either way', async () => {
    const shop = await startShop();
    try {
      const checked = await checkServer(prism, shop.server.base, await shop.served.token('ann'), functionRequests);
      expectClean(checked, 500, [200, 201, 204, 206, 304, 400, 401, 403, 404]);
    } finally {
      await shop.stop();
    }
  }, 600_000);

  describeMysql('on MariaDB', () => {
    test('agrees with the same tables', async () => {
      const mysql = await serveMysql({}, mysqlTables + rows(), '');
      try {
        expectClean(await checkServer(prism, mysql.base), 1000, statuses);
      } finally {
        await mysql.stop();
      }
    }, 600_000);

    test('agrees with every type', async () => {
      const mysql = await serveMysql();
      try {
        expectClean(await checkServer(prism, mysql.base), 500, statuses);
      } finally {
        await mysql.stop();
      }
    }, 600_000);
  });
});

const get = (call: string, headers = {}): Asked => ({ method: 'GET', path: `/rpc/${call}`, headers });

const post = (call: string, body: unknown, headers = {}): Asked => ({
  method: 'POST',
  path: `/rpc/${call}`,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Calls of the functions of the case `functions`. */
const functionRequests: readonly Asked[] = [
  get('search?term=a'),
  get('search?term=a&floor=1.5&name=like.a*&size=not.is.null&order=price.desc&limit=1'),
  get('search?term=a', { range: '0-0' }),
  get('search?term=a', { range: '50-51' }),
  get('search?term=a', { prefer: 'count=exact' }),
  get('search?term=a', { accept: 'text/csv' }),
  get('search?term=a&limit=1', { accept: 'application/vnd.pgrst.object+json' }),
  get('search?term=a', { 'if-none-match': '*' }),
  { ...get('search?term=a&select=id'), selects: true },
  { ...get('search'), wrong: true },
  { ...get('search?term=a&colour=eq.1'), wrong: true },
  get('paged?limit=2&where=a'),
  get('cheapest?maker=1'),
  get('cheapest?maker=77'),
  get('cheapest'),
  get('discounted?price=200&by=25'),
  get('sizes_of?maker=1'),
  get('total?amounts=1&amounts=2'),
  get('total?amounts={1,2}'.replace('{', '%7B').replace('}', '%7D')),
  get('span?low=1&high=5'),
  get('locate?place=(high,1)'),
  get('makers_of?at_least=1'),
  get('divide?a=17&b=5'),
  { ...get('divide?a=17&b=0'), wrong: true },
  get('names'),
  get('shopDescribeByValueAsInt4?value=7'),
  { ...get('secret'), wrong: true },
  { ...get('discounted?price=x'), wrong: true },
  post('search', { term: 'a' }),
  post('search?limit=1', { term: 'a' }, { range: '0-0' }),
  post('same_maker', { product: { id: 1, maker_id: 1 } }),
  post('total', { amounts: [1, 2] }),
  post('shout', { text: null }),
  post('locate', { place: { street: 'high' } }),
  post('span', { low: 1, high: 5 }),
  { ...post('shout', { text: 'a', tone: 'b' }), wrong: true },
  { ...post('shout', 'x', { 'content-type': 'text/plain' }), wrong: true },
  post('add_product', { maker: 'Ajax', name: 'awl', price: 3 }),
  post('raise_prices', { by: 10 }),
  post('retag', { tag: 'x' }),
  post('retag?id=gt.0&order=id.desc&limit=1', { tag: 'y' }, { prefer: 'count=exact' }),
  post('touch', {}),
  { ...post('refuse', { reason: 'no' }), wrong: true },
];

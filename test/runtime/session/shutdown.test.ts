import pg from 'pg';
import { activity, openShop, until, type Shop } from './support/shop.js';

let shop: Shop;
/** Holds a lock so that reads of the goods wait until the end of its transaction. */
let lock: pg.Client;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.drop());

beforeEach(async () => {
  lock = new pg.Client({ connectionString: shop.url });
  await lock.connect();
});
afterEach(() => lock.end());

const lockGoods = () => lock.query('begin; lock table shop.goods in access exclusive mode');

const waiting = async (): Promise<number> => (await activity(shop)).filter(({ waits }) => waits === 'Lock').length;

test('at SIGTERM requests of both protocols, reads and writes, are answered before the process ends with 0', async () => {
  const server = await shop.startProcess();
  await lockGoods();
  const json = { 'content-type': 'application/json' };
  const inFlight = [
    server.get('/api/v1/goods?id=eq.1'),
    server.ask('{ shopGoods(where: {id: {eq: 1}}) { name } }'),
    server.send('POST', '/api/v1/goods', json, '{"id": 7, "name": "x"}'),
    server.ask('mutation { createShopGoods(input: {id: 8, name: "y"}) { id } }'),
  ];
  await until(async () => (await waiting()) === inFlight.length);
  const ended = server.stop();
  let readiness = await server.get('/health/ready');
  while (readiness.status === 200) readiness = await server.get('/health/ready');
  expect(readiness).toMatchObject({ status: 503, text: '{"status":"draining"}' });
  expect(readiness.headers.connection).toBe('close');
  // The server no longer accepts connections, and earlier requests go on.
  await until(async () => (await server.get('/health/live').catch(() => undefined)) === undefined);
  expect(await waiting()).toBe(inFlight.length);
  await lock.query('rollback');
  expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([200, 200, 201, 200]);
  expect(await ended).toBe(0);
  expect(await shop.query('delete from shop.goods where id in (7, 8) returning id')).toHaveLength(2);
  expect(await activity(shop)).toEqual([]);
});

test('who does not finish in the grace period is cut off: nothing of a write is kept, and the database is left alone', async () => {
  const server = await shop.startProcess({ APP_SERVER_SHUTDOWN_GRACE_MS: '100' });
  await lockGoods();
  const lost = [
    server.ask('{ shopGoods { id } }'),
    server.ask('mutation { a: createShopGoods(input: {id: 7, name: "x"}) { id } b: deleteShopGoods(id: 1) { id } }'),
  ].map((request) => request.catch((error: unknown) => error));
  await until(async () => (await waiting()) === lost.length);
  expect(await server.stop()).toBe(1);
  for (const outcome of await Promise.all(lost)) expect(outcome).toMatchObject({ code: 'ECONNRESET' });
  // The lock is still held, so the waiting statements were cancelled, or ended with their
  // connections.
  await until(async () => (await activity(shop)).length === 0);
  await lock.query('rollback');
  expect(await shop.query('select id from shop.goods order by id')).toEqual([{ id: 1 }, { id: 2 }]);
});

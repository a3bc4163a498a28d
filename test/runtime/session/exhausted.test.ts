import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { errorOf, type Reply } from '../rest/support/client.js';
import { activity, openShop, until, type Shop, type ShopServer } from './support/shop.js';

/** Number of the server's connections. */
const size = 3;
/** How long a request waits for a connection, in milliseconds. */
const patience = 1500;

let shop: Shop;
let server: ShopServer;
/** Holds a lock so that reads of the goods wait while its transaction is open. */
let lock: pg.Client;

beforeAll(async () => {
  shop = await openShop();
  server = await shop.start({
    APP_DATASOURCE_POOL_SIZE: String(size),
    APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: String(patience),
    APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '120000',
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await shop.drop();
});

beforeEach(async () => {
  lock = new pg.Client({ connectionString: shop.url });
  await lock.connect();
  await lock.query('begin; lock table shop.goods in access exclusive mode');
});
afterEach(async () => {
  await lock.end();
});

const blocked = async (): Promise<number> => (await activity(shop)).filter(({ waits }) => waits === 'Lock').length;

/**
 * Sends requests that take every connection and wait for the lock, alternating between the
 * protocols.
 */
async function takeAll(): Promise<readonly Promise<Reply>[]> {
  const requests = Array.from({ length: size }, (_, at) =>
    at % 2 === 0 ? server.get('/api/v1/goods?id=eq.1') : server.ask('{ shopGoods(where: {id: {eq: 1}}) { name } }'),
  );
  await until(async () => (await blocked()) === size);
  return requests;
}

test('what needs no database is answered while every connection is taken', async () => {
  const taken = await takeAll();
  const waiting = server.get('/api/v1/goods');
  const json = { 'content-type': 'application/json' };
  const answers: readonly (readonly [string, number, Promise<Reply>])[] = [
    ['liveness', 200, server.get('/health/live')],
    ['readiness', 200, server.get('/health/ready')],
    ['a bad token', 401, server.get('/api/v1/goods', { authorization: 'Bearer x.y.z' })],
    ['a bad token over GraphQL', 401, server.ask('{ shopGoods { id } }', { authorization: 'Bearer x.y.z' })],
    ['an unknown operator', 400, server.get('/api/v1/goods?id=resembles.1')],
    ['an unknown column', 400, server.get('/api/v1/goods?colour=eq.1')],
    ['an unknown table', 404, server.get('/api/v1/gods')],
    ['OPTIONS', 204, server.send('OPTIONS', '/api/v1/goods')],
    ['the description', 200, server.get('/api/v1')],
    ['a body that is no JSON', 400, server.send('POST', '/api/v1/goods', json, '{')],
    ['an invalid document', 200, server.ask('{ shopGoods { colour } }')],
    ['introspection', 200, server.ask('{ __schema { queryType { name } } }')],
    ['a GET of GraphQL', 400, server.send('GET', '/graphql')],
  ];
  for (const [what, status, answer] of answers) expect([what, (await answer).status]).toEqual([what, status]);
  expect(await blocked()).toBe(size);
  await lock.query('rollback');
  for (const request of [...taken, waiting]) expect((await request).status).toBe(200);
});

test('who waits longer than app.datasource.acquire-timeout-ms is told to come back, over both protocols', async () => {
  const taken = await takeAll();
  const [rest, graphql, write] = await Promise.all([
    server.get('/api/v1/goods'),
    server.ask('{ shopGoods { id } }'),
    server.send('POST', '/api/v1/goods', { 'content-type': 'application/json' }, '{"id": 9, "name": "x"}'),
  ]);
  for (const reply of [rest, graphql, write]) {
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('1');
  }
  expect(errorOf(rest)).toMatchObject({
    code: 'TW013',
    message: 'The server is busy: no connection to the database is free.',
  });
  expect(JSON.parse(graphql.text)).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW013' } }] });
  expect((await server.get('/health/ready')).status).toBe(503);
  expect((await server.get('/health/live')).status).toBe(200);
  await lock.query('rollback');
  for (const request of taken) expect((await request).status).toBe(200);
  expect((await server.get('/health/ready')).status).toBe(200);
});

test('a queue that is full refuses at once, and who is in it is served', async () => {
  const patient = await shop.start({ APP_DATASOURCE_POOL_SIZE: '1', APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '60000' });
  const taken = patient.get('/api/v1/goods?id=eq.1');
  await until(async () => (await blocked()) === 1);
  let refused = 0;
  const asked = Array.from({ length: 120 }, async () => {
    const { status, headers } = await patient.get('/api/v1/goods?id=eq.2');
    if (status === 503 && headers['retry-after'] === '1') refused += 1;
    return status;
  });
  // No request has timed out and the lock is still held, so these requests were refused because the
  // queue is full.
  await until(() => Promise.resolve(refused === 20));
  await lock.query('rollback');
  expect((await taken).status).toBe(200);
  expect((await Promise.all(asked)).filter((status) => status === 200)).toHaveLength(100);
  await patient.stop();
});

/** Begins a request of the user ada and returns its connection, which the test cuts. */
async function begin(head: string, body = ''): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(server.base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const length = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  const token = `authorization: Bearer ${await shop.token('ada')}\r\n`;
  socket.write(`${head} HTTP/1.1\r\nhost: ${hostname}\r\n${token}${length}\r\n${body}`);
  return socket;
}

const post = (document: string): [string, string] => ['POST /graphql', JSON.stringify({ query: document })];

test.each<[string, [string, string?]]>([
  ['a read over REST', ['GET /api/v1/goods']],
  ['a write over REST', ['POST /api/v1/goods', '{"id": 9, "name": "x"}']],
  ['a read over GraphQL', post('{ shopGoods { id } }')],
  ['a mutation', post('mutation { createShopGoods(input: {id: 9, name: "x"}) { id } }')],
  [
    'a mutation in the middle of its transaction',
    post('mutation { createShopNotes(input: {body: "x"}) { id } createShopGoods(input: {id: 9, name: "x"}) { id } }'),
  ],
])('a client that goes away: %s is stopped at the database, and nothing is kept', async (_name, request) => {
  const socket = await begin(...request);
  await until(async () => (await blocked()) === 1);
  socket.destroy();
  // The lock is still held, and no timeout is near: only a cancel ends the wait.
  await until(async () => (await blocked()) === 0);
  await until(async () => (await activity(shop)).every(({ state }) => state === 'idle'));
  await lock.query('rollback');
  expect((await server.get('/api/v1/goods?id=eq.9')).text).toContain('"data":[]');
  expect(await shop.query(`select * from shop.notes`)).toEqual([]);
});

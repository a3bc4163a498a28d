import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { describeWhere } from '../../support/describe-where.js';
import { freePort } from '../../support/free-port.js';
import { isListening } from '../../support/listening.js';
import { found } from '../../support/machine/machine.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { logged, until } from '../../support/until.js';
import { errorOf, type Reply } from '../rest/support/client.js';

const sql = `
  create schema shop;
  create table shop.items (id integer primary key, name text not null);
  create table shop.parts (id integer primary key, item_id integer not null references shop.items);
  insert into shop.items select n, 'item ' || n from generate_series(1, 50) n;`;

let served: Served;

beforeAll(async () => {
  served = await openServed({
    name: 'rates',
    sql,
    schema: 'shop',
    config: {
      'app.limits.rates': [
        { per: 'address', requests: 8, seconds: 600 },
        { per: 'user', requests: 5, cost: 100, seconds: 600 },
        { per: 'address', operation: 'shopItemsByPk', requests: 3, seconds: 600 },
        { per: 'address', operation: 'GET shop.items', requests: 4, seconds: 600 },
      ],
    },
  });
});
afterAll(() => served.drop());

const statuses = async (times: number, send: () => Promise<Reply>): Promise<readonly number[]> => {
  const found: number[] = [];
  for (let at = 0; at < times; at += 1) found.push((await send()).status);
  return found;
};

const bearer = async (user: string) => ({ authorization: `Bearer ${await served.token(user)}` });

interface Failed {
  readonly errors: readonly [{ readonly message: string; readonly extensions: Readonly<Record<string, string>> }];
}

describe('one process', () => {
  let server: ServedServer;
  let metrics: string;
  let addresses = 0;

  beforeAll(async () => {
    const port = await freePort();
    metrics = `http://127.0.0.1:${String(port)}/metrics`;
    server = await served.start({
      APP_SERVER_TRUST_PROXY: 'true',
      APP_REST_POSTGREST: '/rest/v1',
      APP_CORS_ORIGINS: 'https://app.example.com',
      APP_METRICS_PORT: String(port),
    });
  });
  afterAll(() => server.stop());

  /** A test has clients of its own. */
  const newAddress = () => {
    addresses += 1;
    return { 'x-forwarded-for': `198.51.100.${String(addresses)}` };
  };

  test('an answer says what is left, and one above the limit when to come back', async () => {
    const from = newAddress();
    const first = await server.get('/api/v1/items?limit=1', from);
    expect(first.status).toBe(200);
    expect(first.headers['ratelimit-policy']).toBe('"address";q=8;w=600, "address GET shop.items";q=4;w=600');
    expect(first.headers['ratelimit']).toMatch(
      /^"address";r=7;t=(600|599), "address GET shop\.items";r=3;t=(600|599)$/,
    );
    expect(await statuses(4, () => server.send('HEAD', '/api/v1/items/1', from))).toEqual([200, 200, 200, 429]);
    const refused = await server.get('/api/v1/items', from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
    expect(refused.headers['ratelimit']).toMatch(/"address GET shop\.items";r=0;t=\d+$/);
    expect(errorOf(refused)).toMatchObject({
      code: 'TW019',
      message: 'The rate "address GET shop.items" is exceeded.',
      details: '4 requests in 600 s are allowed, 0 are left, and this takes 1.',
    });
    const other = await server.send('POST', '/api/v1/items', { ...from, 'content-type': 'application/json' }, '{}');
    expect(other.status).toBe(400);
  });

  test('wrong tokens count for the address, from which a right one is refused then', async () => {
    const from = newAddress();
    const wrong = { ...from, authorization: 'Bearer wrong' };
    expect(await statuses(8, () => server.get('/api/v1/items', wrong))).toEqual(Array(8).fill(401));
    expect((await server.get('/api/v1/items', { ...from, ...(await bearer('eve')) })).status).toBe(429);
    expect((await server.ask('{ shopItems { id } }', from)).status).toBe(429);
    expect((await server.get('/api/v1/items', newAddress())).status).toBe(200);
  });

  test('an IPv6 network is one address, and what a client writes before its own is none', async () => {
    const sends = Array.from({ length: 9 }, (_, at) => `203.0.113.${String(at)}, 2001:db8:7::${String(at + 1)}`);
    const found: number[] = [];
    for (const each of sends) found.push((await server.get('/api/v1/nothing', { 'x-forwarded-for': each })).status);
    expect(found).toEqual([...Array<number>(8).fill(404), 429]);
  });

  test('health, preflights and the console are not limited', async () => {
    const from = newAddress();
    const origin = { ...from, origin: 'https://app.example.com' };
    const last = async () => server.get('/api/v1/nothing', origin);
    expect((await statuses(9, last)).at(-1)).toBe(429);
    expect((await last()).headers['access-control-expose-headers']).toContain('RateLimit, RateLimit-Policy');
    const preflight = { ...origin, 'access-control-request-method': 'POST' };
    expect(await statuses(3, () => server.send('OPTIONS', '/graphql', preflight))).toEqual([204, 204, 204]);
    expect(await statuses(3, () => server.get('/health/ready', from))).toEqual([200, 200, 200]);
    expect(await statuses(3, () => server.get('/schema.graphql', from))).toEqual([200, 200, 200]);
  });

  test('a user has one budget, from any address and by either protocol', async () => {
    const ann = await bearer('ann');
    expect((await server.get('/api/v1/items', { ...newAddress(), ...ann })).headers['ratelimit']).toContain(
      '"user";r=4;t=',
    );
    expect((await server.ask('{ nothing }', { ...newAddress(), ...ann })).headers['ratelimit']).toContain('"user";r=3');
    const addressed = newAddress();
    const graphql = () => server.ask('query Any { shopItems(limit: 1) { id } }', { ...addressed, ...ann });
    expect(await statuses(4, graphql)).toEqual([200, 200, 200, 429]);
    const refused = await graphql();
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((JSON.parse(refused.text) as Failed).errors[0]).toMatchObject({
      message: 'The rate "user" is exceeded.',
      extensions: { code: 'TW019' },
    });
    const ben = { ...addressed, ...(await bearer('ben')) };
    expect((await server.ask('{ shopItems { id } }', ben)).status).toBe(200);
  });

  test('a user has units of cost, and a cheaper document may still run', async () => {
    const from = { ...newAddress(), ...(await bearer('cid')) };
    expect(await statuses(4, () => server.ask('{ shopItems(limit: 30) { id } }', from))).toEqual([200, 200, 200, 429]);
    const cheap = await server.ask('{ shopItems(limit: 10) { id } }', from);
    expect(cheap.status).toBe(200);
    expect(cheap.headers['ratelimit']).toContain('"user cost";r=0');
  });

  test('a list of REST costs its rows, and those that are embedded', async () => {
    const from = { ...newAddress(), ...(await bearer('fay')) };
    const cost = async (query: string) =>
      /"user cost";r=(\d+)/.exec(
        (await server.get(`/rest/v1/${query}`, from)).headers['ratelimit']?.toString() ?? '',
      )?.[1];
    expect(await cost('items?limit=10')).toBe('90');
    expect(await cost('items?select=id,parts(id)&limit=2&parts.limit=3')).toBe('82');
  });

  test('a document that costs more than a whole window says so', async () => {
    const lists = Array.from({ length: 4 }, (_, at) => `l${String(at)}: shopItems { id }`).join(' ');
    const refused = await server.ask(`{ ${lists} }`, { ...newAddress(), ...(await bearer('dan')) });
    expect(refused.status).toBe(429);
    expect((JSON.parse(refused.text) as Failed).errors[0].extensions).toMatchObject({
      details: '100 cost in 600 s are allowed, 100 are left, and this takes 120.',
      hint: 'The request costs more than the whole quota of the rate: request fewer rows.',
    });
  });

  test('an operation counts by its root fields, whatever its name and its aliases', async () => {
    const from = newAddress();
    const field = (as: string) => `${as}: shopItemsByPk(id: 1) { id }`;
    expect((await server.ask(`query A { ${field('a')} ${field('b')} }`, from)).status).toBe(200);
    expect((await server.ask(`query B { ${field('c')} ${field('d')} }`, from)).status).toBe(429);
    expect((await server.ask(`query C { ${field('e')} }`, from)).status).toBe(200);
    expect((await server.ask(`{ ${field('f')} }`, from)).status).toBe(429);
    expect((await server.ask('{ shopItems { id } }', from)).status).toBe(200);
  });

  test('PostgREST’s form has its own shape', async () => {
    const from = newAddress();
    const replies: Reply[] = [];
    for (let at = 0; at < 5; at += 1) replies.push(await server.get('/rest/v1/items', from));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    const refused = replies.at(-1);
    expect(refused?.headers['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse(refused?.text ?? '')).toEqual({
      code: 'TW019',
      details: '4 requests in 600 s are allowed, 0 are left, and this takes 1.',
      hint: expect.stringMatching(/^Try again in \d+ s\.$/) as string,
      message: 'The rate "address GET shop.items" is exceeded.',
    });
  });

  test('an event stream is refused before it begins', async () => {
    const from = { ...newAddress(), accept: 'text/event-stream' };
    const send = () => server.ask('{ shopItemsByPk(id: 1) { id } }', from);
    expect(await statuses(4, send)).toEqual([200, 200, 200, 429]);
    expect(JSON.parse((await send()).text)).toMatchObject({ errors: [{ extensions: { code: 'TW019' } }] });
  });

  test('an operation of a WebSocket is refused by an error, and the connection stays', async () => {
    const { 'x-forwarded-for': address } = newAddress();
    let closes = 0;
    const client = socketFrom(server, address, () => (closes += 1));
    const ask = (query: string) => first(client, query);
    const byKey = '{ shopItemsByPk(id: 1) { id } }';
    for (let at = 0; at < 3; at += 1) expect(await ask(byKey)).toMatchObject({ data: { shopItemsByPk: { id: 1 } } });
    await expect(ask(byKey)).rejects.toMatchObject([{ extensions: { code: 'TW019' } }]);
    expect(await ask('{ shopItems(limit: 1) { id } }')).toMatchObject({ data: { shopItems: [{ id: 1 }] } });
    expect(closes).toBe(0);
    // With the handshake of the connection, these were six requests.
    expect((await server.get('/api/v1/nothing', { 'x-forwarded-for': address })).headers['ratelimit']).toContain('r=1');
    await client.dispose();
  });

  test('metrics count by rate, and the log has a line for many', async () => {
    const text = await (await fetch(metrics)).text();
    expect(text).toMatch(/tablewright_rate_limited_total\{rate="user"\} 2\n/);
    expect(text).toMatch(/tablewright_refusals_total\{code="TW019"\} \d+/);
    await logged(server, '"rate":"user","msg":"rate exceeded"');
    expect(server.log()).not.toContain('"code":"TW019"');
  });
});

const socketFrom = ({ base }: ServedServer, address: string, closed: () => void): Client =>
  createClient({
    url: `${base.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { headers: { 'x-forwarded-for': address } });
      }
    },
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: { closed },
  });

const first = (client: Client, query: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.subscribe({ query }, { next: resolve, error: reject, complete: () => undefined });
  });

describeWhere('redis-server')('two processes that share a Redis', () => {
  let port: number;
  let redis: ChildProcess;
  let servers: readonly ServedServer[];

  const startRedis = async (): Promise<ChildProcess> => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const started = spawn(found('redis-server')?.at ?? '', options, { stdio: 'ignore' });
    await until(() => isListening(port));
    return started;
  };

  beforeAll(async () => {
    port = await freePort();
    redis = await startRedis();
    const environment = {
      APP_LIMITS_RATES: JSON.stringify([{ per: 'user', requests: 4, seconds: 600 }]),
      APP_LIMITS_RATE_STORE: `redis://127.0.0.1:${String(port)}`,
    };
    servers = await Promise.all([served.start(environment), served.start(environment)]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    redis.kill('SIGKILL');
  });

  /** One request to each server in turn. */
  const byTurns = async (times: number, user: string): Promise<readonly number[]> => {
    const headers = await bearer(user);
    let turn = 0;
    return statuses(times, async () => {
      const server = servers[(turn += 1) % servers.length];
      if (server === undefined) throw new Error('no server');
      return server.get('/api/v1/items', headers);
    });
  };

  test('have one limit', async () => {
    expect(await byTurns(6, 'ann')).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await byTurns(1, 'ben')).toEqual([200]);
  });

  test('count alone while it is gone, and together when it is back', async () => {
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await Promise.all(servers.map((server) => logged(server, 'app.limits.rate-store does not answer')));
    expect(await byTurns(10, 'cid')).toEqual([...Array<number>(8).fill(200), 429, 429]);
    for (const server of servers) expect(server.log().split('does not answer')).toHaveLength(2);
    redis = await startRedis();
    let probe = 0;
    const together = async (): Promise<boolean> => {
      const found = await byTurns(5, `probe ${String((probe += 1))}`);
      return found.at(-1) === 429;
    };
    await until(together);
  });
});

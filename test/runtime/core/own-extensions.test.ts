import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { freePort } from '../../support/free-port.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { errorOf } from '../rest/support/client.js';

/** `custom.extensions`: every member, through the door of users. */

const sql = `
  create schema shop;
  create table shop.items (id integer primary key, name text not null);
  insert into shop.items select n, 'item ' || n from generate_series(1, 50) n;
  create table shop.notes (id integer primary key, owner text not null);
  insert into shop.notes values (1, 'ada'), (2, 'eve');
  alter table shop.notes enable row level security;
  create policy own on shop.notes using (owner = nullif(current_setting('request.user_id', true), ''));`;

const custom = `
import { refuse, type CustomServer, type Driver, type ServerExtension } from '@tablewright/runtime';

const told = { runs: [] as unknown[], asked: [] as unknown[], routes: [] as string[], wraps: [] as string[] };
const switches = { health: true };
const named = (name: string): ServerExtension => ({
  name,
  open: () => ({
    authenticate: (next) => (request) => { told.wraps.push(name); return next(request); },
    health: () => ({ [name]: true }),
  }),
});

const watch: ServerExtension = {
  name: 'watch',
  observe: (observation) => {
    if (observation.kind === 'refusal') throw new Error('The observer fails.');
    if (observation.kind === 'request') told.routes.push(observation.route);
  },
  open: ({ as }) => ({
    mounts: [
      {
        prefix: '/own',
        handler: async ({ url }, response, { id, caller }) => {
          if (url === '/own/refused') refuse('Not here.', 403);
          if (url === '/own/fails') throw new Error('secret of the code');
          if (url === '/own/unwell') switches.health = false;
          const asked = url === '/own/eve' ? as({ userId: 'eve' }) : caller;
          const { shopNotes } = await asked.query('{ shopNotes { id } }');
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ id, user: caller.identity.userId ?? null, shopNotes, told }));
          if (url === '/own/clear') for (const list of Object.values(told)) list.length = 0;
        },
      },
    ],
    admit: ({ identity, operations, cost, address }) => {
      told.asked.push({ user: identity.userId ?? null, operations: [...operations.keys()], cost, address });
      if (operations.has('shopItems') && identity.userId === 'mallory') refuse('Mallory has no items.', 403);
      if (operations.has('GET shop.items') && identity.userId === 'mallory') refuse('Mallory has no items.', 403);
    },
    authenticate: (next) => async (request) => {
      told.wraps.push('watch');
      const identity = await next(request);
      return request.headers['x-on-behalf'] === undefined ? identity : { ...identity, userId: String(request.headers['x-on-behalf']) };
    },
    driver: (next: Driver): Driver => ({
      run: async (statements, options) => {
        const rows = await next.run(statements, options);
        told.runs.push({ user: options?.identity?.userId ?? null, write: options?.write === true });
        return rows;
      },
      transaction: (work, options) => next.transaction(work, options),
      ping: () => next.ping(),
      stats: () => next.stats?.(),
      close: (grace) => next.close(grace),
    }),
    health: () => {
      if (!switches.health) throw new Error('It cannot tell.');
      return { runs: told.runs.length > 0 };
    },
    metrics: ({ gauge }) => {
      const runs = gauge('own_runs', 'Runs that the extension has seen.');
      return () => runs.set(told.runs.length);
    },
    close: (grace) => {
      Object.assign(globalThis, { graceOfExtension: grace });
      return new Promise(() => undefined);
    },
  }),
};

export const custom: CustomServer = { extensions: [named('inner'), watch] };
`;

let served: Served;
let server: ServedServer;
let metrics: string;

beforeAll(async () => {
  served = await openServed({ name: 'own_extensions', sql, schema: 'shop', custom });
  const port = String(await freePort());
  metrics = `http://127.0.0.1:${port}/metrics`;
  server = await served.start({
    APP_METRICS_PORT: port,
    APP_LIMITS_RATES: JSON.stringify([{ per: 'user', operation: 'GET /own', requests: 3, seconds: 600 }]),
    APP_SERVER_SHUTDOWN_GRACE_MS: '200',
    APP_LOG_LEVEL: 'error',
  });
});
afterAll(async () => {
  // It ends although the extension does not.
  expect(await server.stop()).toBe(0);
  expect(Reflect.get(globalThis, 'graceOfExtension')).toBeGreaterThanOrEqual(0);
  await served.drop();
});

const bearer = async (user: string) => ({ authorization: `Bearer ${await served.token(user)}` });

interface Told {
  readonly runs: readonly unknown[];
  readonly asked: readonly unknown[];
  readonly routes: readonly string[];
  readonly wraps: readonly string[];
}
interface Own {
  readonly user: string | null;
  readonly shopNotes: readonly unknown[];
  readonly told: Told;
}

/** What the extension has been told since the last time. Each asks as somebody new. */
let asker = 0;
async function told(): Promise<Told> {
  asker += 1;
  const reply = await server.get('/own/clear', await bearer(`asker ${String(asker)}`));
  expect(reply.status).toBe(200);
  return (JSON.parse(reply.text) as Own).told;
}

test('a path of its own reads the database as the sender, or as another identity', async () => {
  const own = await server.get('/own', { ...(await bearer('ada')), 'x-request-id': 'mine' });
  expect(JSON.parse(own.text)).toMatchObject({ id: 'mine', user: 'ada', shopNotes: [{ id: 1 }] });
  expect(own.headers['x-request-id']).toBe('mine');
  const eve = JSON.parse((await server.get('/own/eve', await bearer('ada'))).text) as Own;
  expect(eve.shopNotes).toEqual([{ id: 2 }]);
  expect((JSON.parse((await server.get('/own')).text) as Own).user).toBeNull();
});

test('its errors have the usual form, and tell nothing of the code', async () => {
  const refused = await server.get('/own/refused');
  expect([refused.status, errorOf(refused)]).toMatchObject([403, { code: 'TW016', message: 'Not here.' }]);
  const failed = await server.get('/own/fails');
  expect([failed.status, errorOf(failed).code]).toEqual([500, 'TW500']);
  expect(failed.text).not.toContain('secret');
  expect((await server.get('/own', { authorization: 'Bearer x' })).status).toBe(401);
  expect((await server.get('/owner')).status).toBe(404);
});

test('the rates of the settings count its paths', async () => {
  const from = await bearer('often');
  const statuses = [];
  for (let at = 0; at < 4; at += 1) statuses.push((await server.get('/own', from)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('it admits requests of both protocols and operations of sockets, and refuses by throwing', async () => {
  await told();
  const ada = await bearer('ada');
  expect((await server.get('/api/v1/items?limit=7', ada)).status).toBe(200);
  expect((await server.ask('{ shopItems(limit: 3) { id } }', ada)).status).toBe(200);
  const mallory = await bearer('mallory');
  const rest = await server.get('/api/v1/items', mallory);
  expect([rest.status, errorOf(rest).message]).toEqual([403, 'Mallory has no items.']);
  const graphql = await server.ask('{ shopItems { id } }', mallory);
  expect([graphql.status, graphql.text]).toEqual([403, expect.stringContaining('Mallory has no items.')]);
  const client = createClient({
    url: `${server.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: mallory,
  });
  const streamed = client.iterate({ query: '{ shopItems { id } }' });
  await expect(streamed.next()).rejects.toMatchObject([{ message: 'Mallory has no items.' }]);
  await client.dispose();
  const address = '127.0.0.1';
  expect((await told()).asked).toEqual([
    { user: 'ada', operations: ['GET shop.items'], cost: 7, address },
    { user: 'ada', operations: ['shopItems'], cost: 3, address },
    { user: 'mallory', operations: ['GET shop.items'], cost: expect.any(Number) as number, address },
    { user: 'mallory', operations: ['shopItems'], cost: expect.any(Number) as number, address },
    { user: 'mallory', operations: ['shopItems'], cost: expect.any(Number) as number, address },
    expect.objectContaining({ operations: ['GET /own'] }) as unknown,
  ]);
});

test('it wraps who sends a request, from the outside in the order of the list', async () => {
  await told();
  const reply = await server.get('/api/v1/notes?select=id', { ...(await bearer('ada')), 'x-on-behalf': 'eve' });
  expect(JSON.parse(reply.text)).toMatchObject({ data: [{ id: 2 }] });
  expect((await told()).wraps.slice(0, 2)).toEqual(['watch', 'inner']);
});

test('it sees the statements of requests, with who they are for', async () => {
  await told();
  const ada = await bearer('ada');
  await server.get('/api/v1/notes', ada);
  await server.ask('{ shopNotes { id } }');
  await server.send('POST', '/api/v1/items', { ...ada, 'content-type': 'application/json' }, '{"id":60,"name":"a"}');
  const { runs } = await told();
  expect(runs.slice(0, 3)).toEqual([
    { user: 'ada', write: false },
    { user: null, write: false },
    { user: 'ada', write: true },
  ]);
});

test('it observes, and what it throws is logged and goes no further', async () => {
  await told();
  expect((await server.get('/api/v1/nothing')).status).toBe(404);
  expect((await server.get('/api/v1/items')).status).toBe(200);
  expect((await told()).routes.filter((route) => route !== '/own')).toEqual(['/api/v1', '/api/v1']);
  expect(server.log()).toContain('The observer fails.');
});

test('it adds to /health and to the metrics; what it cannot tell is left out', async () => {
  const health = async (): Promise<unknown> => JSON.parse((await server.get('/health/ready')).text);
  expect((await server.get('/api/v1/items')).status).toBe(200);
  expect(await health()).toMatchObject({ inner: true, runs: true });
  expect(await (await fetch(metrics)).text()).toMatch(/^tablewright_own_runs \d+$/m);
  expect((await server.get('/own/unwell', await bearer('doctor'))).status).toBe(200);
  const told = await health();
  expect(told).toMatchObject({ inner: true });
  expect(told).not.toHaveProperty('runs');
});

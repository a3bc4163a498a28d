import { freePort } from '../../support/free-port.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { logged, until } from '../../support/until.js';
import { errorOf, type Reply } from '../../runtime/rest/support/client.js';
import { openClient, watch, type Watching } from '../../runtime/changes/support/live.js';
import { openBlackHole, openTenants, ownName, type BlackHole, type ServedTenants } from './support.js';

const all = 8;
/** Connections of all tenants together. */
const budget = 5;

let tenants: ServedTenants;
let hole: BlackHole;
let server: ServedServer;
let metrics: number;

beforeAll(async () => {
  tenants = await openTenants(all);
  hole = await openBlackHole();
  metrics = await freePort();
  server = await tenants.start(
    { dead: 'postgres://nobody@127.0.0.1:1/nowhere', hole: hole.url, other: 'mysql://nobody@127.0.0.1/nowhere' },
    {
      APP_REST_POSTGREST: '/rest/v1',
      APP_MCP: 'true',
      APP_CHANGES_SOURCE: 'notify',
      APP_METRICS_PORT: String(metrics),
      APP_DATASOURCE_POOL_SIZE: '3',
      APP_DATASOURCE_TENANT_CONNECTIONS: String(budget),
      APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '60000',
      APP_LIMITS_RATES: JSON.stringify([
        { per: 'user', operation: 'GET shop.notes', requests: 2, seconds: 600 },
        { per: 'tenant', operation: 'whereAmI', requests: 2, seconds: 600 },
      ]),
    },
  );
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  hole.close();
  await tenants.drop();
});

const at = (tenant: string) => ({ 'x-tenant': tenant });
const item = '{ shopItemsByPk(id: 1) { name } }';
const namesIn = ({ text }: Reply): readonly unknown[] =>
  [...text.matchAll(/"name\\*":\s*\\*"(?<name>[^"\\]*)/g)].map(({ groups }) => groups?.['name']);
const statusOf = async (tenant: string): Promise<number> => (await server.ask(item, at(tenant))).status;

async function tool(tenant: string): Promise<Reply> {
  const call = { name: 'query_rows', arguments: { table: 'items' } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...at(tenant) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  return server.send('POST', '/mcp', headers, body);
}

describe('requests', () => {
  const ways: Readonly<Record<string, (tenant: string) => Promise<Reply>>> = {
    GraphQL: (tenant) => server.ask(item, at(tenant)),
    REST: (tenant) => server.get('/api/v1/items?limit=5', at(tenant)),
    'REST by key': (tenant) => server.get('/api/v1/items/1', at(tenant)),
    "PostgREST's form": (tenant) => server.get('/rest/v1/items?select=name', at(tenant)),
    'a route of custom code': (tenant) => server.get('/names', at(tenant)),
    'another identity of custom code': (tenant) => server.get('/names-as/somebody', at(tenant)),
    'another tenant of custom code': (tenant) => server.get(`/names-of/${tenant}`, at('t0')),
  };

  test.each(Object.entries(ways))('read the rows of their own tenant alone: %s', async (_, ask) => {
    for (let round = 0; round < 2; round += 1) {
      const replies = await Promise.all(tenants.names.map(ask));
      expect(replies.map(namesIn)).toEqual(tenants.names.map((name) => [ownName(name)]));
    }
  });

  test('have the same key and the same document at once', async () => {
    const asked = Array.from({ length: 200 }, (_, n) => tenants.names[n % all] ?? '');
    const replies = await Promise.all(asked.map((tenant) => server.ask(item, at(tenant))));
    expect(replies.map(namesIn)).toEqual(asked.map((tenant) => [ownName(tenant)]));
  });

  test('of agents, too', async () => {
    for (const tenant of ['t0', 't1']) expect((await tool(tenant)).text).toContain(ownName(tenant));
  });

  test('write to their own tenant, as the identity that hooks see', async () => {
    const authorization = `Bearer ${await tenants.served.token('ann')}`;
    const insert = 'mutation { createShopNotes(input: { owner: "ann" }) { body } }';
    const written = await server.ask(insert, { authorization, ...at('t2') });
    expect(written.text).toContain('"body":"t2"');
    expect(await tenants.run('t2', 'select owner, body from shop.notes')).toEqual([{ owner: 'ann', body: 't2' }]);
    expect(await tenants.run('t3', 'select * from shop.notes')).toEqual([]);
    expect((await server.get('/api/v1/notes?limit=5', { authorization, ...at('t3') })).text).toContain('"data":[]');
  });

  test('are answered with a tag that is of the body, and vary by what tenants are chosen by', async () => {
    const first = await server.get('/api/v1/items/1', at('t0'));
    expect(first.headers.vary).toContain('X-Tenant');
    const named = { 'if-none-match': String(first.headers.etag) };
    expect((await server.get('/api/v1/items/1', { ...at('t0'), ...named })).status).toBe(304);
    expect(namesIn(await server.get('/api/v1/items/1', { ...at('t1'), ...named }))).toEqual([ownName('t1')]);
  });

  test.each(['nobody', 'constructor', '__proto__', ''])(
    'of the unknown tenant "%s" are 404, without a connection',
    async (name) => {
      const before = hole.accepted();
      for (const path of ['/api/v1/items', '/rest/v1/items', '/names'])
        expect(await server.get(path, at(name))).toMatchObject({ status: 404 });
      const refused = await server.ask(item, at(name));
      expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('TW020')]);
      expect((await tool(name)).status).toBe(404);
      expect(hole.accepted()).toBe(before);
    },
  );

  test('of no tenant are 404, and code of the user that names none has no database', async () => {
    expect(errorOf(await server.get('/api/v1/items'))).toMatchObject({ code: 'TW020' });
    expect(Object.keys(await tenants.connections()).sort()).not.toContain('undefined');
  });
});

test('the code of docs/tenants.md chooses by the host', async () => {
  const host = await tenants.start({}, { TENANTS_OF_PAGE: 'yes' });
  const asked = async (name: string) => host.get('/api/v1/items', { host: `${name}.localhost` });
  expect(namesIn(await asked('acme'))).toEqual([ownName('t0')]);
  expect(namesIn(await asked('globex'))).toEqual([ownName('t1')]);
  expect((await asked('127')).status).toBe(404);
  expect(await host.stop()).toBe(0);
});

test('rates count each tenant apart', async () => {
  const authorization = `Bearer ${await tenants.served.token('bob')}`;
  const statuses = async (tenant: string): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { status } = await server.get('/api/v1/notes', { authorization, ...at(tenant) });
      found.push(status);
    }
    return found;
  };
  expect(await statuses('t4')).toEqual([200, 200, 429]);
  expect(await statuses('t5')).toEqual([200, 200, 429]);
  const called = async (tenant: string): Promise<readonly number[]> =>
    [
      await server.ask('query whereAmI { __typename }', at(tenant)),
      await server.ask('query whereAmI { __typename }', at(tenant)),
      await server.ask('query whereAmI { __typename }', at(tenant)),
    ].map(({ status }) => status);
  expect(await called('t4')).toEqual([200, 200, 429]);
  expect(await called('t5')).toEqual([200, 200, 429]);
});

describe('a database that cannot be used', () => {
  test.each(['dead', 'hole'])('refuses its own tenant, and harms no other one: %s', async (tenant) => {
    let settled = 0;
    const refused = Array.from({ length: 20 }, () => server.ask(item, at(tenant)).finally(() => (settled += 1)));
    const others = await Promise.all(
      Array.from({ length: 100 }, (_, n) => server.ask(item, at(tenants.names[n % all] ?? ''))),
    );
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await server.get('/health/ready')).status).toBe(200);
    if (tenant === 'hole') {
      // Others did not wait for it, and it was asked with few connections at a time.
      expect(settled).toBe(0);
      expect(hole.accepted()).toBeLessThanOrEqual(4);
      hole.refuse();
    }
    for (const reply of await Promise.all(refused))
      expect([reply.status, reply.text]).toEqual([503, expect.stringContaining('TW013')]);
    // Without another attempt, for a moment, which a slow machine may miss.
    await until(async () => {
      const before = hole.accepted();
      expect(await statusOf(tenant)).toBe(503);
      return tenant === 'dead' || hole.accepted() === before;
    });
  });

  test('of another kind is a mistake of the operator', async () => {
    expect(await statusOf('other')).toBe(500);
    await logged(server, 'of another kind');
  });

  test('of another schema is 503 until it has the same', async () => {
    expect(await statusOf('t6')).toBe(200);
    await tenants.run('t6', 'alter table shop.items rename column name to title');
    await until(async () => (await statusOf('t6')) === 503);
    const refused = await server.ask(item, at('t6'));
    expect(refused.text).toContain('another schema');
    await logged(server, '"tenant":"t6","reason":"The database of this tenant has another schema than this API."');
    expect(await statusOf('t5')).toBe(200);
    await tenants.run('t6', 'alter table shop.items rename column title to name');
    await until(async () => (await statusOf('t6')) === 200);
    await logged(server, 'the database of a tenant is available');
  });
});

test('all tenants together have no more connections than the budget', async () => {
  const open: number[] = [];
  const counted: number[] = [];
  const state = { isOver: false };
  const page = async () => (await fetch(`http://127.0.0.1:${String(metrics)}/metrics`)).text();
  const total = async (): Promise<number> => {
    const { '': own = 0, ...others } = await tenants.connections();
    expect(own).toBeLessThanOrEqual(3);
    return Object.values(others).reduce((sum, n) => sum + n, 0);
  };
  const watching = (async () => {
    while (!state.isOver) {
      open.push(await total());
      const states = [
        ...(await page()).matchAll(/^tablewright_tenant_connections\{[^}]*state="(?:idle|used)"\} (\d+)$/gm),
      ];
      counted.push(states.reduce((sum, [, n]) => sum + Number(n), 0));
    }
  })();
  const asked = Array.from({ length: 240 }, (_, n) => tenants.names[(n * 7) % all] ?? '');
  for (let from = 0; from < asked.length; from += 24) {
    const replies = await Promise.all(asked.slice(from, from + 24).map((tenant) => server.get('/names', at(tenant))));
    expect(replies.map(namesIn)).toEqual(asked.slice(from, from + 24).map((tenant) => [ownName(tenant)]));
  }
  state.isOver = true;
  await watching;
  expect(Math.max(...counted)).toBeLessThanOrEqual(budget);
  // A session of PostgreSQL exists a little longer than its connection.
  expect(Math.max(...open)).toBeLessThanOrEqual(2 * budget);
  await until(async () => (await total()) <= budget);
  expect(await page()).toMatch(/^tablewright_tenant_connections\{tenant="t0",state="idle"\} \d+$/m);
});

describe('subscriptions', () => {
  const document = 'subscription { shopItemsChanges { operation data { name } } }';
  const told = ({ events }: Watching) =>
    events.filter(({ operation }) => operation !== 'RESYNC').map(({ data }) => data?.['name']);

  test('receive the changes of their own tenant, and its feed ends with them', async () => {
    const [first = '', second = ''] = tenants.names;
    const clients = [first, first, second].map((tenant) =>
      openClient(server, undefined, { connectionParams: { tenant } }),
    );
    const watching = await Promise.all(clients.map((client) => watch(client, document)));
    for (const each of watching) await each.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    expect(Object.keys(await tenants.connections('tablewright changes')).sort()).toEqual([first, second]);
    for (const tenant of [first, second, 't2'])
      await tenants.run(tenant, `insert into shop.items select n, '${tenant} ' || n from generate_series(10, 29) n`);
    for (const each of watching) await each.until(() => told(each).length >= 20);
    expect(watching.map((each) => new Set(told(each).map((name) => String(name).split(' ')[0])))).toEqual(
      [first, first, second].map((tenant) => new Set([tenant])),
    );
    for (const client of clients) await client.dispose();
    await until(async () => Object.keys(await tenants.connections('tablewright changes')).length === 0);
  });

  test('over an event stream', async () => {
    const abort = new AbortController();
    const answer = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      signal: abort.signal,
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...at('t3') },
      body: JSON.stringify({ query: document }),
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const read = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
    };
    await read('RESYNC');
    await tenants.run('t4', `insert into shop.items values (50, 'of t4')`);
    await tenants.run('t3', `insert into shop.items values (50, 'of t3')`);
    await read('of t3');
    expect(text).not.toContain('of t4');
    abort.abort();
  });

  test('of an unknown tenant, and of one whose database is dead, are refused', async () => {
    const client = openClient(server, undefined, { connectionParams: { tenant: 'dead' } });
    const refused = await watch(client, document);
    await until(() => Promise.resolve(refused.isOver()));
    expect(JSON.stringify(refused.errors)).toContain('TW013');
    await client.dispose();
    const closed = await new Promise((resolve) => {
      openClient(server, undefined, {
        connectionParams: { tenant: 'nobody' },
        retryAttempts: 0,
        on: { closed: resolve },
      });
    });
    expect((closed as CloseEvent).code).toBe(4403);
  });
});

test('a changed API waits for each tenant, and needs no restart', async () => {
  const change = 'alter table shop.items add column colour text';
  const coloured = (tenant: string) => server.get('/api/v1/items/1?select=name,colour', at(tenant));
  await tenants.run('t7', change);
  await tenants.served.query(change);
  await tenants.served.query('notify tablewright');
  await until(async () => (await coloured('t7')).status === 200);
  expect(errorOf(await coloured('t0'))).toMatchObject({ code: 'TW013' });
  await tenants.run('t0', change);
  await until(async () => (await coloured('t0')).status === 200);
  expect(namesIn(await coloured('t7'))).toEqual([ownName('t7')]);
});

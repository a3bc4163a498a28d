import { errorOf, type Reply } from '../../runtime/rest/support/client.js';
import { describeWhere } from '../../support/describe-where.js';
import { startPgbouncer } from '../../support/pgbouncer.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { logged, until } from '../../support/until.js';
import { openSchemas, ownName, type ServedTenants } from './support.js';

const all = 6;

/** A schema that all tenants share, and functions of the server's own schema. */
const more = `
  create schema common;
  create table common.countries (code text primary key);
  insert into common.countries values ('ch');
  grant usage on schema common to public;
  grant select on common.countries to public;`;

let tenants: ServedTenants;
let server: ServedServer;

beforeAll(async () => {
  tenants = await openSchemas(all, { sql: more, config: { schemas: ['shop', 'common'] } });
  server = await start({
    APP_LIMITS_RATES: JSON.stringify([{ per: 'tenant', operation: 'once', requests: 1, seconds: 600 }]),
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await tenants.drop();
});

const start = (environment: Readonly<Record<string, string>> = {}): Promise<ServedServer> =>
  tenants.start(others(), {
    APP_REST_POSTGREST: '/rest/v1',
    APP_MCP: 'true',
    APP_CHANGES_SOURCE: 'notify',
    APP_DATASOURCE_TENANT_CONNECTIONS: '20',
    ...environment,
  });

/** Tenants whose addresses cannot be used. */
const others = () => {
  const url = tenants.served.roleUrl;
  return {
    absent: { url, schemas: { shop: 'nowhere' } },
    long: { url, schemas: { shop: 'x'.repeat(70) } },
    unserved: { url, schemas: { shpo: 'Of t0' } },
    twice: { url, schemas: { shop: 'Of t0', common: 'Of t0' } },
    hostile: { url, schemas: { shop: 'Of t0"."items" --' } },
  };
};

/** The API has two schemas: requests name one. */
const profile = { 'accept-profile': 'shop', 'content-profile': 'shop' };
const at = (tenant: string) => ({ 'x-tenant': tenant, ...profile });
const json = { 'content-type': 'application/json' };
const namesIn = ({ text }: Reply): readonly unknown[] =>
  [...text.matchAll(/"name\\*":\s*\\*"(?<name>[^"\\]*)/g)].map(({ groups }) => groups?.['name']);
const item = '{ shopItemsByPk(id: 1) { name state } }';

describe('requests', () => {
  const ways: Readonly<Record<string, (tenant: string) => Promise<Reply>>> = {
    GraphQL: (tenant) => server.ask(item, at(tenant)),
    'a filter by an enum of the schema': (tenant) =>
      server.ask('{ shopItems(where: { state: { eq: new } }, limit: 3) { name } }', at(tenant)),
    'two fields of a document': (tenant) =>
      server.ask('{ shopItemsByPk(id: 1) { id } shopNamed(limit: 1) { name } commonCountries { code } }', at(tenant)),
    REST: (tenant) => server.get('/api/v1/items?limit=5', at(tenant)),
    'REST, planned count': (tenant) => server.get('/api/v1/items?limit=5', { ...at(tenant), prefer: 'count=planned' }),
    'a view': (tenant) => server.get('/api/v1/named', at(tenant)),
    "PostgREST's form": (tenant) => server.get('/rest/v1/items?select=name', at(tenant)),
    'the query builder of custom code': (tenant) => server.get('/names', at(tenant)),
    'another tenant of custom code': (tenant) => server.get(`/names-of/${tenant}`, at('t0')),
  };

  test.each(Object.entries(ways))('read the rows of their own schema alone: %s', async (_, ask) => {
    for (let round = 0; round < 2; round += 1) {
      const replies = await Promise.all(tenants.names.map(ask));
      expect(replies.map(namesIn)).toEqual(tenants.names.map((name) => [ownName(name)]));
    }
  });

  test('call functions, whose unqualified names are those of the schema', async () => {
    for (const tenant of ['t0', 't1']) {
      const body = JSON.stringify({ state: 'new' });
      const called = await server.send('POST', '/rest/v1/rpc/first_name', { ...json, ...at(tenant) }, body);
      expect([called.status, called.text]).toEqual([200, JSON.stringify(ownName(tenant))]);
      const label = await server.get('/rest/v1/items?select=label&id=eq.1', at(tenant));
      expect(label.text).toContain(`${ownName(tenant)} new`);
    }
  });

  test('of agents, too', async () => {
    const call = { name: 'query_rows', arguments: { table: 'items' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const headers = { ...json, accept: 'application/json, text/event-stream' };
    for (const tenant of ['t0', 't1'])
      expect((await server.send('POST', '/mcp', { ...headers, ...at(tenant) }, body)).text).toContain(ownName(tenant));
  });

  test('write to their own schema: insert, merge, update, delete, nested, with the hooks', async () => {
    const authorization = `Bearer ${await tenants.served.token('ann')}`;
    const ask = (document: string) => server.ask(document, { authorization, ...at('t2') });
    expect((await ask('mutation { createShopNotes(input: { owner: "ann" }) { body } }')).text).toContain('"t2"');
    await ask('mutation { createShopItems(input: { id: 7, name: "seven", state: old }) { id } }');
    const headers = { ...json, ...at('t2'), prefer: 'resolution=merge-duplicates,return=representation' };
    const merged = await server.send('POST', '/api/v1/items', headers, JSON.stringify([{ id: 7, name: 'merged' }]));
    expect([merged.status, namesIn(merged)]).toEqual([200, ['merged']]);
    const patched = await server.send('PATCH', '/rest/v1/items?id=eq.7&select=name', headers, '{"price":1}');
    expect(namesIn(patched)).toEqual(['merged']);
    expect(await tenants.run('t2', 'select name, state, price::text from shop.items where id = 7')).toEqual([
      { name: 'merged', state: 'old', price: '1' },
    ]);
    expect((await server.send('DELETE', '/rest/v1/items?id=eq.7', at('t2'), '')).status).toBeLessThan(300);
    expect(await tenants.run('t2', 'select id from shop.items')).toEqual([{ id: 1 }]);
    expect(await tenants.run('t2', 'select owner, body from shop.notes')).toEqual([{ owner: 'ann', body: 't2' }]);
    for (const other of ['t0', 't3']) expect(await tenants.run(other, 'select * from shop.notes')).toEqual([]);
    expect(await tenants.served.query('select * from shop.notes')).toEqual([]);
  });

  test('that fail are answered in the names of the API', async () => {
    const authorization = `Bearer ${await tenants.served.token('ann')}`;
    const headers = { ...json, ...at('t1'), authorization };
    const note = (item: number) => JSON.stringify({ owner: 'ann', item });
    const made = await server.send('POST', '/api/v1/notes', { ...headers, prefer: 'return=representation' }, note(1));
    expect(made.status).toBe(201);
    const [{ id } = { id: 0 }] = (await tenants.run('t1', 'select id from shop.notes')) as readonly { id: number }[];
    const ask = (document: string) => server.ask(`mutation { ${document} }`, { authorization, ...at('t1') });
    const moved = await ask(`updateShopNotes(id: ${String(id)}, input: { item: 99 }) { id }`);
    expect(moved.text).toContain('refers to a row that does not exist');
    const used = await ask('updateShopItems(id: 1, input: { id: 2 }) { id }');
    expect(used.text).toContain('Other rows still refer to the row');
    expect(`${moved.text}${used.text}`).not.toContain('Of t1');
  });

  test('are not answered from the server’s own schema, nor from `public`, when a table is gone', async () => {
    await tenants.run('t5', 'alter table shop.items rename to gone');
    const asked = await server.ask(item, at('t5'));
    expect(asked.text).not.toMatch(/of public|of the server/);
    await until(async () => (await server.ask(item, at('t5'))).status === 503);
    expect((await server.ask(item, at('t4'))).status).toBe(200);
    await tenants.run('t5', 'alter table shop.gone rename to items');
    await until(async () => (await server.ask(item, at('t5'))).status === 200);
    expect(namesIn(await server.ask(item, at('t5')))).toEqual([ownName('t5')]);
  });

  test('count their rates apart', async () => {
    const once = async (tenant: string) => (await server.ask('query once { __typename }', at(tenant))).status;
    expect([await once('t3'), await once('t3'), await once('t4')]).toEqual([200, 429, 200]);
  });
});

describe('an address that cannot be used', () => {
  test.each([
    ['absent', 503],
    ['long', 503],
    ['hostile', 503],
    ['unserved', 500],
    ['twice', 500],
  ])('is refused: %s', async (tenant, status) => {
    const refused = await server.ask(item, at(tenant));
    expect([refused.status, namesIn(refused)]).toEqual([status, []]);
    expect(namesIn(await server.ask(item, at('t0')))).toEqual([ownName('t0')]);
  });

  test('the log says why', async () => {
    await logged(server, 'shpo');
    await logged(server, 'named twice');
    await logged(server, '"tenant":"absent"');
  });
});

test('a schema that differs is refused alone: a column, a label, a reference to the server’s schema', async () => {
  const changes = [
    ['alter table shop.items add column colour text', 'alter table shop.items drop column colour'],
    [`alter type shop.state rename value 'old' to 'older'`, `alter type shop.state rename value 'older' to 'old'`],
    [
      'alter table shop.notes drop constraint notes_item',
      'alter table shop.notes add constraint notes_item foreign key (item) references shop.items',
    ],
  ] as const;
  for (const [change, back] of changes) {
    const restarted = await start();
    await tenants.run('t4', change);
    expect(errorOf(await restarted.get('/api/v1/items', at('t4')))).toMatchObject({ code: 'TW013' });
    expect((await restarted.get('/api/v1/items', at('t3'))).status).toBe(200);
    await tenants.run('t4', back);
    await until(async () => (await restarted.get('/api/v1/items', at('t4'))).status === 200);
    expect(await restarted.stop()).toBe(0);
  }
  // `run` writes the name of the tenant's schema for the prefix alone.
  await tenants.run('t4', 'alter table shop.notes drop constraint notes_item');
  await tenants.served.query(
    'alter table "Of t4".notes add constraint notes_item foreign key (item) references shop .items',
  );
  const restarted = await start();
  expect(errorOf(await restarted.get('/api/v1/items', at('t4')))).toMatchObject({ code: 'TW013' });
  expect(await restarted.stop()).toBe(0);
  const [drop, restore] = changes[2];
  for (const each of [drop, restore]) await tenants.run('t4', each);
});

test('a changed API waits for each tenant, and needs no restart', async () => {
  const change = 'alter table shop.items add column size int';
  const sized = (tenant: string) => server.get('/api/v1/items/1?select=name,size', at(tenant));
  await tenants.run('t3', change);
  await tenants.served.query(change);
  await tenants.served.query('notify tablewright');
  await until(async () => (await sized('t3')).status === 200);
  expect(namesIn(await sized('t3'))).toEqual([ownName('t3')]);
  expect(errorOf(await sized('t1'))).toMatchObject({ code: 'TW013' });
  for (const tenant of tenants.names) if (tenant !== 't3') await tenants.run(tenant, change);
  await until(async () => (await sized('t1')).status === 200);
});

describeWhere('pgbouncer')('behind PgBouncer, which tenants share', () => {
  test('reads and functions find their own schema', async () => {
    const pooler = await startPgbouncer({ server: tenants.served.url, poolSize: 2 });
    const url = new URL(tenants.served.roleUrl);
    url.host = pooler.address;
    const pooled = await tenants.start(
      Object.fromEntries(tenants.names.map((name) => [name, { url: url.href, schemas: { shop: `Of ${name}` } }])),
      { APP_REST_POSTGREST: '/rest/v1', APP_DATASOURCE_POOLER: 'transaction', APP_CHANGES_SOURCE: 'off' },
    );
    try {
      const asked = Array.from({ length: 60 }, (_, n) => tenants.names[n % all] ?? '');
      const called = await Promise.all(
        asked.map((tenant) =>
          pooled.send('POST', '/rest/v1/rpc/first_name', { ...json, ...at(tenant) }, '{"state":"new"}'),
        ),
      );
      expect(called.map(({ text }) => text)).toEqual(asked.map((tenant) => JSON.stringify(ownName(tenant))));
      const read = await Promise.all(asked.map((tenant) => pooled.ask(item, at(tenant))));
      expect(read.map(namesIn)).toEqual(asked.map((tenant) => [ownName(tenant)]));
    } finally {
      await pooled.stop();
      await pooler.stop();
    }
  });
});

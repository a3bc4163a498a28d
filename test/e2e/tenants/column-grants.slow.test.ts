import type { ServedServer } from '../../support/served-as-role.js';
import { until } from '../../support/until.js';
import { openSchemas, openTenants, type ServedTenants } from './support.js';

/** A role has grants on some columns, and not on the key, in the database of one tenant alone. */
describe.each([
  ['databases', openTenants],
  ['schemas', openSchemas],
] as const)('grants on columns of tenants with %s', (_, open) => {
  let tenants: ServedTenants;
  let server: ServedServer;
  const role = (): string => new URL(tenants.served.roleUrl).username;

  beforeAll(async () => {
    tenants = await open(2);
    for (const name of tenants.names)
      await tenants.run(name, `insert into shop.items values (2, 'second', 1), (3, 'third', 1)`);
    await tenants.run('t1', `revoke all on shop.items from ${role()}`);
    await tenants.run('t1', `grant select (name, price), insert, update, delete on shop.items to ${role()}`);
    server = await tenants.start({}, { APP_DRIFT_PROBE_MS: '100', APP_REST_POSTGREST: '/rest/v1' });
  });
  afterAll(async () => {
    await server.stop();
    await tenants.drop();
  });

  const send = (tenant: string, method: string, path: string, body?: unknown) =>
    server.send(
      method,
      path,
      { 'x-tenant': tenant, 'content-type': 'application/json', prefer: 'return=representation' },
      body === undefined ? undefined : JSON.stringify(body),
    );
  const statusOf = async (tenant: string, path: string): Promise<number> => (await send(tenant, 'GET', path)).status;
  const names = '/rest/v1/items?select=name&price=eq.1&order=price';

  test('code that acts at a tenant is the first to use it', async () => {
    const { status, text } = await server.send('GET', '/prices-of/t1', { 'x-tenant': 't0' });
    expect([status, text]).toEqual([200, expect.stringContaining('second')]);
  });

  test('the first request of each tenant is made for its grants', async () => {
    for (const tenant of ['t1', 't0', 't1']) {
      const { status, text } = await send(tenant, 'GET', names);
      expect({ tenant, status, names: text.match(/second|third/g)?.toSorted() }).toEqual({
        tenant,
        status: 200,
        names: ['second', 'third'],
      });
    }
    expect(await statusOf('t0', '/api/v1/items?select=id')).toBe(200);
    expect(await statusOf('t1', '/api/v1/items?select=id')).toBe(403);
  });

  test('connections and answers of writes leave the key out, too', async () => {
    for (const tenant of ['t0', 't1']) {
      const page = await server.ask('{ shopItemsConnection(first: 2, orderBy: { price: ASC }) { nodes { name } } }', {
        'x-tenant': tenant,
      });
      expect(page.text).not.toContain('errors');
      const changed = await send(tenant, 'PATCH', '/api/v1/items?name=eq.second&select=name', { price: 1 });
      expect([changed.status, changed.text]).toEqual([200, '[{"name":"second"}]']);
    }
  });

  test('grants that change are found with the next look', async () => {
    await tenants.run('t0', `revoke all on shop.items from ${role()}`);
    await tenants.run('t0', `grant select (name, price) on shop.items to ${role()}`);
    await tenants.run('t1', `grant select on shop.items to ${role()}`);
    await until(async () => (await statusOf('t0', names)) === 200);
    expect(await statusOf('t0', '/api/v1/items?select=id')).toBe(403);
    expect(await statusOf('t1', '/rest/v1/items?select=id&order=id')).toBe(200);
  });
});

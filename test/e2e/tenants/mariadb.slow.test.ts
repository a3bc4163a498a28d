import { openClient, watch } from '../../runtime/changes/support/live.js';
import { errorOf, type Reply } from '../../runtime/rest/support/client.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { logged, until } from '../../support/until.js';
import { openMariadb, ownName, type MysqlTenants } from './support.js';

const all = 5;
const at = (tenant: string) => ({ 'x-tenant': tenant });
const namesIn = ({ text }: Reply): readonly unknown[] =>
  [...text.matchAll(/"(?:name|result)\\*":\s*\\*"(?<name>[^"\\]*)/g)].map(({ groups }) => groups?.['name']);
const item = '{ shopItemsByPk(id: 1) { name } }';

describeOwnMariadb('tenants on MariaDB', () => {
  let tenants: MysqlTenants;
  let server: ServedServer;

  beforeAll(async () => {
    tenants = await openMariadb(all);
    server = await tenants.start(
      { absent: 'mysql://root@127.0.0.1:1/nowhere', other: 'postgres://nobody@127.0.0.1/nowhere' },
      { APP_CHANGES_SOURCE: 'binlog', APP_MCP: 'true', APP_DATASOURCE_TENANT_CONNECTIONS: '20' },
    );
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await tenants.drop();
  });

  const ways: Readonly<Record<string, (tenant: string) => Promise<Reply>>> = {
    GraphQL: (tenant) => server.ask(item, at(tenant)),
    'two fields of a document': (tenant) =>
      server.ask('{ shopItemsByPk(id: 1) { id } shopNamed(limit: 1) { name } }', at(tenant)),
    REST: (tenant) => server.get('/api/v1/items?limit=5', at(tenant)),
    'full-text search': (tenant) =>
      server.ask('{ shopItems(where: { name: { search: "only" } }) { name } }', at(tenant)),
    'the query builder of custom code': (tenant) => server.get('/names', at(tenant)),
    'another tenant of custom code': (tenant) => server.get(`/names-of/${tenant}`, at('t0')),
  };

  test.each(Object.entries(ways))('requests read the rows of their own database alone: %s', async (_, ask) => {
    for (let round = 0; round < 2; round += 1) {
      const replies = await Promise.all(tenants.names.map(ask));
      expect(replies.map(namesIn)).toEqual(tenants.names.map((name) => [ownName(name)]));
    }
  });

  test('requests write to their own database, as the identity that hooks see', async () => {
    const insert = 'mutation { createShopNotes(input: { owner: "ann", item: 1 }) { body } }';
    expect((await server.ask(insert, at('t1'))).text).toContain('"body":"t1"');
    expect((await server.get('/api/v1/notes?limit=5', at('t2'))).text).toContain('"data":[]');
    const called = await server.ask('mutation { callShopRenameFirst(given: "renamed") }', at('t1'));
    expect(called.status).toBe(200);
    expect(namesIn(await server.ask(item, at('t1')))).toEqual(['renamed']);
    expect(namesIn(await server.ask(item, at('t2')))).toEqual([ownName('t2')]);
    await tenants.load('t1', `update items set name = '${ownName('t1')}'`);
  });

  test('failures are answered in the names of the API', async () => {
    const refused = await server.ask(
      'mutation { createShopNotes(input: { owner: "ann", item: 99 }) { id } }',
      at('t1'),
    );
    expect(refused.text).toContain('notes_item');
    expect(refused.text).not.toContain('of-t1');
  });

  test('a database that cannot be used is refused alone', async () => {
    expect((await server.ask(item, at('absent'))).status).toBe(503);
    expect((await server.ask(item, at('other'))).status).toBe(500);
    await logged(server, 'of another kind');
    expect((await server.ask(item, at('nobody'))).status).toBe(404);
    await tenants.load('t4', 'alter table items rename column name to title');
    await until(async () => (await server.ask(item, at('t4'))).status === 503);
    expect(errorOf(await server.get('/api/v1/items', at('t4')))).toMatchObject({ code: 'TW013' });
    expect((await server.ask(item, at('t3'))).status).toBe(200);
    await tenants.load('t4', 'alter table items rename column title to name');
    await until(async () => (await server.ask(item, at('t4'))).status === 200);
  });

  test('subscribers receive the changes of their own database', async () => {
    const document = 'subscription { shopItemsChanges { operation data { name } } }';
    const own = ['t0', 't2'];
    const clients = own.map((tenant) => openClient(server, undefined, { connectionParams: { tenant } }));
    const watching = await Promise.all(clients.map((client) => watch(client, document)));
    for (const each of watching) await each.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    for (const tenant of tenants.names)
      for (let id = 10; id < 20; id += 1)
        await tenants.load(tenant, `insert into items values (${String(id)}, '${tenant}', 1)`);
    for (const [n, tenant] of own.entries()) {
      const each = watching[n];
      await each?.until((events) => events.filter(({ operation }) => operation === 'INSERT').length >= 10);
      expect(each?.events.flatMap(({ data }) => data?.['name'] ?? [])).toEqual(
        Array.from({ length: 10 }, () => tenant),
      );
    }
    for (const client of clients) await client.dispose();
  });
});

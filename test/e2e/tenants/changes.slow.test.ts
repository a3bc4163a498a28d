import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'graphql-ws';
import { openClient, watch, type Watching } from '../../runtime/changes/support/live.js';
import { describeWhere } from '../../support/describe-where.js';
import { startEmbedded } from '../../support/embedded.js';
import { freePort } from '../../support/free-port.js';
import { loadSql, type TestDatabase } from '../../support/postgres.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { until } from '../../support/until.js';
import { openSchemas, openTenants, ownName, type ServedTenants } from './support.js';

const document = 'subscription { shopItemsChanges { operation data { name } } }';
const fromNow = 'subscription { shopItemsChanges(snapshot: true) { operation key data { name } } }';

/** Brokers over which processes share the changes that one of them reads. */
const hubs = [
  ['none', 0, describe],
  ['nats', 4222, describeWhere('nats')],
  ['redis', 6379, describeWhere('redis')],
] as const;

/** A database on a server of its own, whose log can be read. */
async function openReadable(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-tenants-'));
  if (process.getuid?.() === 0) await chmod(folder, 0o777);
  const settings = ['wal_level=logical', 'max_connections=200', 'max_replication_slots=20', 'max_wal_senders=20'];
  const server = await startEmbedded({ folder: join(folder, 'data'), port: await freePort(), settings });
  await loadSql(server.url, 'create database tenants');
  const url = new URL(server.url);
  url.pathname = '/tenants';
  return {
    url: url.href,
    drop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const kinds = [
  ['databases', openTenants],
  ['schemas of one database', openSchemas],
] as const;

describe.each(kinds)('tenants that are %s', (_, open) => {
  let tenants: ServedTenants;

  beforeAll(async () => {
    tenants = await open(3, { database: await openReadable() });
    const publication = 'create publication tablewright for all tables';
    await tenants.served.query(publication);
    if (open === openTenants) for (const name of tenants.names) await tenants.run(name, publication);
  });
  afterAll(() => tenants.drop());

  describe.each(hubs)('read the log, with the hub %s', (hub, port, describeHere) => {
    describeHere('from two processes', () => {
      let servers: readonly ServedServer[] = [];
      const clients: Client[] = [];

      beforeAll(async () => {
        const environment = {
          APP_CHANGES_SOURCE: 'wal',
          APP_CHANGES_URL: tenants.served.url,
          APP_CHANGES_HUB: hub,
          APP_CHANGES_HUB_URL: `${hub}://127.0.0.1:${String(port)}`,
          APP_CHANGES_HUB_SUBJECT: `tablewright.test.${randomBytes(4).toString('hex')}`,
        };
        servers = [await tenants.start({}, environment), await tenants.start({}, environment)];
      });
      afterAll(async () => {
        for (const client of clients) await client.dispose();
        for (const server of servers) expect(await server.stop()).toBe(0);
      });

      test('each subscriber receives the changes of its own tenant, once', async () => {
        const [first = '', second = ''] = tenants.names;
        const watching: (readonly [tenant: string, watching: Watching])[] = [];
        for (const server of servers)
          for (const tenant of [first, second]) {
            const client = openClient(server, undefined, { connectionParams: { tenant } });
            clients.push(client);
            watching.push([tenant, await watch(client, document)]);
          }
        for (const [, each] of watching) await each.until((events) => events.length > 0);
        if (hub !== 'none') {
          // One process reads for both. Others wait for their turn, without a slot.
          const slots = () =>
            tenants.served.query<{ n: number }>(`select count(*)::int as n from pg_replication_slots where active`);
          await until(async () => (await slots())[0]?.n === 2);
        }
        await tenants.served.query(`insert into shop.items select n, 'of the server' from generate_series(100, 119) n`);
        for (const tenant of tenants.names)
          await tenants.run(tenant, `insert into shop.items select n, '${tenant}' from generate_series(100, 119) n`);
        for (const [tenant, { until: told }] of watching) {
          const inserted = await new Promise<readonly unknown[]>((resolve, reject) => {
            told((events) => {
              const found = events.flatMap(({ operation, data }) => (operation === 'INSERT' ? [data?.['name']] : []));
              if (found.length >= 20) resolve(found);
              return found.length >= 20;
            }).catch(reject);
          });
          expect(inserted).toEqual(Array.from({ length: 20 }, () => tenant));
        }
        for (const [tenant, { events }] of watching)
          expect(new Set(events.flatMap(({ data }) => data?.['name'] ?? []))).toEqual(new Set([tenant]));
        for (const [at, client] of clients.entries()) {
          const tenant = at % 2 === 0 ? first : second;
          const begun = await watch(client, fromNow);
          await begun.until((events) => events.length >= 21);
          const rows = begun.events.map(({ operation, key, data }) => [operation, key?.['id'], data?.['name']]);
          const later = Array.from({ length: 20 }, (_, n) => ['SNAPSHOT', 100 + n, tenant]);
          expect(rows).toEqual([['SNAPSHOT', 1, ownName(tenant)], ...later]);
          begun.stop();
        }
        await tenants.served.query('delete from shop.items where id >= 100');
        for (const tenant of tenants.names) await tenants.run(tenant, 'delete from shop.items where id >= 100');
      });
    });
  });
});

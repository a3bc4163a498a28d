import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { openClient, watch, type Watching } from '../../runtime/changes/support/live.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { variantsWhere } from '../../support/describe-where.js';
import {
  openBlackHole,
  openMariadb,
  openSchemas,
  openTenants,
  ownName,
  type BlackHole,
  type TenantServer,
} from './support.js';

/** How much the suite of many tenants does. */
export interface Volume {
  readonly count: number;
  /** Concurrent requests. */
  readonly clients: number;
  /** Pairs of processes of the server and requests that it gets. */
  readonly runs: readonly (readonly [workers: number, requests: number])[];
}

/** Where the rows of tenants are. */
const kinds = [
  ['databases', 'postgres', 'notify', openTenants],
  ['schemas of one database', 'postgres', 'notify', openSchemas],
  ...variantsWhere('mariadbd', ['databases of MariaDB', 'mysql', 'binlog', openMariadb]),
] as const;

/** Defines the tests that each tenant has its own rows and changes, whatever happens to others. */
export function testManyTenants({ count, clients, runs }: Volume): void {
  describe.each(kinds)('%s', (_, scheme, source, open) => {
    let tenants: TenantServer;

    beforeAll(async () => {
      tenants = await open(count);
    });
    afterAll(() => tenants.drop());

    const start = (workers: number, hole: BlackHole): Promise<ServedServer> =>
      tenants.start(
        { dead: `${scheme}://nobody@127.0.0.1:1/nowhere`, hole: hole.url },
        {
          TENANTS_FOUND: 'yes',
          NODE_ENV: 'production',
          APP_SERVER_WORKERS: String(workers),
          APP_REST_POSTGREST: '/rest/v1',
          APP_CHANGES_SOURCE: source,
          APP_DATASOURCE_POOL_SIZE: '4',
          // Each worker reads the changes of a tenant itself.
          APP_DATASOURCE_TENANT_CONNECTIONS: String(count * workers),
          APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '60000',
        },
      );

    /** The names of items in an answer of any form. */
    const namesIn = (text: string): readonly string[] =>
      [...text.matchAll(/"name":\s*"(?<name>[^"]*)"/g)].map(({ groups }) => groups?.['name'] ?? '');

    const isOf = (tenant: string, name: string): boolean =>
      name === ownName(tenant) || name.startsWith(`${ownName(tenant)} `);

    describe.each(runs)('%d processes, %d requests of many tenants', (workers, requests) => {
      let server: ServedServer;
      let hole: BlackHole;
      const sockets: Client[] = [];
      const watching = new Map<string, readonly Watching[]>();
      /** Rows that were written, by tenant. */
      const written = new Map<string, Set<string>>();

      beforeAll(async () => {
        hole = await openBlackHole(scheme);
        server = await start(workers, hole);
        for (const tenant of tenants.names) {
          const open = () => openClient(server, undefined, { connectionParams: { tenant } });
          const both = [open(), open()];
          sockets.push(...both);
          const document = 'subscription { shopItemsChanges { operation data { name } } }';
          watching.set(tenant, await Promise.all(both.map((client) => watch(client, document))));
        }
        for (const each of [...watching.values()].flat()) await each.until((events) => events.length > 0);
      });
      afterAll(async () => {
        for (const client of sockets) await client.dispose();
        expect(await server.stop()).toBe(0);
        hole.close();
      });

      const send = async (n: number, tenant: string): Promise<readonly [status: number, text: string]> => {
        const headers = {
          'x-tenant': tenant,
          'content-type': 'application/json',
          'x-forwarded-for': `10.0.0.${n % 250}`,
        };
        const ways = [
          ['POST', '/graphql', { query: '{ shopItemsByPk(id: 1) { name } }' }],
          ['GET', '/api/v1/items?limit=3&order=id'],
          ['GET', '/rest/v1/items?id=eq.1&select=name'],
          ['POST', '/graphql', { query: '{ shopItems(limit: 2, orderBy: { id: ASC }) { id name } }' }],
          ['GET', '/api/v1/items/1'],
          ['POST', '/api/v1/items', { id: workers * 100_000 + n, name: `${ownName(tenant)} ${String(n)}` }],
        ] as const;
        const [method, path, body] = ways[n % ways.length] ?? ways[0];
        const answer = await fetch(`${server.base}${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (path === '/api/v1/items' && answer.status === 201) {
          const known = written.get(tenant) ?? new Set<string>();
          written.set(tenant, known.add(`${ownName(tenant)} ${String(n)}`));
        }
        return [answer.status, await answer.text()];
      };

      test('each is answered from its own database, whatever happens to others', async () => {
        const wrong: unknown[] = [];
        const broken: number[] = [];
        let next = 0;
        const client = async (): Promise<void> => {
          for (let n = next++; n < requests; n = next++) {
            // Neighbouring requests are of different tenants, with the same document.
            const tenant = tenants.names[(n * 11 + Math.floor(n / count)) % count] ?? '';
            const [status, text] = await send(n, tenant);
            const names = namesIn(text);
            if (status > 201 || names.length === 0 || !names.every((name) => isOf(tenant, name)))
              wrong.push([n, tenant, status, text.slice(0, 200)]);
          }
        };
        const failing = async (tenant: string): Promise<void> => {
          while (next < requests) {
            broken.push((await send(0, tenant))[0]);
            await sleep(50);
          }
        };
        const others = [failing('dead'), failing('hole')];
        await Promise.all(Array.from({ length: clients }, client));
        // The last request to the black hole would wait for its own limit.
        hole.refuse();
        await Promise.all(others);
        expect(wrong).toEqual([]);
        expect(new Set(broken)).toEqual(new Set([503]));
        expect((await fetch(`${server.base}/health/ready`)).status).toBe(200);
        expect([...written.values()].reduce((sum, { size }) => sum + size, 0)).toBe(Math.floor(requests / 6));
      });

      test('each subscriber has received the changes of its tenant, all of them and no other', async () => {
        for (const [tenant, both] of watching) {
          const expected = written.get(tenant) ?? new Set<string>();
          for (const { events, until: receives } of both) {
            const told = () =>
              events.flatMap(({ operation, data }) => (operation === 'INSERT' ? [String(data?.['name'])] : []));
            await receives(() => told().length >= expected.size);
            expect(new Set(told())).toEqual(expected);
            expect(told()).toHaveLength(expected.size);
          }
        }
      });
    });
  });
}

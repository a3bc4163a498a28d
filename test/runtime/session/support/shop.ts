import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createKey, sign, type TestKey } from '../../auth/support.js';
import { buildGenerated } from '../../../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../../support/postgres.js';
import { startGeneratedServer, type RunningServer } from '../../../support/running-server.js';
import { createClient, type Client, type Reply } from '../../rest/support/client.js';

/** The shop's database and the server generated from it, to be started as often as a test needs. */
export interface Shop {
  /** As the superuser. */
  readonly url: string;
  /** As the role that a server connects as: policies hold for it. */
  readonly roleUrl: string;
  /** Rows of a query, as the superuser, on a connection of its own. */
  readonly query: <T extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<readonly T[]>;
  readonly token: (user: string) => Promise<string>;
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<ShopServer>;
  readonly drop: () => Promise<void>;
}

export interface ShopServer extends Client, RunningServer {
  /** Posts a GraphQL document. */
  readonly ask: (document: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>;
}

const role = 'shop_app';

export async function openShop(database?: TestDatabase): Promise<Shop> {
  const on = database ?? (await createTestDatabase('session_shop'));
  await loadSql(on.url, await readFile(new URL('shop.sql', import.meta.url), 'utf8'));
  const name = `${role}_${new URL(on.url).pathname.slice(1)}`;
  await loadSql(
    on.url,
    `create role ${name} login password 'shop'; grant usage on schema shop to ${name};
     grant select, insert, update, delete on all tables in schema shop to ${name};`,
  );
  const program = await buildGenerated(on.url);
  const key: TestKey = await createKey('EdDSA');
  const roleUrl = new URL(on.url);
  [roleUrl.username, roleUrl.password] = [name, 'shop'];
  return {
    url: on.url,
    roleUrl: roleUrl.href,
    query: async <T extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) => {
      const client = new pg.Client({ connectionString: on.url });
      await client.connect();
      try {
        return (await client.query<T>(sql, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    token: (user) => sign(key, { sub: user }),
    start: async (environment = {}) => {
      const server = await startGeneratedServer(program.folder, {
        NODE_OPTIONS: '--unhandled-rejections=strict',
        DATABASE_URL: roleUrl.href,
        APP_SECURITY_JWT_ENABLED: 'true',
        APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
        ...environment,
      });
      const client = createClient(server.base);
      const json = { 'content-type': 'application/json' };
      const ask: ShopServer['ask'] = (document, headers) =>
        client.send('POST', '/graphql', { ...json, ...headers }, JSON.stringify({ query: document }));
      return { ...server, ...client, ask };
    },
    drop: async () => {
      await program.remove();
      await loadSql(on.url, `drop owned by ${name}; drop role ${name}`);
      await on.drop();
    },
  };
}

/** Waits until something holds; the test's own timeout ends it otherwise. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** What the connections of the shop's server do, as the database sees them. */
export const activity = (shop: Shop): Promise<readonly Activity[]> =>
  shop.query<Activity>(
    `select state, coalesce(wait_event_type, '') as waits, query from pg_stat_activity
     where datname = current_database() and usename = $1`,
    [new URL(shop.roleUrl).username],
  );

export interface Activity {
  readonly state: string;
  readonly waits: string;
  readonly query: string;
}

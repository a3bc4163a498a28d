import pg from 'pg';
import type { RowDataPacket } from 'mysql2';
import { createConnection } from 'mysql2/promise';
import { serveMysql } from '../../runtime/handle/support/served-mysql.js';
import type { Client } from '../../runtime/rest/support/client.js';
import { createMysqlDatabase } from '../../support/mysql.js';
import { loadSql } from '../../support/postgres.js';
import { openServed, writeCustom } from '../../support/served-as-role.js';
import type { DatabaseName } from '../schema.js';
import type { Caller, TableName } from './model.js';

export type Rows = readonly Readonly<Record<string, unknown>>[];

/** A server of two tenants with the same tables. */
export interface Conditioned extends Pick<Client, 'send'> {
  readonly tables: readonly TableName[];
  readonly headersOf: (caller: Caller) => Promise<Record<string, string>>;
  /** As another client of the database of a tenant. */
  readonly run: (tenant: number, sql: string) => Promise<Rows>;
  readonly stop: () => Promise<void>;
}

/** The tables of a database; tables of PostgreSQL have policies, too. */
export const tablesOf = (database: DatabaseName): readonly TableName[] =>
  database === 'postgres' ? ['plain', 'ruled', 'owned', 'hooked', 'policed'] : ['plain', 'ruled', 'owned', 'hooked'];

const columns = `(id int primary key, n int not null default 0, note varchar(20), secret varchar(20),
  owner varchar(10), shared int not null default 0)`;

const ddl = (database: DatabaseName): string =>
  [
    ...tablesOf(database).map((name) => `create table ${name} ${columns};`),
    'create table kids (id int primary key, item int, foreign key (item) references plain (id) on delete cascade);',
    'create table log (id int, n int);',
  ].join('\n');

const policies = `
  alter table policed enable row level security;
  create policy reads on policed for select using (shared = 1 or owner = current_setting('request.user_id', true));
  create policy adds on policed for insert with check (owner = current_setting('request.user_id', true));
  create policy changes on policed for update using (owner = current_setting('request.user_id', true));
  create policy removes on policed for delete using (owner = current_setting('request.user_id', true));`;

const own = { owner: { eq: { claim: 'userId' } } };

const rule = { read: { or: [own, { shared: { eq: 1 } }] }, write: own };
const all = { read: true, write: true };

const configOf = (schema: string): Record<string, unknown> => ({
  names: { schemaPrefix: 'never', relations: 'simple' },
  rules: {
    [`${schema}.ruled`]: { ...rule, hide: ['secret'], roles: { support: { ...all, hide: [] } } },
    [`${schema}.owned`]: { ...rule, roles: { support: all } },
  },
  'app.security.role-claim': 'role',
  'app.security.allowed-roles': ['support'],
});

const customOf = (schema: string, addresses: readonly string[]): string => `
  export const custom = {
    tenant: Object.assign(({ headers }) => headers['x-tenant'], { reads: ['x-tenant'] }),
    tenants: ${JSON.stringify(Object.fromEntries(addresses.map((url, at) => [`t${String(at)}`, url])))},
    hooks: {
      '${schema}.hooked': {
        beforeInsert: ({ rows }) => rows.map((row) => ({ ...row, note: row.note + '+' })),
        beforeUpdate: ({ set }) => (set.note === undefined ? set : { ...set, note: set.note + '!' }),
        beforeDelete: async ({ current, refuse }) => {
          if ((await current()).some(({ n }) => n === 13)) refuse('This number stays.');
        },
        afterUpdate: async ({ rows, db }) => {
          for (const { after } of rows) await db.insertInto('${schema}.log').values({ id: after.id, n: 0 }).execute();
        },
      },
    },
  };`;

const environment = { APP_REST_POSTGREST: '/rest/v1', APP_DRIFT_PROBE_MS: '100', APP_LOG_LEVEL: 'silent' };

export const openConditioned = (database: DatabaseName): Promise<Conditioned> =>
  database === 'postgres' ? onPostgres() : onMariadb();

async function onPostgres(): Promise<Conditioned> {
  const served = await openServed({
    name: 'conditions',
    schema: 'shop',
    sql: `create schema shop; set search_path to shop; ${ddl('postgres')} ${policies} reset search_path;
      do $$ begin create role support; exception when duplicate_object or unique_violation then null; end $$;`,
    config: configOf('shop'),
  });
  const role = new URL(served.roleUrl).username;
  await served.query(`do $$ begin grant support to ${role}; grant usage on schema shop to support;
    grant select, insert, update, delete on all tables in schema shop to support; end $$`);
  const copy = `${new URL(served.url).pathname.slice(1)}_t1`;
  const maintenance = at(served.url, 'postgres');
  await loadSql(maintenance, `create database ${copy} template ${new URL(served.url).pathname.slice(1)}`);
  await writeCustom(served, customOf('shop', [served.roleUrl, at(served.roleUrl, copy)]));
  const server = await served.start(environment);
  const clients = [served.url, at(served.url, copy)].map((url) => new pg.Client({ connectionString: url }));
  for (const client of clients) {
    await client.connect();
    await client.query('set search_path to shop');
  }
  return {
    tables: tablesOf('postgres'),
    send: (...request) => server.send(...request),
    headersOf: headersBy(served.token),
    run: async (tenant, sql) => (await clients[tenant]?.query<Record<string, unknown>>(sql))?.rows ?? [],
    stop: async () => {
      await server.stop();
      for (const client of clients) await client.end();
      await loadSql(maintenance, `drop database ${copy} with (force)`);
      await served.query('drop owned by support');
      await served.drop();
    },
  };
}

async function onMariadb(): Promise<Conditioned> {
  const copy = await createMysqlDatabase('conditions_t1');
  let first = '';
  const custom = (schema: string): string => {
    first = at(copy.url, schema);
    return customOf(schema, [first, copy.url]);
  };
  const served = await serveMysql('conditions', ddl('mariadb'), custom, configOf, environment);
  const clients = [await createConnection({ uri: first }), await createConnection({ uri: copy.url })];
  for (const statement of ddl('mariadb')
    .split(';')
    .filter((each) => each.trim() !== ''))
    await clients[1]?.query(statement);
  return {
    tables: tablesOf('mariadb'),
    send: (...request) => served.send(...request),
    headersOf: headersBy(served.token),
    run: async (tenant, sql) => {
      const found = await clients[tenant]?.query<RowDataPacket[]>(sql);
      return Array.isArray(found?.[0]) ? found[0].map((row) => ({ ...row })) : [];
    },
    stop: async () => {
      for (const client of clients) await client.end();
      await served.stop();
      await copy.drop();
    },
  };
}

function at(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

function headersBy(
  token: (user: string, claims?: Record<string, unknown>) => Promise<string>,
): Conditioned['headersOf'] {
  const known = new Map<string, string>();
  return async ({ sub, role }) => {
    const found = known.get(sub) ?? (await token(sub, role === undefined ? {} : { role }));
    known.set(sub, found);
    return { 'content-type': 'application/json', authorization: `Bearer ${found}` };
  };
}

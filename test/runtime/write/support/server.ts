import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AnyDatabase } from '../../../../runtime/src/execute/hooks/table-hooks.js';
import type { Observation } from '../../../../runtime/src/observe/observation.js';
import type { Registry, Table } from '../../../../runtime/src/descriptor/registry.js';
import { createServer } from '../../../../runtime/src/extensions/create-server.js';
import type { CustomServer } from '../../../../runtime/src/server/custom.js';
import type { Driver } from '../../../../runtime/src/dialect/driver.js';
import { createDriver } from '../../../support/create-driver.js';
import { describeDatabase } from '../../../support/describe-database.js';
import type { Described } from '../../../support/described.js';
import { settingsWith } from '../../../support/intents.js';
import { reachEnvironment } from '../../../support/pooler.js';
import { createFilledDatabase, loadSql, openPool, type TestDatabase } from '../../../support/postgres.js';
import { createClient, type Client } from '../../rest/support/client.js';
import { generatedOf } from '../../rest/support/generated.js';
import { keepRows } from './restore.js';

/** The SQL of the tables for write tests. */
export const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');

/** A database with the tables, and a plain role with all privileges except reading the inbox. */
export interface WriteDatabase extends Described {
  readonly database: TestDatabase;
  /** As the superuser. */
  readonly url: string;
  /** As the plain role. */
  readonly roleUrl: string;
  /** Rows of a query, as the superuser. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /**
   * Resets every table's rows and sequences to their state after the SQL, for a suite with one
   * database.
   */
  restore(): Promise<void>;
  drop(): Promise<void>;
}

export async function createWriteDatabase(sql = schema, schemas: readonly string[] = ['ops']): Promise<WriteDatabase> {
  const database = await createFilledDatabase('write', sql);
  const role = `write_role_${randomBytes(4).toString('hex')}`;
  await loadSql(
    database.url,
    `create role ${role} login; ${schemas
      .map(
        (name) => `grant usage on schema ${name} to ${role}; grant all on all tables in schema ${name} to ${role};
          grant all on all sequences in schema ${name} to ${role}; grant execute on all routines in schema ${name} to ${role};`,
      )
      .join('\n')}`,
  );
  if (schemas.includes('ops')) await loadSql(database.url, `revoke select on ops.inbox from ${role}`);
  const described = await describeOnce(database.url, sql, schemas);
  const roleUrl = new URL(database.url);
  roleUrl.username = role;
  const pool = openPool({ connectionString: database.url, max: 2 });
  const query: WriteDatabase['query'] = async (text) => (await pool.query<Record<string, unknown>>(text)).rows;
  let restore: Promise<() => Promise<void>> | undefined;
  return {
    ...described,
    database,
    url: database.url,
    roleUrl: roleUrl.href,
    query,
    // The first call makes the copy, so it must come before any change.
    restore: async () => (await (restore ??= keepRows(query, schemas)))(),
    drop: async () => {
      await pool.end();
      await loadSql(database.url, `drop owned by ${role}; drop role ${role};`);
      await database.drop();
    },
  };
}

/** Descriptions by the SQL and the schemas. */
const known = new Map<string, Promise<Described>>();

/** A suite reads the catalogue once for all databases that the same SQL created. */
function describeOnce(url: string, sql: string, schemas: readonly string[]): Promise<Described> {
  const key = JSON.stringify([sql, schemas]);
  const described = known.get(key) ?? describeDatabase(url, { schemas });
  known.set(key, described);
  return described;
}

export interface WriteServer extends Client {
  readonly base: string;
  readonly observed: readonly Observation[];
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/**
 * A server on the database, as the plain role. With `users`, the header `X-Test-User` replaces the
 * user of a verified token.
 */
export async function startWriteServer<Database = AnyDatabase>(
  { descriptors, roleUrl }: Pick<WriteDatabase, 'descriptors' | 'roleUrl'>,
  options: {
    readonly environment?: Environment;
    readonly custom?: CustomServer<Database>;
    readonly driver?: Driver;
  } = {},
): Promise<WriteServer> {
  const observed: Observation[] = [];
  const server = createServer<Database>({
    generated: generatedOf(descriptors),
    environment: { ...reachEnvironment(roleUrl), PORT: '0', ...options.environment },
    observe: (observation) => observed.push(observation),
    ...(options.custom === undefined ? {} : { custom: options.custom }),
    ...(options.driver === undefined ? {} : { driver: options.driver }),
  });
  await server.listen({ ownsProcess: false });
  const base = server.address ?? '';
  return { ...createClient(base), base, observed, stop: () => server.close() };
}

/** A driver of the database, as the plain role unless told otherwise. */
export const driverOf = (url: string): Driver => createDriver(settingsWith({ 'app.datasource.url': url }));

export function tableIn(registry: Registry, field: string): Table {
  const table = registry.table.get(field);
  if (table === undefined) throw new Error(`no table ${field}: ${[...registry.table.keys()].join(', ')}`);
  return table;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JWTPayload } from 'jose';
import pg from 'pg';
import { createKey, sign, type TestKey } from '../runtime/auth/support.js';
import { createClient, type Client, type Reply } from '../runtime/rest/support/client.js';
import { buildGenerated } from './generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from './postgres.js';
import { transpileText, type Transpiled } from './transpile.js';
import { startGeneratedServer, type RunningServer, type ServerProcess } from './running-server.js';
import { startServerHere } from './server-here.js';

export { until } from './until.js';

/**
 * A database and the server generated from it, which connects as a plain role and verifies tokens.
 * A test may start the server several times.
 */
export interface Served {
  /** As the superuser. */
  readonly url: string;
  /** As the role of a server's connections, to which policies apply. */
  readonly roleUrl: string;
  /** Queries rows as the superuser, on a separate connection. */
  readonly query: <T extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<readonly T[]>;
  readonly token: (user: string, claims?: JWTPayload) => Promise<string>;
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<ServedServer>;
  /** The same in a process of its own, for tests of signals, of memory and of several workers. */
  readonly startProcess: (environment?: Readonly<Record<string, string>>) => Promise<ServedProcess>;
  /** The folder of the program, which has `dist/generated/schema.graphql`. */
  readonly folder: string;
  readonly drop: () => Promise<void>;
  /** Removes the program alone, for a suite that ends the server of its database. */
  readonly removeProgram: () => Promise<void>;
}

export interface ServedServer extends Client, RunningServer {
  /** Posts a GraphQL document. */
  readonly ask: (document: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>;
}

export interface ServedProcess extends ServedServer, Pick<ServerProcess, 'pid'> {}

export interface Source {
  /** The prefix of the names of the database and of the role. */
  readonly name: string;
  /** The SQL of the database, and the schema in it that the role may read and write. */
  readonly sql: string;
  readonly schema: string;
  /** Default: a new database, which is dropped at the end. */
  readonly database?: TestDatabase | undefined;
  /** Custom code: TypeScript or JavaScript in place of src/custom/index.ts. */
  readonly custom?: string | undefined;
  /** The content of the configuration file. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export async function openServed({ name, sql, schema, database, custom, config }: Source): Promise<Served> {
  const on = database ?? (await createTestDatabase(name));
  await loadSql(on.url, sql);
  const role = `${name}_app_${new URL(on.url).pathname.slice(1)}`;
  await loadSql(
    on.url,
    `create role ${role} login password '${name}'; grant usage on schema ${schema} to ${role};
     grant select, insert, update, delete on all tables in schema ${schema} to ${role};
     grant usage on all sequences in schema ${schema} to ${role};`,
  );
  const files = config === undefined ? {} : { 'tablewright.config.json': JSON.stringify(config) };
  const program = await buildGenerated(on.url, files);
  if (custom !== undefined) await writeCustom(program, custom);
  const key: TestKey = await createKey('EdDSA');
  const roleUrl = new URL(on.url);
  [roleUrl.username, roleUrl.password] = [role, name];
  const variables = (environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
    DATABASE_URL: roleUrl.href,
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
    ...environment,
  });
  return {
    url: on.url,
    roleUrl: roleUrl.href,
    folder: program.folder,
    query: async <T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      const client = new pg.Client({ connectionString: on.url });
      await client.connect();
      try {
        return (await client.query<T>(text, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    token: (user, claims = {}) => sign(key, { ...claims, sub: user }),
    start: async (environment = {}) => withClient(await startServerHere(program.folder, variables(environment))),
    startProcess: async (environment = {}) => {
      const strict = { NODE_OPTIONS: '--unhandled-rejections=strict', ...environment };
      return withClient(await startGeneratedServer(program.folder, variables(strict)));
    },
    removeProgram: () => program.remove(),
    drop: async () => {
      await program.remove();
      await loadSql(on.url, `drop owned by ${role}; drop role ${role}`);
      await on.drop();
    },
  };
}

function withClient<Started extends RunningServer>(server: Started): Started & ServedServer {
  const client = createClient(server.base);
  const json = { 'content-type': 'application/json' };
  const ask: ServedServer['ask'] = (document, headers) =>
    client.send('POST', '/graphql', { ...json, ...headers }, JSON.stringify({ query: document }));
  return { ...server, ...client, ask };
}

/** Writes custom code into a program. */
export async function writeCustom({ folder }: Pick<Transpiled, 'folder'>, text: string): Promise<void> {
  await writeFile(join(folder, 'dist/custom/index.js'), await transpileText(text, 'src/custom/index.ts'));
}

/** The states of the servers' connections for requests, from pg_stat_activity. */
export const activity = (served: Pick<Served, 'query' | 'roleUrl'>): Promise<readonly Activity[]> =>
  served.query<Activity>(
    `select state, coalesce(wait_event_type, '') as waits, query from pg_stat_activity
     where datname = current_database() and usename = $1 and application_name = 'tablewright'`,
    [new URL(served.roleUrl).username],
  );

export interface Activity {
  readonly state: string;
  readonly waits: string;
  readonly query: string;
}

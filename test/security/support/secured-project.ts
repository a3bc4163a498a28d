import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey, sign, type TestKey } from '../../runtime/auth/support.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase, type TestServer } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';

/**
 * A project that the built command line generates from a database, compiled, and started as in
 * production.
 */
export interface SecuredProject {
  readonly database: TestDatabase;
  /**
   * The plain role of the server's connections. Roles belong to the whole database server, so the
   * name is unique.
   */
  readonly role: string;
  /** The role's password, which no output may contain. */
  readonly password: string;
  readonly key: TestKey;
  /** A token of a user, valid for one hour. */
  token(user: string): Promise<string>;
  /** Starts `node dist/main.js` with verification on and NODE_ENV=production. */
  start(environment?: Readonly<Record<string, string>>): Promise<RunningServer>;
  remove(): Promise<void>;
}

export interface ProjectOptions {
  readonly server?: TestServer;
  /** SQL texts; default: vault.sql. */
  readonly sql?: readonly string[];
  /** The content of the configuration file. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The served schemas. The role gets all privileges on them. */
  readonly schemas?: readonly string[];
}

/** @param name the prefix of the names of database and role */
export async function createSecuredProject(name: string, options: ProjectOptions = {}): Promise<SecuredProject> {
  const { server = 'any', schemas = ['vault', 'archive'], config = {} } = options;
  const sql = options.sql ?? [await readFile(join(import.meta.dirname, 'vault.sql'), 'utf8')];
  const database = await createTestDatabase(name, server);
  const role = `${new URL(database.url).pathname.slice(1)}_app`;
  const password = `pw${randomBytes(12).toString('hex')}`;
  for (const text of sql) await loadSql(database.url, text);
  await loadSql(database.url, `create role ${role} login password '${password}'; ${grants(role, schemas)}`);
  const program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config) });
  const key = await createKey();
  const url = new URL(database.url);
  [url.username, url.password] = [role, password];
  return {
    database,
    role,
    password,
    key,
    token: (user) => sign(key, { sub: user }),
    start: (environment = {}) =>
      startServerHere(program.folder, {
        DATABASE_URL: url.href,
        NODE_ENV: 'production',
        APP_SECURITY_JWT_ENABLED: 'true',
        APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
        ...environment,
      }),
    remove: async () => {
      await loadSql(database.url, `drop owned by ${role} cascade; drop role ${role}`);
      await database.drop();
      await program.remove();
    },
  };
}

const grants = (role: string, schemas: readonly string[]): string =>
  schemas
    .map(
      (schema) =>
        `grant usage on schema ${schema} to ${role};
         grant select, insert, update, delete on all tables in schema ${schema} to ${role};
         grant usage on all sequences in schema ${schema} to ${role};`,
    )
    .join('\n');

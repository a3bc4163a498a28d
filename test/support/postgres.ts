import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { startEmbedded, type EmbeddedServer } from './embedded.js';
import { hold } from './leaks/held.js';

/** A database for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Ends every connection to the database and removes it. */
  drop(): Promise<void>;
}

/**
 * The server of the database: `any` is the server at TEST_DATABASE_URL, or otherwise the server
 * that a run starts (`shared-server.ts`); `embedded` is always PostgreSQL 18 from npm.
 */
export type TestServer = 'any' | 'embedded';

/** The embedded server runs as long as this process has a database on it. */
let embedded: { readonly server: Promise<EmbeddedServer>; databases: number } | undefined;

/**
 * Creates an empty UTF-8 database on a real server and returns its address (as the superuser).
 * @param name the prefix of its name; a random suffix separates concurrent runs
 */
export const createTestDatabase = (name = 'tablewright', server: TestServer = 'any'): Promise<TestDatabase> =>
  createDatabase(name, server, 'template0');

/**
 * Creates a database with the result of the SQL. On a server that the run has started itself, the
 * SQL runs once per run: each database is a copy of a template.
 * @param sql must leave nothing outside its database, such as a role
 */
export async function createFilledDatabase(name: string, sql: string): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (server !== undefined && process.env['TEST_DATABASE_OWNED'] === 'true') {
    return createDatabase(name, 'any', await templateOf(server, sql));
  }
  const database = await createTestDatabase(name);
  await loadSql(database.url, sql);
  return database;
}

/** Existing templates that this suite has used. */
const templates = new Map<string, Promise<string>>();

/**
 * The name of a template database with the result of the SQL. The first worker that needs the
 * template creates it.
 */
function templateOf(server: string, sql: string): Promise<string> {
  const name = `template_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
  const known = templates.get(name) ?? makeTemplate(server, name, sql);
  templates.set(name, known);
  return known;
}

async function makeTemplate(server: string, name: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // The lock ends with the connection.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const made = await client.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (made.rowCount === 1) return name;
    const quoted = pg.escapeIdentifier(name);
    await client.query(`DROP DATABASE IF EXISTS ${quoted}`);
    await client.query(`CREATE DATABASE ${quoted} TEMPLATE template0 ENCODING 'UTF8'`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    await loadSql(url.href, sql);
    await client.query(`ALTER DATABASE ${quoted} IS_TEMPLATE true`);
    return name;
  } finally {
    await client.end();
  }
}

async function createDatabase(name: string, server: TestServer, template: string): Promise<TestDatabase> {
  const given = process.env[server === 'any' ? 'TEST_DATABASE_URL' : 'TEST_EMBEDDED_URL'];
  const { url: serverUrl, release } = given === undefined ? await useEmbedded() : { url: given, release: nothing };
  const database = `${name}_${randomBytes(5).toString('hex')}`.toLowerCase();
  try {
    const original = pg.escapeIdentifier(template);
    const create = `CREATE DATABASE ${pg.escapeIdentifier(database)} TEMPLATE ${original} ENCODING 'UTF8'`;
    await loadSql(serverUrl, create);
  } catch (error) {
    await release();
    throw error;
  }
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const letGo = hold({ what: `the database ${database}` });
  return {
    url: url.href,
    drop: async () => {
      await loadSql(serverUrl, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
      letGo();
      await release();
    },
  };
}

/** Runs SQL text, one statement or many, on a database. Several statements are one transaction. */
export async function loadSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * A pool of connections to a test's database. Ending the pool does not wait for its connections, so
 * that dropping the database may end them.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

async function useEmbedded(): Promise<{ url: string; release: () => Promise<void> }> {
  const use = (embedded ??= { server: startEmbedded(), databases: 0 });
  use.databases += 1;
  const release = async (): Promise<void> => {
    use.databases -= 1;
    if (use.databases > 0) return;
    embedded = undefined;
    await (await use.server).stop();
  };
  return { url: (await use.server).url, release };
}

async function nothing(): Promise<void> {
  // Nothing to release.
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { notifySql } from '../../runtime/src/dialect/postgres/changes/sql.js';
import { freePort } from '../support/free-port.js';
import { buildGenerated } from '../support/generated-program.js';
import { createMysqlDatabase, loadMysql } from '../support/mysql.js';
import { createOwnMariadb, hasMariadb, type OwnMariadb } from '../support/own-mariadb.js';
import { createTestDatabase, loadSql } from '../support/postgres.js';
import { startServerHere } from '../support/server-here.js';
import type { Transpiled } from '../support/transpile.js';
import type { ReferenceQuery } from './filter.js';
import { ddl, markers, type DatabaseName, type OracleTable } from './schema.js';

/** A generated server with a database of its own. */
export interface OracleServer {
  readonly base: string;
  readonly prefix: string;
  /** Text without the name of the database, in which the databases of two servers differ. */
  readonly neutral: (text: string) => string;
  /** The rows of all tables, as text. */
  readonly tables: () => Promise<string>;
  /** The keys that SQL finds. */
  readonly keys: (query: ReferenceQuery) => Promise<readonly number[]>;
  /** Commits a row of `markers`, and answers its key. */
  readonly mark: () => Promise<number>;
  /** The lookups of the caches that have found something, by the server's metrics. */
  readonly hits: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export interface OraclePair {
  readonly warm: OracleServer;
  /** Its caches never hit. */
  readonly cold: OracleServer;
}

const neverHits = pathToFileURL(join(import.meta.dirname, 'cold.js')).href;

const environments = {
  warm: {},
  // Its database prepares no statement twice either: unnamed statements.
  cold: { NODE_OPTIONS: `--import=${neverHits}`, APP_DATASOURCE_POOLER: 'transaction' },
};

/** The text of a request of GraphQL with the prefix that generated names have on this server. */
export const named = ({ prefix }: OracleServer, text: string): string =>
  text.replaceAll('§§', prefix.charAt(0).toUpperCase() + prefix.slice(1)).replaceAll('§', prefix);

const common = {
  APP_REST_POSTGREST: '/rest/v1',
  APP_MAX_ROWS: '1000',
  APP_LOG_LEVEL: 'error',
};

const configuration = { 'tablewright.config.json': JSON.stringify({ functions: ['shop.*'] }) };

/** Whether the servers of this database tell changes. */
export const tellsChanges = (database: DatabaseName): boolean => database === 'postgres' || hasMariadb;

/** Two servers of the same tables. */
export const startPair = (
  database: DatabaseName,
  tables: readonly OracleTable[],
  tellChanges: boolean,
): Promise<OraclePair> => (database === 'postgres' ? startPostgres(tables) : startMariadb(tables, tellChanges));

async function startPostgres(tables: readonly OracleTable[]): Promise<OraclePair> {
  const databases = [await createTestDatabase('oracle_a'), await createTestDatabase('oracle_b')] as const;
  const watched = [...tables, { name: markers }].map(({ name }) => ({ schema: 'shop', name, key: ['id'] }));
  for (const { url } of databases) await loadSql(url, `${ddl(tables, 'postgres')}\n${notifySql(watched)}`);
  const program = await buildGenerated(databases[0].url, configuration);
  const start = async (at: 0 | 1, kind: 'warm' | 'cold'): Promise<OracleServer> => {
    const database = databases[at];
    const { url } = database;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const names = tables.map(({ name }) => `(select json_agg(t order by id) from shop.${name} t) as ${name}`);
    const metrics = await freePort();
    const server = await startServerHere(program.folder, {
      ...common,
      APP_METRICS_PORT: String(metrics),
      ...environments[kind],
      DATABASE_URL: url,
      APP_SCHEMAS: 'shop',
      APP_CHANGES_SOURCE: 'notify',
    });
    return {
      base: server.base,
      prefix: 'shop',
      neutral: (text) => text,
      tables: async () => JSON.stringify((await client.query(`select ${names.join(', ')}`)).rows),
      keys: async ({ sql, values }) => {
        const { rows } = await client.query<{ id: number }>(sql, [...values]);
        return rows.map(({ id }) => id);
      },
      mark: async () => {
        const { rows } = await client.query<{ id: number }>(`insert into shop.${markers} default values returning id`);
        return rows[0]?.id ?? 0;
      },
      hits: () => hitsOf(metrics),
      stop: async () => {
        await server.stop();
        await client.end();
        await database.drop();
      },
    };
  };
  return pairOf(await start(0, 'warm'), await start(1, 'cold'), [program]);
}

async function startMariadb(tables: readonly OracleTable[], tellChanges: boolean): Promise<OraclePair> {
  const own = tellChanges ? await createOwnMariadb(['--log-bin', '--binlog-format=ROW', '--server-id=9']) : undefined;
  await own?.start();
  const programs: Transpiled[] = [];
  const start = async (kind: 'warm' | 'cold'): Promise<OracleServer> => {
    const database = await createMysqlDatabase('oracle', own?.url);
    const { url, name, prefix } = database;
    await loadMysql(url, ddl(tables, 'mariadb'));
    // Names of GraphQL begin with the name of the database.
    const given = { types: { 'tinyint(1)': 'boolean' } };
    const program = await buildGenerated(url, { 'tablewright.config.json': JSON.stringify(given) });
    programs.push(program);
    const client = await createConnection({
      uri: url,
      multipleStatements: true,
      dateStrings: true,
      supportBigNumbers: true,
    });
    const all = tables.map((table) => `select * from ${table.name} order by id`).join('; ');
    const metrics = await freePort();
    const server = await startServerHere(program.folder, {
      ...common,
      APP_METRICS_PORT: String(metrics),
      ...environments[kind],
      ...(kind === 'cold' ? { APP_DATASOURCE_POOLER: 'none' } : {}),
      DATABASE_URL: url,
      APP_SCHEMAS: name,
      ...(own === undefined ? {} : { APP_CHANGES_SOURCE: 'binlog' }),
    });
    const upper = prefix.charAt(0).toUpperCase() + prefix.slice(1);
    return {
      base: server.base,
      prefix,
      neutral: (text) =>
        withoutCursors(text).replaceAll(name, 'shop').replaceAll(prefix, 'shop').replaceAll(upper, 'Shop'),
      tables: async () => JSON.stringify((await client.query(all))[0]),
      keys: async ({ sql, values }) => {
        const [rows] = await client.query<RowDataPacket[]>(sql, values as unknown[]);
        return rows.map((row) => Number(row['id']));
      },
      mark: async () => (await client.query<ResultSetHeader>(`insert into ${markers} () values ()`))[0].insertId,
      hits: () => hitsOf(metrics),
      stop: async () => {
        await server.stop();
        await client.end();
        await database.drop();
      },
    };
  };
  return pairOf(await start('warm'), await start('cold'), programs, own);
}

/** A cursor begins with a mark of the order, in which the name of the database counts. */
const withoutCursors = (text: string): string =>
  text.replace(/"endCursor":"([^"]+)"/g, (_, cursor: string) => {
    const [, ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as readonly unknown[];
    return `"endCursor":${JSON.stringify(place)}`;
  });

const pairOf = (
  warm: OracleServer,
  cold: OracleServer,
  programs: readonly Transpiled[],
  own?: OwnMariadb,
): OraclePair => ({
  warm,
  cold: {
    ...cold,
    stop: async () => {
      await cold.stop();
      for (const program of programs) await program.remove();
      await own?.remove();
    },
  },
});

async function hitsOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  const counts = [...text.matchAll(/^tablewright_cache_hits_total\S* (\d+)$/gm)];
  if (counts.length === 0) throw new Error('The metrics have no caches.');
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

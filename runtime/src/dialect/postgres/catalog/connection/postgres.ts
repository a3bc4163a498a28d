import pg from 'pg';
import type { CatalogConnection } from '../../../catalog-connection.js';
import { otherDatabaseFailure } from '../../../other-database.js';
import { connectionFailure, queryFailure } from './failure.js';

const connectTimeout = 10_000;

/**
 * Connects to a PostgreSQL server.
 * @throws TablewrightError DATABASE_UNREACHABLE, DATABASE_AUTHENTICATION, DATABASE_UNKNOWN
 */
export async function connectPostgres(url: string, display: string): Promise<CatalogConnection> {
  const target = { display, database: '' };
  const client = newClient(url, target);
  try {
    await client.connect();
    return await openConnection(client, display);
  } catch (error) {
    await client.end().catch(() => undefined);
    const failure = connectionFailure(error, target);
    if (failure.code !== 'DATABASE_UNREACHABLE') throw failure;
    throw (await otherDatabaseFailure(url, display, error)) ?? failure;
  }
}

/** The constructor reads the files that the address names, such as sslrootcert: it can fail too. */
function newClient(url: string, target: { readonly display: string; database: string }): pg.Client {
  try {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeout,
      application_name: 'tablewright',
    });
    target.database = client.database ?? '';
    // A connection that breaks while idle emits an error; the next query reports it.
    client.on('error', () => undefined);
    return client;
  } catch (error) {
    throw connectionFailure(error, target);
  }
}

async function openConnection(client: pg.Client, display: string): Promise<CatalogConnection> {
  const { rows } = await client.query<{ number: string }>("select current_setting('server_version_num') as number");
  return {
    display,
    dialect: 'postgres',
    serverVersion: Number(rows[0]?.number),
    query: async (text, values) => {
      try {
        return (await client.query<Record<string, unknown>>(text, values === undefined ? undefined : [...values])).rows;
      } catch (error) {
        throw queryFailure(error, display);
      }
    },
    close: () => client.end(),
  };
}

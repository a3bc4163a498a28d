import { parseAddress } from './connection/address.js';
import type { CatalogConnection } from '../../catalog-connection.js';
import { connectPglite } from './connection/pglite.js';
import { connectPostgres } from './connection/postgres.js';
import { serverVersion } from './version.js';

/**
 * Connects to the database at `postgres://…` (every parameter that node-postgres knows) or
 * `pglite:FOLDER`.
 * @throws TablewrightError USAGE for an address that cannot be read; DATABASE_UNREACHABLE,
 * DATABASE_AUTHENTICATION,
 *   DATABASE_UNKNOWN when no connection is possible; DATABASE_UNSUPPORTED for another kind of
 *   database, or a PostgreSQL below 13.
 *   No part of the error holds the password.
 */
export async function connect(url: string): Promise<CatalogConnection> {
  const address = parseAddress(url);
  const connection =
    address.kind === 'pglite'
      ? await connectPglite(address.folder, address.display)
      : await connectPostgres(address.url, address.display);
  try {
    serverVersion(connection.serverVersion);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

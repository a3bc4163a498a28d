import type { Connection, RowDataPacket } from 'mysql2/promise';
import { TablewrightError } from '../../../tablewright-error.js';
import type { CatalogConnection } from '../../catalog-connection.js';
import { otherDatabaseFailure } from '../../other-database.js';
import { parseAddress, type Address } from './address.js';
import { connectionFailure, queryFailure } from './failure.js';
import { serverVersion } from './version.js';

const connectTimeout = 10_000;

/**
 * Session settings with which expressions print the same on every machine: backticks around names,
 * and no mode that changes how text is read. Statistics are read fresh. No limit of the server cuts
 * the lists of the catalogue.
 */
const session =
  "set sql_mode = '', time_zone = '+00:00', sql_quote_show_create = 1, " +
  'sql_select_limit = 18446744073709551615, sql_big_selects = 1';

/**
 * Connects to the server at `mysql://…` or `mariadb://…`.
 * @throws TablewrightError USAGE for an address that cannot be read; DATABASE_UNREACHABLE,
 * DATABASE_AUTHENTICATION,
 *   DATABASE_UNKNOWN when no connection is possible; DATABASE_UNSUPPORTED below MariaDB 10.11, and
 *   for MySQL.
 *   No part of the error holds the password.
 */
export async function connect(text: string): Promise<CatalogConnection> {
  const address = parseAddress(text);
  const connection = await open(address);
  const query = asking(connection, address);
  try {
    const [row] = await query('select version() as version');
    const { number } = serverVersion(String(row?.['version']));
    await query(session);
    return {
      dialect: 'mysql',
      display: address.display,
      serverVersion: number,
      query,
      close: () => connection.end(),
    };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function open(address: Address): Promise<Connection> {
  const { createConnection } = await driver();
  const { url, database } = address;
  try {
    return await createConnection({
      host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 3306 : Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      ...(database === undefined ? {} : { database }),
      ...encryption(url),
      connectTimeout,
      charset: 'utf8mb4',
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
  } catch (error) {
    const failure = connectionFailure(error, address);
    if (failure.code !== 'DATABASE_UNREACHABLE') throw failure;
    throw (await otherDatabaseFailure(url.href, address.display, error)) ?? failure;
  }
}

/**
 * `?ssl=true` asks for an encrypted connection with a certificate that is checked; `?ssl=no-verify`
 * does not check it.
 */
export function encryption({ searchParams }: URL): { readonly ssl?: { readonly rejectUnauthorized: boolean } } {
  const asked = searchParams.get('ssl') ?? searchParams.get('sslmode') ?? '';
  if (asked === '' || asked === 'false' || asked === 'disable') return {};
  return { ssl: { rejectUnauthorized: asked !== 'no-verify' && asked !== 'require' } };
}

/** Projects with another database do not install this driver. */
async function driver(): Promise<typeof import('mysql2/promise')> {
  try {
    return await import('mysql2/promise');
  } catch (cause) {
    throw new TablewrightError(
      'DATABASE_UNSUPPORTED',
      'The package mysql2, the driver of MariaDB and MySQL, is not installed.',
      'Install it: npm install mysql2',
      { cause },
    );
  }
}

const asking =
  (connection: Connection, { display }: Address): CatalogConnection['query'] =>
  async (text, values = []) => {
    try {
      const parameters = values.map((value) => String(value));
      const [rows] =
        parameters.length === 0
          ? await connection.query<RowDataPacket[]>(text)
          : await connection.execute<RowDataPacket[]>(text, parameters);
      return Array.isArray(rows) ? rows : [];
    } catch (error) {
      throw queryFailure(error, display);
    }
  };

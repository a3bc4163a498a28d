import type { Dialect } from '../catalog/catalog.js';

/**
 * A connection for reading the catalogue. It is one session: settings and transactions hold from
 * one query to the next.
 */
export interface CatalogConnection {
  readonly dialect: Dialect;
  /**
   * Runs one statement and returns its rows.
   * @throws TablewrightError DATABASE_QUERY
   */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
  /** The address without its password, for messages. */
  readonly display: string;
  /**
   * PostgreSQL: `server_version_num`, e.g. 150004. MariaDB and MySQL: in the same way, 101119 is
   * 10.11.19.
   */
  readonly serverVersion: number;
}

export interface ReadOptions {
  /**
   * The schemas to read; absent: every schema except those of the database system and of
   * extensions.
   */
  readonly schemas?: readonly string[] | undefined;
  /** Databases that have other names than their schemas, as `schema=database` (MariaDB). */
  readonly databases?: readonly string[] | undefined;
}

/** A way to ask the database. One session: settings and transactions hold from one query to the next. */
export interface CatalogConnection {
  /**
   * One statement; its rows.
   * @throws TablewrightError DATABASE_QUERY
   */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
  /** The address without its password: fit to print. */
  readonly display: string;
  /** `server_version_num`, e.g. 150004. */
  readonly serverVersion: number;
}

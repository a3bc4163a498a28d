/** The connections of a driver at the moment. */
export interface PoolStats {
  /** The most connections. */
  readonly size: number;
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  /** Statements that all connections together keep prepared. Absent if unknown. */
  readonly prepared?: number;
}

import { TablewrightError } from '../../../tablewright-error.js';

/**
 * The oldest PostgreSQL whose catalogue is read. The tests of the catalogue pass on every version
 * from it to 18.
 */
const oldest = 13;

/** The features of the server's catalogue, by its version. */
export interface ServerVersion {
  /** pg_range.rngmultitypid, since 14. */
  readonly multiranges: boolean;
  /** pg_index.indnullsnotdistinct, since 15. */
  readonly nullsNotDistinct: boolean;
  /** pg_constraint.conperiod, since 18. */
  readonly temporalKeys: boolean;
}

/**
 * @param number `server_version_num`, e.g. 150004
 * @throws TablewrightError DATABASE_UNSUPPORTED below 13
 */
export function serverVersion(number: number): ServerVersion {
  if (!(number >= oldest * 10_000)) {
    throw new TablewrightError(
      'DATABASE_UNSUPPORTED',
      `The database server is PostgreSQL ${String(Math.floor(number / 10_000))}; ${String(oldest)} or later is needed.`,
      `Upgrade the server to PostgreSQL ${String(oldest)} or later, or point --url at one that is.`,
    );
  }
  return {
    multiranges: number >= 140_000,
    nullsNotDistinct: number >= 150_000,
    temporalKeys: number >= 180_000,
  };
}

import { isError, isLostConnection } from '../../connection-failure.js';

/**
 * The fields of an error of MySQL or MariaDB. Its message may quote values of rows, so clients
 * never receive it.
 */
export interface DatabaseErrorFields {
  readonly number: number;
  readonly state: string;
  readonly message: string;
  /** It answers a statement; otherwise the attempt to connect. */
  readonly isOfStatement: boolean;
}

/** The fields of an error that the database reported; undefined for others. */
export function databaseErrorFields(error: unknown): DatabaseErrorFields | undefined {
  if (!isError(error) || !('errno' in error) || !('sqlState' in error)) return undefined;
  const { errno, sqlState, message } = error;
  if (typeof errno !== 'number' || errno < 120 || typeof sqlState !== 'string') return undefined;
  return { number: errno, state: sqlState, message, isOfStatement: 'sql' in error && error.sql !== undefined };
}

/** Whether Node or mysql2 says that the database could not be reached or was lost. */
export const isConnectionFailure = (error: unknown): boolean =>
  isLostConnection(
    error,
    (of) =>
      driversCodes.has((of as NodeJS.ErrnoException).code ?? '') ||
      /connection is in closed state|^Connection lost|closed the connection/i.test(of.message),
  );

const driversCodes: ReadonlySet<string> = new Set(['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT']);

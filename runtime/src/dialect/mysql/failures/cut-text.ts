import { databaseErrorFields } from './fields.js';

/**
 * A statement that is stopped leaves out the text that it is writing. The check for a missing text
 * (`whole`) may then fail before the database reports the interruption.
 */
export const isCutText = (error: unknown): boolean => databaseErrorFields(error)?.number === 1690;

/** Tolerance for a difference between the clocks of the database and of this process. */
const clockTolerance = 0.01;

/**
 * Whether a statement that failed after this many milliseconds was stopped by its time limit. This
 * process began to count before the database did.
 * @param limit milliseconds; 0: no limit
 */
export const wasStopped = (milliseconds: number, limit: number): boolean =>
  limit > 0 && milliseconds >= limit * (1 - clockTolerance);

/**
 * The error that MariaDB reports for a statement that its time limit has stopped.
 * Source: https://mariadb.com/kb/en/mariadb-error-code-reference/
 */
export const timeLimitError = (cause: unknown): Error =>
  Object.assign(new Error('Query execution was interrupted (max_statement_time exceeded)', { cause }), {
    errno: 1969,
    sqlState: '70100',
    code: 'ER_STATEMENT_TIMEOUT',
  });

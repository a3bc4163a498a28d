import { ServerError } from '../../../errors.js';
import { databaseErrorFields } from '../failures/fields.js';
import { isLostConnection } from '../../connection-failure.js';
import { databaseUnavailable } from '../../unavailable.js';

/**
 * Node has several errors for a lost connection; they become one. A database error keeps its
 * SQLSTATE.
 */
export function explained(error: unknown): unknown {
  if (error instanceof ServerError || databaseErrorFields(error) !== undefined) return error;
  const lost = error instanceof Error && /^Connection terminated|not queryable|^Client was closed/.test(error.message);
  return lost || isLostConnection(error) ? databaseUnavailable(error) : error;
}

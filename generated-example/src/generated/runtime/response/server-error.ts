import { ServerError, codes } from '../errors.js';
import { databaseErrorFields, databaseUnavailable, fromDatabaseError, isConnectionFailure } from './database-error.js';

/**
 * Anything that was thrown, as what a client may see. A ServerError is already that; a database error keeps its SQLSTATE and
 * loses its text; everything else is a defect of ours and says nothing. The original is the `cause`, for the log.
 * Source: decisions 6, "Errors".
 */
export function toServerError(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  const fields = databaseErrorFields(error);
  if (fields !== undefined) return fromDatabaseError(fields, error);
  if (isConnectionFailure(error)) return databaseUnavailable(error);
  return new ServerError(500, codes.internal, 'Something went wrong on our side.', { cause: error });
}

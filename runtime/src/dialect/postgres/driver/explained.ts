import { ServerError } from '../../../errors.js';
import { databaseErrorFields, isConnectionFailure } from '../failures/fields.js';
import { databaseUnavailable } from '../../unavailable.js';

/** Lost connections have many faces in Node; a database error keeps its SQLSTATE. */
export function explained(error: unknown): unknown {
  if (error instanceof ServerError || databaseErrorFields(error) !== undefined) return error;
  const lost = error instanceof Error && /^Connection terminated|not queryable|^Client was closed/.test(error.message);
  return lost || isConnectionFailure(error) ? databaseUnavailable(error) : error;
}

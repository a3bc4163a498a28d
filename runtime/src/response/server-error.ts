import type { Dialect } from '../dialect/dialect.js';
import { ServerError, codes } from '../errors.js';
import { failureAnswer } from './failure-answer.js';

/**
 * The part of an error that a client may see. A ServerError is already that; a database error keeps
 * its code and loses its text; everything else is a defect of ours and says nothing. The original
 * is the `cause`, for the log.
 * Source: decision 006.
 * @param dialect absent where errors of the database have been explained before
 */
export function toServerError(error: unknown, dialect?: Pick<Dialect, 'failure'>): ServerError {
  if (error instanceof ServerError) return error;
  const failure = dialect?.failure(error);
  if (failure !== undefined) return failureAnswer(failure, error);
  return new ServerError(500, codes.internal, 'The request failed because of an error of the server.', {
    cause: error,
  });
}

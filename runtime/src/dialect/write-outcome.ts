import { codes, ServerError } from '../errors.js';

const headers = { 'retry-after': '1' };

/** The error of a write whose connection was lost after the request to commit. */
export const outcomeUnknown = (cause: unknown): ServerError =>
  new ServerError(
    503,
    codes.unavailable,
    'The connection to the database was lost during a write: the outcome is unknown.',
    {
      hint: 'Read before you write again: the write may have been committed.',
      headers,
      cause,
    },
  );

/** The error of a write whose connection was lost before the request to commit. */
export const nothingWritten = (cause: unknown, code: string = codes.unavailable): ServerError =>
  new ServerError(503, code, 'The database ended the connection: nothing was written.', {
    hint: 'Send the request again in a moment.',
    headers,
    cause,
  });

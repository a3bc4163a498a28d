import { codes, ServerError } from '../../../errors.js';
import { explained } from '../explained.js';

/** What a write failed with. One whose connection was lost may be done or not: whoever asked has to look before asking again. */
export function explainedWrite(error: unknown): unknown {
  const seen = explained(error);
  if (!(seen instanceof ServerError) || seen.code !== codes.unavailable || seen === error) return seen;
  return new ServerError(
    503,
    codes.unavailable,
    'The database was lost while it was writing: the outcome is unknown.',
    {
      hint: 'Read before you write again: the write may have been done.',
      headers: seen.headers,
      cause: error,
    },
  );
}

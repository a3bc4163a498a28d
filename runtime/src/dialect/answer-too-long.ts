import { ServerError, codes } from '../errors.js';

/** A read has found more than an answer may hold. */
export const answerTooLong = (limit: number): ServerError =>
  new ServerError(413, codes.limitExceeded, `The answer is longer than ${String(limit)} bytes.`, {
    hint: 'Ask for fewer rows or columns at once (limit, select), or raise app.limits.response-bytes.',
  });

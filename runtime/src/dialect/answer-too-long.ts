import { ServerError, codes } from '../errors.js';

/** The error of a read whose answer is longer than the limit. */
export const answerTooLong = (limit: number): ServerError =>
  new ServerError(413, codes.limitExceeded, `The answer is longer than ${String(limit)} bytes.`, {
    hint: 'Ask for fewer rows or columns at once (limit, select), or raise app.limits.response-bytes.',
  });

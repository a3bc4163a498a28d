import { ServerError, codes } from '../../../errors.js';

export const refusedFilter = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedFilter, message, { hint });

/** A limit of decision 008; `setting` is the key that raises it. */
export const refusedLimit = (message: string, setting: string): ServerError =>
  new ServerError(400, codes.limitExceeded, message, { hint: `Ask for less at once, or raise ${setting}.` });

import { ServerError, codes } from '../../../errors.js';

/** The request is understood and asks for something it may not: decisions 003 and 004. */
export const refusedArgument = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedParameter, message, { hint });

export const refusedFilter = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedFilter, message, { hint });

/** The document is understood, and nothing answers it here. */
export const refusedDocument = (message: string, hint: string): ServerError =>
  new ServerError(400, codes.unsupported, message, { hint });

/** A limit of decision 008; `setting` is the key that raises it. */
export const refusedLimit = (message: string, setting: string): ServerError =>
  new ServerError(400, codes.limitExceeded, message, { hint: `Ask for less at once, or raise ${setting}.` });

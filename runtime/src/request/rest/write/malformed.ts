import { ServerError, codes } from '../../../errors.js';

/** The error of a malformed body: 400. Source: decision 006. */
export const malformedBody = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint });

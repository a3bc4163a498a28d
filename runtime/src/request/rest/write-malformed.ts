import { ServerError, codes } from '../../errors.js';

/** A body that can't be understood: 400. Source: contract 7.1. */
export const malformedBody = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint });

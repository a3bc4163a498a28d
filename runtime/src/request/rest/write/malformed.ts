import { ServerError, codes, type ErrorReason } from '../../../errors.js';

/** The error of a malformed body: 400. Source: decision 006. */
export const malformedBody = (message: string, hint?: string, reason?: ErrorReason): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint, reason });

export const notJson: ErrorReason = { kind: 'body', problem: 'json' };

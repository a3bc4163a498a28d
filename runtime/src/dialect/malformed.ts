import { codes, ServerError, type ErrorReason } from '../errors.js';
import { quoted } from '../plan/refuse.js';

/** The error of a malformed value that the runtime itself parses: 400 in both protocols. */
export const malformed = (message: string, hint?: string, reason?: ErrorReason): ServerError =>
  new ServerError(400, codes.malformedFilter, message, { hint, reason });

/** A null operand is an error, never "no filter" (decision 003). */
export const valueNeeded = (name: string): ServerError =>
  malformed(`${name} needs a value, not null.`, 'To find rows without a value, use isNull (REST: is.null).');

/** The error of a value in the body of a request that the type of its column does not accept. */
export const malformedCell = (column: string, { status, message, hint }: ServerError): ServerError =>
  new ServerError(status, codes.malformedBody, `Column ${quoted(column)}: ${message}`, { hint });

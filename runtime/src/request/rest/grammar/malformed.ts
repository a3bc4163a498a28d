import { ServerError, codes, type ErrorReason } from '../../../errors.js';

/**
 * The error of a malformed query string: 400, with the name of the parameter. Source: decision 006.
 */
export const malformedParameter = (
  parameter: string,
  problem: string,
  hint?: string,
  reason?: ErrorReason,
): ServerError =>
  new ServerError(400, codes.malformedParameter, `Parameter ${quoteName(parameter)}: ${problem}`, { hint, reason });

/** The error of a malformed filter: 400, with the name of the parameter. Source: decision 006. */
export const malformedFilter = (parameter: string, problem: string, hint?: string, reason?: ErrorReason): ServerError =>
  new ServerError(400, codes.malformedFilter, `Filter ${quoteName(parameter)}: ${problem}`, { hint, reason });

/** The error of a request that exceeds a limit: 400. The message says where. */
export const limitExceeded = (message: string): ServerError => new ServerError(400, codes.limitExceeded, message);

/** A name from the request, for a message: in quotes, and shortened to 80 characters. */
export function quoteName(name: string): string {
  return name.length > 80 ? `"${name.slice(0, 80)}…"` : `"${name}"`;
}

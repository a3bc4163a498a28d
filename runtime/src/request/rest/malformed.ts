import { ServerError, codes } from '../../errors.js';

/** A part of the query string that cannot be understood: 400, naming the parameter. Source: contract 7.1. */
export const malformedParameter = (parameter: string, problem: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedParameter, `Parameter ${quoteName(parameter)}: ${problem}`, { hint });

/** A filter that cannot be understood: 400, naming the parameter. Source: contract 7.1. */
export const malformedFilter = (parameter: string, problem: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedFilter, `Filter ${quoteName(parameter)}: ${problem}`, { hint });

/** Too long, too many, too deep: 400, naming the spot. */
export const limitExceeded = (message: string): ServerError => new ServerError(400, codes.limitExceeded, message);

/** A name of the client's in a message: in quotes, and not longer than a line. */
export function quoteName(name: string): string {
  return name.length > 80 ? `"${name.slice(0, 80)}…"` : `"${name}"`;
}

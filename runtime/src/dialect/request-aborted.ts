import { codes, ServerError } from '../errors.js';

/** The client has gone away: nobody waits for the answer. */
export const requestAborted = (): ServerError => new ServerError(503, codes.unavailable, 'The request was given up.');

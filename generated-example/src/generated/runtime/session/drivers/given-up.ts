import { codes, ServerError } from '../../errors.js';

/** Nobody waits for the answer any more: the client has gone away. */
export const givenUp = (): ServerError => new ServerError(503, codes.unavailable, 'The request was given up.');

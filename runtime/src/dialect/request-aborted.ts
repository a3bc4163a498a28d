import { codes, ServerError } from '../errors.js';

/** The client has disconnected and does not wait for the answer. */
export const requestAborted = (): ServerError => new ServerError(503, codes.unavailable, 'The request was aborted.');

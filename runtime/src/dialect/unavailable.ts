import { codes, ServerError } from '../errors.js';

/**
 * The answer while the database cannot be reached.
 * @param hasNotBegun whether there was no connection for the first statement
 */
export const databaseUnavailable = (cause: unknown, hasNotBegun = false): ServerError =>
  new ServerError(503, codes.unavailable, 'The database is not available.', {
    hint: 'Try again in a moment.',
    headers: { 'retry-after': '1' },
    hasNotBegun,
    cause,
  });

/** The answer while all connections are in use and too many requests wait for one. */
export const overloaded = (): ServerError =>
  new ServerError(503, codes.unavailable, 'The server is busy: no connection to the database is free.', {
    hint: 'Try again in a moment. More connections: app.datasource.pool-size.',
    headers: { 'retry-after': '1' },
  });

/** The answer when the server is closing its connections. */
export const closing = (): ServerError => databaseUnavailable(new Error('the connections to the database are closed'));

/** Requests that may wait per connection: more requests would time out before their turn. */
export const waitingPerConnection = 100;

import { codes, ServerError } from '../../errors.js';

/**
 * The error of a handle that is used after its end: the user's code did not await its work, or kept
 * the handle.
 */
export const ended = (): ServerError =>
  new ServerError(500, codes.unsupported, 'The transaction of this handle has ended.', {
    hint: 'Await every statement inside the function that was given the handle, and keep the handle nowhere.',
  });

/** Two transactions inside one: each would undo the other’s work. */
export const occupied = (): ServerError =>
  new ServerError(503, codes.unavailable, 'Another transaction inside this one did not end in time.', {
    hint: 'Begin a transaction inside another one from the inner handle, and await one before the next begins.',
  });

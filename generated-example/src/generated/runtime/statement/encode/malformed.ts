import { codes, ServerError } from '../../errors.js';

/** A value that we parse ourselves and that has not the form it needs: 400, whatever the protocol. */
export const malformed = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.malformedFilter, message, { hint });

import { codes, ServerError } from '../../../errors.js';

/** Models of this database have no functions: `callsFunctions` is false. */
export const noFunctions = (): ServerError =>
  new ServerError(400, codes.unsupported, 'Functions of this database cannot be called.');

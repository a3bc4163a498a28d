import { codes, ServerError } from '../../../errors.js';

/** No model of this database has functions: `callsFunctions` is false. */
export const noFunctions = (): ServerError =>
  new ServerError(400, codes.unsupported, 'Functions of this database cannot be called.');

import { quotedPath } from './quote.js';

/**
 * The function that returns the user of the request to views. DETERMINISTIC: it is called once for
 * a statement, and an index serves.
 */
export const createRequestFunction = (schema: string): string =>
  `create function ${quotedPath({ schema, name: 'request_user_id' })}() returns varchar(255) deterministic no sql return @\`request.user_id\`;`;

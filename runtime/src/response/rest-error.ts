import type { ServerError } from '../errors.js';
import type { Answer } from './answer.js';
import { contentTypes } from './rest-rows.js';

/** Caches would keep a 404 or 405 without this header: RFC 9111, 4.2.2. */
const errorHeaders = { 'content-type': contentTypes.json, 'cache-control': 'no-store' };

/**
 * The answer to a failed request. Its body: decision 006, `{"code","message","details","hint"}`;
 * missing members are null.
 */
export function errorAnswer(error: ServerError): Answer {
  const body = JSON.stringify({
    code: error.code,
    message: error.message,
    details: error.details ?? null,
    hint: error.hint ?? null,
  });
  return { status: error.status, headers: { ...errorHeaders, ...error.headers }, body };
}

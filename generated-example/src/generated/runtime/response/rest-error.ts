import type { ServerError } from '../errors.js';
import type { Answer } from './answer.js';
import { contentTypes } from './rest-rows.js';

/** The answer to a request that failed. Its body: decisions 6, `{"code","message","details","hint"}`; what is not there is null. */
export function errorAnswer(error: ServerError): Answer {
  const body = JSON.stringify({
    code: error.code,
    message: error.message,
    details: error.details ?? null,
    hint: error.hint ?? null,
  });
  return { status: error.status, headers: { 'content-type': contentTypes.json, ...error.headers }, body };
}

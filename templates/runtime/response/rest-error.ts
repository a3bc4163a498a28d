import type { ServerError } from '../errors.js';

/** The body of a REST error: decisions 6, `{"code","message","details","hint"}`; what is not there is null. */
export function restErrorBody(error: ServerError): string {
  return JSON.stringify({
    code: error.code,
    message: error.message,
    details: error.details ?? null,
    hint: error.hint ?? null,
  });
}

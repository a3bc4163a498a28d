import { codes, ServerError, type ErrorReason } from '../errors.js';

/**
 * 401 with the challenge of RFC 6750, section 3. The description is shown to the client, so it is
 * always a fixed text of ours: nothing of the token goes into it, and no character that a quoted
 * string cannot hold.
 */
export function unauthenticated(message: string, cause?: unknown, reason?: TokenReason): ServerError {
  return new ServerError(401, codes.invalidToken, message, {
    hint: 'Send `Authorization: Bearer <JWT>` with a valid token, or no Authorization header to be anonymous.',
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    cause,
    reason: reason === undefined ? undefined : { kind: 'token', ...reason },
  });
}

/** Why it proves nothing, for forms of REST that have words of their own. */
export type TokenReason = Omit<Extract<ErrorReason, { kind: 'token' }>, 'kind'>;

/** 503: no verification key could be fetched yet, so no token can be judged. */
export function keysUnavailable(retryAfterSeconds: number, cause?: unknown): ServerError {
  return new ServerError(503, codes.unavailable, 'The keys that verify tokens are not available at the moment.', {
    hint: 'Try again in a moment. The server log says why the key set could not be fetched.',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    cause,
  });
}

/** 503: the issuer of a token did not say whether it is active. */
export const introspectionUnavailable = (cause: unknown): ServerError =>
  new ServerError(503, codes.unavailable, 'The issuer of tokens does not answer at the moment.', {
    hint: 'Try again in a moment. The server log says why.',
    headers: { 'Retry-After': '1' },
    cause,
  });

/** 403: the token is genuine, but asks for a database role that tokens may not switch to. */
export function roleRefused(role: unknown): ServerError {
  return new ServerError(403, codes.refused, 'The token names a database role that is not allowed here.', {
    hint: 'Roles that tokens may switch to are listed in `app.security.allowed-roles`.',
    reason: { kind: 'refusedStatement', state: '42501', message: `permission denied to set role ${roleText(role)}` },
  });
}

/** The role that the token names: its sender knows it. */
const roleText = (role: unknown): string =>
  `"${(typeof role === 'string' ? role : JSON.stringify(role)).slice(0, 63)}"`;

import { errors } from 'jose';
import { codes, ServerError } from '../errors.js';

/**
 * 401 with the challenge of RFC 6750, section 3. The description is shown to the client, so it is
 * always a fixed text of ours: nothing of the token goes into it, and no character that a quoted
 * string cannot hold.
 */
export function unauthenticated(message: string, cause?: unknown): ServerError {
  return new ServerError(401, codes.invalidToken, message, {
    hint: 'Send `Authorization: Bearer <JWT>` with a valid token, or no Authorization header to be anonymous.',
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    cause,
  });
}

/** 503: no verification key could be fetched yet, so no token can be judged. */
export function keysUnavailable(retryAfterSeconds: number, cause?: unknown): ServerError {
  return new ServerError(503, codes.unavailable, 'The keys that verify tokens are not available at the moment.', {
    hint: 'Try again in a moment. The server log says why the key set could not be fetched.',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    cause,
  });
}

/** 403: the token is genuine, but asks for a database role that tokens may not switch to. */
export function roleRefused(): ServerError {
  return new ServerError(403, codes.refused, 'The token names a database role that is not allowed here.', {
    hint: 'Roles that tokens may switch to are listed in `app.security.allowed-roles`.',
  });
}

/**
 * Any failure of a verification as the error a client gets; errors that already are ours pass
 * through.
 */
export function verificationFailure(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  return unauthenticated(describe(error), error);
}

const claimProblems: ReadonlyMap<string, string> = new Map([
  ['exp', 'The token has no usable exp claim.'],
  ['nbf', 'The token is not valid yet.'],
  ['iss', 'The token is from another issuer.'],
  ['aud', 'The token is for another audience.'],
]);

function describe(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return claimProblems.get(error.claim) ?? 'A claim of the token is invalid.';
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the token does not match.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The token is signed with an algorithm that is not accepted.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is signed with an unknown key.';
  return 'The token is malformed.';
}

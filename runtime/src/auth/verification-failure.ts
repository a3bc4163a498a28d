import { errors } from 'jose';
import { ServerError, type TokenProblem } from '../errors.js';
import { unauthenticated } from './failures.js';

/**
 * Any failure of a verification as the error a client gets; errors that already are ours pass
 * through.
 */
export function verificationFailure(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  return unauthenticated(describe(error), error, { problem: problemOf(error) });
}

const claimReasons: ReadonlyMap<string, TokenProblem> = new Map([
  ['exp', 'exp'],
  ['iat', 'iat'],
  ['nbf', 'early'],
  ['aud', 'audience'],
]);

function problemOf(error: unknown): TokenProblem {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud' && !isAudience(error.payload.aud))
    return 'aud';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'nbf' && error.reason === 'invalid' ? 'nbf' : (claimReasons.get(error.claim) ?? 'claims');
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) return 'key';
  return error instanceof errors.JOSEAlgNotAllowed ? 'algorithm' : 'malformed';
}

/** RFC 7519, 4.1.3. Null counts as missing. */
export const isAudience = (aud: unknown): boolean =>
  aud === undefined ||
  aud === null ||
  typeof aud === 'string' ||
  (Array.isArray(aud) && aud.every((each) => typeof each === 'string'));

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

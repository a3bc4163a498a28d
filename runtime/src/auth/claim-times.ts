import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import { isRecord } from '../is-record.js';
import { credentialRefused } from './credentials.js';

/** Clocks of issuer and server may differ by this much. Decision 007. */
export const leewaySeconds = 30;

/**
 * Checks the times of claims that a gateway, an issuer or code of the user has verified. Throws
 * ServerError 401 for claims that have expired, are not valid yet, or whose `exp` or `nbf` is not a
 * time.
 */
export function checkClaimTimes({ claims }: ActingIdentity): void {
  const said: unknown = typeof claims === 'string' ? JSON.parse(claims) : claims;
  if (!isRecord(said)) return;
  const { exp, nbf } = said;
  const now = Date.now() / 1000;
  if (exp !== undefined && !(isTime(exp) && exp > now)) throw refused('The identity has expired.');
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + leewaySeconds))
    throw refused('The identity is not valid yet.');
}

const isTime = (given: unknown): given is number => typeof given === 'number' && Number.isFinite(given);

const refused = (message: string): Error =>
  credentialRefused(
    message,
    'Bearer error="invalid_token"',
    'Get a new credential. `exp` and `nbf` of its claims are seconds since 1970.',
  );

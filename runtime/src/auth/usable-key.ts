import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK } from 'jose';
import { algorithmsOf } from './algorithms.js';

/**
 * Whether a key of a set can verify the signature of a token here: a public key for that, long
 * enough, of an algorithm that is accepted.
 */
export function isUsable(jwk: JWK): boolean {
  if (jwk.use !== undefined && jwk.use !== 'sig') return false;
  if (jwk.key_ops !== undefined && !jwk.key_ops.includes('verify')) return false;
  try {
    const algorithms = algorithmsOf(createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }));
    return jwk.alg === undefined ? algorithms.length > 0 : algorithms.includes(jwk.alg);
  } catch {
    return false;
  }
}

import { jwtVerify } from 'jose';
import { misconfigured } from '../errors.js';
import type { KeySource } from './verification-keys.js';

/** RFC 7518, 3.2: a key of HS256 has at least the length of its digest. */
const MIN_BYTES = 32;

/**
 * Verifies with the secret that the issuer signs with, for those who come from PostgREST or
 * Supabase. Only HS256: no public key is in use beside it (key-source.ts), so that no token can
 * choose between the two. Throws ServerError `misconfigured` for a secret that is too short, and
 * for the text of a key pair, which is no secret.
 */
export function createSecretSource(secret: string): KeySource {
  const hint = 'Make one with `openssl rand -base64 48`, or set the key set or public key of the issuer instead.';
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < MIN_BYTES)
    throw misconfigured(`app.security.auth.secret has fewer than ${String(MIN_BYTES)} bytes.`, hint);
  if (secret.includes('-----BEGIN'))
    throw misconfigured('app.security.auth.secret is a PEM key or certificate, not a secret.', hint);
  return {
    verify: async (token, options) => (await jwtVerify(token, bytes, { ...options, algorithms: ['HS256'] })).payload,
    hasKeys: () => true,
    close: () => undefined,
  };
}

import type { KeyObject } from 'node:crypto';

/**
 * The algorithms that keys of a JWKS may be used with. Symmetric algorithms and `none` are never
 * accepted, even if the key set names them.
 */
export const asymmetricAlgorithms: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const curves: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/**
 * The algorithms that a public key can verify; empty when it can verify none that we accept.
 * Pinning them to the key is what defeats a token that says HS256 and is signed with the public
 * key's text (RFC 8725, 3.1).
 */
export function algorithmsOf(key: KeyObject): string[] {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case 'rsa':
      // RFC 7518, 3.3: 2048 bits or more.
      return (details?.modulusLength ?? 0) < 2048 ? [] : ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
    case 'ec': {
      const algorithm = curves.get(details?.namedCurve ?? '');
      return algorithm === undefined ? [] : [algorithm];
    }
    case 'ed25519':
      return ['EdDSA', 'Ed25519'];
    default:
      return [];
  }
}

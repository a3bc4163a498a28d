import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { codes, ServerError, type Registry, type Settings } from '@tablewright/runtime/console';

/** Seconds for which a token of typed claims is valid. */
const lifetime = 12 * 60 * 60;

/** The JSON Web Algorithms of keys, by their types or curves. Source: RFC 7518, RFC 8037 */
const algorithms: Readonly<Record<string, string>> = { rsa: 'RS256', prime256v1: 'ES256', ed25519: 'EdDSA' };

/**
 * A token with typed claims, signed by the key of `app.console-key-file`. Callers make sure that
 * the server is one of development.
 * @throws ServerError 400 for claims that are no JSON object, `misconfigured` without a key
 */
export async function signClaims(path: string, text: string, settings: Settings): Promise<string> {
  const { key, algorithm } = await readKey(path);
  const { 'app.security.auth.issuer': iss, 'app.security.auth.audience': aud } = settings;
  const now = Math.floor(Date.now() / 1000);
  const added = { ...(iss && { iss }), ...(aud && { aud }), iat: now, exp: now + lifetime };
  const missing = Object.entries(added).filter(([name]) => !Object.hasOwn(claimsOf(text), name));
  // The text of the claims stays as it was typed: numbers keep their digits.
  const own = text.trim().slice(1, -1).trim();
  const members = [
    ...(own === '' ? [] : [own]),
    ...missing.map(([name, value]) => `"${name}":${JSON.stringify(value)}`),
  ];
  const head = [JSON.stringify({ alg: algorithm }), `{${members.join(',')}}`].map(encoded).join('.');
  const digest = algorithm === 'EdDSA' ? null : 'sha256';
  return `${head}.${encoded(sign(digest, Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' }))}`;
}

/** The claims that settings and rules read; policies may read others. */
export function claimNames(settings: Settings, { rules }: Registry): readonly string[] {
  const role = settings['app.security.role-claim']?.replace(/^\./, '').split(/[.[]/)[0];
  const ruled = Array.from(JSON.stringify(rules ?? {}).matchAll(/"claim":"([^"\\]+)"/g), ([, name = '']) => name);
  return [...new Set(['userId', ...(role === undefined ? [] : [role]), ...ruled])];
}

const encoded = (part: string | Buffer): string => Buffer.from(part).toString('base64url');

function claimsOf(text: string): object {
  try {
    const claims: unknown = JSON.parse(text);
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims;
  } catch {
    // The error below says what was expected.
  }
  throw new ServerError(400, codes.malformedParameter, 'Claims are a JSON object, for example {"userId": "1"}.');
}

async function readKey(path: string): Promise<{ readonly key: KeyObject; readonly algorithm: string }> {
  try {
    const key = createPrivateKey(await readFile(path));
    const algorithm = algorithms[key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? ''];
    if (algorithm !== undefined) return { key, algorithm };
    throw new TypeError('The key has another type.');
  } catch (cause) {
    throw new ServerError(500, codes.misconfigured, 'The file of app.console-key-file has no key that signs tokens.', {
      hint: 'It is a PEM file with a private key: RSA, P-256 or Ed25519.',
      cause,
    });
  }
}

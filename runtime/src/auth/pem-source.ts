import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jwtVerify } from 'jose';
import { algorithmsOf } from './algorithms.js';
import { misconfigured } from '../errors.js';
import type { KeySource, KeySourceContext } from './verification-keys.js';

interface PinnedKey {
  readonly key: KeyObject;
  readonly algorithms: string[];
}

/**
 * Verifies with an inline PEM public key. `\n` written as two characters, as environment files have
 * it, is a new line.
 */
export function createPemSource(pem: string): KeySource {
  const pinned = readKey(pem.replaceAll('\\n', '\n'), 'app.security.auth.public-key');
  return {
    verify: (token, options) => verifyWith(pinned, token, options),
    hasKeys: () => true,
    close: () => undefined,
  };
}

/**
 * Verifies with the PEM public key in a file, and reads it again when it changes. A file that is
 * missing or unreadable later, as in the middle of being replaced, leaves the last good key in use
 * and is reported once per change. The text is compared at each poll: file system events miss the
 * symbolic links that orchestrators swap when they renew a secret, and `watchFile` misses a change
 * between the first reading and its own first look.
 */
export function createPemFileSource(path: string, context: KeySourceContext, pollMs = 1000): KeySource {
  /** The content at the last poll; undefined for a file that cannot be read. */
  let seen: string | undefined = readPem(path);
  let used = seen;
  let pinned = readKey(used, path);
  const reread = (): void => {
    const before = seen;
    try {
      seen = undefined;
      seen = readPem(path);
      if (seen === before) return;
      const key = readKey(seen, path);
      if (seen === used) return;
      [pinned, used] = [key, seen];
      context.onChange();
    } catch (error) {
      if (seen === before) return;
      const message = error instanceof Error ? error.message : String(error);
      context.observe({ kind: 'warning', message: `The last good key stays in use: ${message}` });
    }
  };
  const timer = setInterval(reread, pollMs).unref();
  return {
    verify: (token, options) => verifyWith(pinned, token, options),
    hasKeys: () => true,
    close: () => {
      clearInterval(timer);
    },
  };
}

async function verifyWith(
  { key, algorithms }: PinnedKey,
  ...[token, options]: Parameters<KeySource['verify']>
): ReturnType<KeySource['verify']> {
  const { payload } = await jwtVerify(token, key, { ...options, algorithms });
  return payload;
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw misconfigured(
      `The public key file ${path} cannot be read.`,
      'app.security.auth.public-key-file must be the path of a PEM file that the server may read.',
      error,
    );
  }
}

function readKey(pem: string, from: string): PinnedKey {
  const hint =
    'Give a PEM public key (BEGIN PUBLIC KEY) or certificate: RSA of 2048 bits or more, EC P-256, P-384 or P-521, or Ed25519.';
  // Node would quietly derive the public half; but a private key has no business on a server that
  // only verifies.
  if (pem.includes('PRIVATE KEY'))
    throw misconfigured(`${from} holds a private key; only the public one is needed.`, hint);
  try {
    const key = createPublicKey(pem);
    const algorithms = algorithmsOf(key);
    if (algorithms.length > 0) return { key, algorithms };
  } catch (error) {
    throw misconfigured(`${from} does not hold a PEM public key.`, hint, error);
  }
  throw misconfigured(`${from} holds a key of a kind that cannot verify tokens.`, hint);
}

import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { asymmetricAlgorithms } from './algorithms.js';
import { isUsable } from './usable-key.js';
import { encodingHint, isCertainAddress } from '../certain-address.js';
import { fetchText } from './fetch-text.js';
import { misconfigured } from '../errors.js';
import { keysUnavailable } from './failures.js';
import type { KeySource, KeySourceContext } from './verification-keys.js';

export interface JwksTimes {
  /** Least milliseconds between two fetches that unknown keys cause. */
  readonly cooldownMs?: number;
  /** Least milliseconds between two fetches while there are no keys at all. */
  readonly retryMs?: number;
  /** Milliseconds between two regular fetches, which notice keys that were withdrawn. */
  readonly refreshMs?: number;
  /** Milliseconds a fetch may take. */
  readonly timeoutMs?: number;
}

interface KeySet {
  readonly text: string;
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly isEmpty: boolean;
}

/**
 * Verifies with the keys of a JWKS endpoint (RFC 7517). Fetched at once, then regularly, and once
 * per cooldown when a token names a key we do not know: that is how a rotation is noticed. While
 * the endpoint is down the last keys stay in use. jose has a remote key set too; it forgets its
 * keys when they are old and the endpoint is down, which decision 007 rules out.
 */
export function createJwksSource(address: string, context: KeySourceContext, times: JwksTimes = {}): KeySource {
  const { cooldownMs = 30_000, retryMs = 1000, refreshMs = 300_000, timeoutMs = 5000 } = times;
  const url = checkAddress(address, context);
  let keys: KeySet | undefined;
  let failure: unknown;
  let pending: Promise<void> | undefined;
  let lastFetch = -Infinity;
  let lastMiss = -Infinity;

  let closed = false;
  let fetching: AbortController | undefined;

  const load = async (): Promise<void> => {
    lastFetch = Date.now();
    try {
      fetching = new AbortController();
      const text = await fetchText(url, timeoutMs, fetching, {
        headers: { accept: 'application/jwk-set+json, application/json' },
      });
      if (text !== keys?.text) {
        const changed = keys !== undefined;
        keys = keySetOf(text);
        if (changed) context.onChange();
      }
      failure = undefined;
    } catch (error) {
      // Reported when the state changes, not at every attempt: an outage is one fact.
      if (failure === undefined && !closed) context.observe(outage(keys !== undefined, error));
      failure = error;
    }
  };
  const refresh = (): Promise<void> => (pending ??= load().finally(() => (pending = undefined)));

  const ready = async (): Promise<KeySet> => {
    if (keys === undefined && (pending !== undefined || Date.now() - lastFetch >= retryMs)) await refresh();
    if (keys === undefined) throw keysUnavailable(retryMs / 1000, failure);
    return keys;
  };

  const verify = async (token: string, options: JWTVerifyOptions): Promise<JWTPayload> => {
    const known = await ready();
    try {
      return await verifyWith(known, token, options);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (pending === undefined && Date.now() - lastMiss < cooldownMs) throw error;
      lastMiss = Date.now();
      await refresh();
      return await verifyWith(await ready(), token, options);
    }
  };

  void refresh();
  const timer = setInterval(() => void refresh(), refreshMs).unref();
  return {
    verify,
    hasKeys: () => {
      const has = keys !== undefined && !keys.isEmpty;
      if (!has && Date.now() - lastFetch >= retryMs) void refresh();
      return has;
    },
    close: () => {
      closed = true;
      clearInterval(timer);
      fetching?.abort();
    },
  };
}

/**
 * Leaves out the keys that verify no signature here: such a key could hide another one with the
 * same `kid`.
 * Throws if the text is not a key set.
 */
function keySetOf(text: string): KeySet {
  const set = JSON.parse(text) as JSONWebKeySet;
  // Names the mistake in a malformed key set.
  createLocalJWKSet(set);
  const keys = set.keys.filter(isUsable);
  return { text, find: createLocalJWKSet({ keys }), isEmpty: keys.length === 0 };
}

async function verifyWith(keys: KeySet, token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
  const pinned = { ...options, algorithms: [...asymmetricAlgorithms] };
  try {
    return (await jwtVerify(token, keys.find, pinned)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token without `kid`, and several keys that could be meant: the signature decides.
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, pinned)).payload;
      } catch (failed) {
        // The claims of a token that this key has signed are invalid. Any other error is about the
        // key: the next key may fit.
        if (isAboutClaims(failed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

const isAboutClaims = (error: unknown): boolean =>
  error instanceof errors.JWTExpired ||
  error instanceof errors.JWTClaimValidationFailed ||
  error instanceof errors.JWTInvalid;

function outage(haveKeys: boolean, error: unknown): Parameters<KeySourceContext['observe']>[0] {
  // fetch says "fetch failed" and keeps the reason in its cause.
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return {
    kind: 'warning',
    message: `The key set of app.security.auth.jwks-url could not be fetched: ${reason}`,
    hint: haveKeys
      ? 'The keys fetched before stay in use.'
      : 'Until it can be fetched, requests with a token are answered 503.',
  };
}

function checkAddress(address: string, { observe }: KeySourceContext): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw misconfigured(
      'app.security.auth.jwks-url is not an http or https address.',
      'It is the address of a JSON Web Key Set, such as https://login.example.com/.well-known/jwks.json.',
    );
  }
  if (url.username + url.password !== '' && !isCertainAddress(address))
    throw misconfigured('The address in app.security.auth.jwks-url cannot be read.', encodingHint);
  if (url.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) {
    observe({
      kind: 'warning',
      message:
        'app.security.auth.jwks-url is not https: an attacker who can change the answer on its way can sign tokens.',
      hint: 'Use the https address of the key set.',
    });
  }
  return url;
}

import { LRUCache } from 'lru-cache';
import { codes, ServerError } from '../errors.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import { isRecord } from '../is-record.js';

/** Credentials that were found, at most. */
const MAX_KEPT = 10_000;

/** How long the identity that belongs to a credential is kept after it was looked up. */
export interface LookupOptions {
  /** Seconds for which an identity is remembered: a withdrawn credential counts so long. */
  readonly cacheSeconds?: number | undefined;
}

/**
 * Identities by their credential. Look-ups of one credential at the same time are one. Only those
 * that were found are kept, so that no number of wrong ones pushes them out.
 */
export class IdentityLookup {
  readonly #pending = new Map<string, Promise<ActingIdentity | undefined>>();
  readonly #kept: LRUCache<string, ActingIdentity> | undefined;

  constructor({ cacheSeconds = 0 }: LookupOptions) {
    if (cacheSeconds > 0) this.#kept = new LRUCache({ max: MAX_KEPT, ttl: cacheSeconds * 1000 });
  }

  find(
    credential: string,
    look: () => Promise<ActingIdentity | undefined> | ActingIdentity | undefined,
  ): ActingIdentity | Promise<ActingIdentity | undefined> {
    const kept = this.#kept?.get(credential);
    if (kept !== undefined) return kept;
    const before = this.#pending.get(credential);
    if (before !== undefined) return before;
    const pending = this.#look(credential, look).finally(() => this.#pending.delete(credential));
    this.#pending.set(credential, pending);
    return pending;
  }

  async #look(credential: string, look: Parameters<IdentityLookup['find']>[1]): Promise<ActingIdentity | undefined> {
    const found = await look();
    const left = found === undefined ? 0 : expiryOf(found) - Date.now();
    if (found !== undefined && left > 0)
      this.#kept?.set(credential, found, left < this.#kept.ttl ? { ttl: Math.ceil(left) } : {});
    return found;
  }
}

/** Milliseconds since 1970 at which the claims expire. */
function expiryOf({ claims }: ActingIdentity): number {
  const said: unknown = typeof claims === 'string' ? JSON.parse(claims) : claims;
  const exp = isRecord(said) ? said['exp'] : undefined;
  return typeof exp === 'number' ? exp * 1000 : Infinity;
}

/** 401 for a credential that is there and not valid: it never becomes anonymous. */
export const credentialRefused = (message: string, scheme: string, hint: string): ServerError =>
  new ServerError(401, codes.invalidToken, message, { hint, headers: { 'WWW-Authenticate': scheme } });

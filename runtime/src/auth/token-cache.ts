import { LRUCache } from 'lru-cache';
import type { Identity } from '../dialect/driver.js';

export interface Verified {
  readonly identity: Identity;
  /** Milliseconds since the epoch: the token's `exp`. */
  readonly expires: number;
}

export interface TokenCache {
  /** The identity of a token that was verified before and has not expired since. */
  readonly get: (authorization: string) => Identity | undefined;
  /** Forgets everything: the keys changed. */
  readonly clear: () => void;
  /**
   * Taken before a verification, called with its result: which is not kept when the keys changed
   * meanwhile.
   */
  readonly ticket: () => (authorization: string, verified: Verified) => void;
}

/** Bounds: tokens, and characters of tokens and claims together. */
const MAX_TOKENS = 10_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Verified tokens by the raw header value: a hit is one look-up, and no part of the token is read.
 */
export function createTokenCache(): TokenCache {
  let generation = 0;
  const tokens = new LRUCache<string, Verified>({
    max: MAX_TOKENS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ identity }, authorization) => authorization.length + (identity.claims?.length ?? 0),
  });
  return {
    get: (authorization) => {
      const found = tokens.get(authorization);
      if (found === undefined || Date.now() < found.expires) return found?.identity;
      tokens.delete(authorization);
      return undefined;
    },
    clear: () => {
      generation += 1;
      tokens.clear();
    },
    ticket: () => {
      const issued = generation;
      return (authorization, verified) => {
        if (issued === generation && Date.now() < verified.expires) tokens.set(authorization, verified);
      };
    },
  };
}

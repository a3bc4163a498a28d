import type { Identity } from '../dialect/driver.js';
import type { IdentityRequest } from '../execute/custom/authenticate.js';

export interface Authenticator {
  /**
   * The identity of the request. At once for a token seen before, otherwise a promise. No token:
   * the anonymous identity. Throws or rejects with ServerError: 401 for a token that is present and
   * not valid, 403 for a role that is not allowed, 503 while there are no keys.
   */
  readonly authenticate: (request: IdentityRequest) => Promise<Identity> | Identity;
  /**
   * Whether there are keys to verify tokens with, or none are needed. Tries to get some when there
   * are none.
   */
  readonly hasKeys: () => boolean;
  /**
   * Calls each time keys were added, replaced or removed. Returns a function that ends it. Absent
   * where tokens are not verified.
   */
  readonly onKeysChanged?: (listener: () => void) => () => void;
  /** Stops watching the key source. */
  readonly close: () => void;
}

const anonymous: Identity = Object.freeze({});

/** For a server that verifies no tokens: it does not load the library for them. */
export const withoutVerification = (unknown: Identity = anonymous): Authenticator => ({
  authenticate: () => unknown,
  hasKeys: () => true,
  close: () => undefined,
});

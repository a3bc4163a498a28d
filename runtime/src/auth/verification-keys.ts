import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { Observer } from '../observe/observation.js';

/**
 * Where verification keys come from. The algorithms a key may be used with follow from the key,
 * never from the token.
 */
export interface KeySource {
  /**
   * The claims of a genuine token. Rejects with an error of jose, or with ServerError 503 while
   * there are no keys.
   */
  readonly verify: (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>;
  /** Whether there are keys. Tries to get some when there are none. */
  readonly hasKeys: () => boolean;
  readonly close: () => void;
}

export interface KeySourceContext {
  /**
   * Called when keys were added, replaced or removed: tokens that the old keys verified must be
   * verified again.
   */
  readonly onChange: () => void;
  readonly observe: Observer;
}

import type { IdentityRequest } from '../../../execute/custom/authenticate.js';
import type { Services } from '../../../execute/services.js';
import { toServerError } from '../../../response/server-error.js';

/**
 * Verifies the token of a connection that stays open again when the keys change: a key that was
 * withdrawn ends its connections. To be made before the token is first verified, which may take
 * place while the keys change.
 */
export class KeyWatch {
  #isRevoked = false;
  #revoked: (() => void) | undefined;
  readonly #stop: () => void;

  constructor(
    private readonly services: Pick<Services, 'authenticate' | 'onKeysChanged' | 'dialect'>,
    private readonly request: IdentityRequest,
  ) {
    const hasToken = request.headers.authorization !== undefined;
    this.#stop = (hasToken ? services.onKeysChanged?.(() => void this.#verify()) : undefined) ?? (() => undefined);
  }

  /** Calls when the token is no longer valid, at once if that is so already. */
  onRevoked(revoked: () => void): void {
    this.#revoked = revoked;
    if (this.#isRevoked) revoked();
  }

  stop(): void {
    this.#stop();
    this.#revoked = undefined;
  }

  /** Never rejects. While there are no keys at all, nothing is known of the token. */
  async #verify(): Promise<void> {
    try {
      await this.services.authenticate(this.request);
    } catch (error) {
      if (toServerError(error, this.services.dialect).status >= 500) return;
      this.#isRevoked = true;
      this.#revoked?.();
    }
  }
}

import { codes, type ServerError } from '../errors.js';
import type { CancelSignal } from '../cancel-signal.js';

/**
 * The signal that the client of a request has disconnected. It replaces AbortController: creating
 * an AbortController and listening to it takes about 5 µs for each request, a tenth of a read by
 * key.
 */
export class ClientDisconnect implements CancelSignal {
  #aborted = false;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Each listener is called at most once, and never if the client has already disconnected. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/**
 * Whether an error is only the result of the client's disconnect: the statement was cancelled, or
 * never began. Such an error is not a failure.
 */
export const isClientDisconnect = ({ code, kind }: ServerError, { aborted }: CancelSignal): boolean =>
  aborted && (kind === 'timeout' || code === codes.unavailable);

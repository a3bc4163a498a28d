import type { CancelSignal } from '../cancel-signal.js';

/**
 * A request to stop a statement can overtake the statement, which then runs as if nothing had been:
 * it is sent again until the statement has ended.
 */
const CANCEL_AGAIN_MS = 200;

/** A connection whose statement can be stopped. */
export interface Cancellable {
  /** Whether the connection is gone: nothing runs on it any more. */
  readonly isLost: boolean;
  /** Asks the database to stop the running statement. Never rejects. */
  cancel(): Promise<void>;
}

/** Stops the statement of a connection at the database when its request is aborted. */
export class Cancelling {
  #isStopped = false;
  #again: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: Cancellable,
    private readonly signal: CancelSignal | undefined,
  ) {
    if (signal?.aborted === true) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel);
  }

  readonly #cancel = (): void => {
    void this.connection.cancel().then(() => {
      if (!this.#isStopped && !this.connection.isLost) this.#again = setTimeout(this.#cancel, CANCEL_AGAIN_MS);
    });
  };

  /** The statement has ended. A request to stop it may still be on its way. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#again);
    this.signal?.removeEventListener('abort', this.#cancel);
  }
}

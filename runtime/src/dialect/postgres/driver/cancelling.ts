import type { CancelSignal } from '../../driver.js';
import type { PgConnection } from './connection.js';

/**
 * A cancel request can overtake the statement it is about, which then runs as if nothing had been:
 * it is sent again until that has ended.
 */
const CANCEL_AGAIN_MILLISECONDS = 200;

/** Stops the statement of a connection at the database when its request is aborted. */
export class Cancelling {
  #isStopped = false;
  #again: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: PgConnection,
    private readonly signal: CancelSignal | undefined,
  ) {
    if (signal?.aborted === true) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel);
  }

  readonly #cancel = (): void => {
    void this.connection.cancel().then(() => {
      if (!this.#isStopped && !this.connection.lost) this.#again = setTimeout(this.#cancel, CANCEL_AGAIN_MILLISECONDS);
    });
  };

  /**
   * The statement to stop has ended. A cancel request may still be on its way: see
   * `PgConnection.onceUncancelled`.
   */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#again);
    this.signal?.removeEventListener('abort', this.#cancel);
  }
}

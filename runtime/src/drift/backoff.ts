const MIN_MINUTES = 1;
const MAX_MINUTES = 30;

/** The pauses between attempts that fail: 1, 2, 4 … 30 minutes. */
export class Backoff {
  private minutes = MIN_MINUTES;

  /** The next pause, in milliseconds. */
  next(): number {
    const pause = this.minutes * 60_000;
    this.minutes = Math.min(2 * this.minutes, MAX_MINUTES);
    return pause;
  }

  reset(): void {
    this.minutes = MIN_MINUTES;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** A session that ends when its connections end. */
export interface Session {
  /** Rejects when the session ends, with the reason. */
  readonly ended: Promise<never>;
  close(): void;
}

export interface Reopening {
  /** Milliseconds between two attempts: the first pause, and the longest. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Called each time the session has been opened. */
  readonly opened: () => void;
  /**
   * Called with the reason each time the session could not be opened or has ended, unless it was
   * closed here.
   */
  readonly interrupted?: (error: unknown) => void;
  /** Whether the reason lasts, so that the session is not opened again. */
  readonly givesUp?: (error: unknown) => boolean;
}

/**
 * Opens a session, and opens it again whenever it ends.
 * @param open rejects with the obstacle, and when the signal is aborted; the signal is of this
 * session alone, and is aborted after its end
 * @returns closes the session for good; resolves when it is closed
 */
export function keepOpen(
  open: (signal: AbortSignal) => Promise<Session>,
  { firstPause, longestPause, opened, interrupted, givesUp }: Reopening,
): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const isClosing = (): boolean => signal.aborted;
  let session: Session | undefined;
  let attempt = new AbortController();

  const runOnce = async (): Promise<void> => {
    attempt = new AbortController();
    session = await open(attempt.signal);
    // Closed while it was being opened: it had nothing to close then.
    if (isClosing()) return;
    opened();
    await session.ended;
  };

  const run = async (): Promise<void> => {
    let pause = firstPause;
    while (!isClosing()) {
      const since = Date.now();
      try {
        await runOnce();
      } catch (error) {
        if (isClosing()) return;
        interrupted?.(error);
        if (givesUp?.(error) === true) return;
      } finally {
        session?.close();
        session = undefined;
        attempt.abort();
      }
      pause = Date.now() - since > longestPause ? firstPause : Math.min(2 * pause, longestPause);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };

  const running = run();
  return async () => {
    closing.abort();
    attempt.abort();
    session?.close();
    await running;
  };
}

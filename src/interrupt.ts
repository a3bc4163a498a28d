import { TablewrightError } from './errors.js';

/** Throws INTERRUPTED once the signal is aborted. */
export function stopWhenAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw interrupted();
}

/**
 * The work's outcome, or INTERRUPTED as soon as the signal is aborted: for waits that cannot be cut
 * short themselves.
 */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work();
  stopWhenAborted(signal);
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = (): void => {
      reject(interrupted());
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/** What is left of the run: nothing, unless a caller knows better. */
export const interrupted = (left = 'Nothing was written.'): TablewrightError =>
  new TablewrightError('INTERRUPTED', 'Interrupted.', left);

/** An interruption of work that has left something behind says so. */
export async function leaving<T>(left: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TablewrightError && error.code === 'INTERRUPTED' ? interrupted(left) : error;
  }
}

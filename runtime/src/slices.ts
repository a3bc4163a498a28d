import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServerError, codes } from './errors.js';
import type { CancelSignal } from './cancel-signal.js';

/** Milliseconds of one slice: what other requests wait for at most. */
const SLICE_MS = 5;

/**
 * Does long work in slices, other requests being answered in between. Rejects with ServerError
 * `unavailable` when the client leaves meanwhile.
 * @param work yields wherever it can be interrupted, many times in a millisecond
 */
export async function inSlices<T>(work: Generator<undefined, T>, signal: CancelSignal | undefined): Promise<T> {
  for (;;) {
    if (signal?.aborted === true) throw new ServerError(503, codes.unavailable, 'The client has disconnected.');
    const end = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
}

/**
 * Runs work one after the other, in the order of the calls, each in a new turn of the event loop.
 */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.then(turn, turn);
    return next;
  };
}

const turn = (): Promise<unknown> => nextTurn();

/** Bytes that are copied at once. */
const COPIED = 1024 * 1024;

/** Puts bytes together. Yields often: a hundred megabytes take as many milliseconds. */
export function* concatenate(pieces: readonly Buffer[]): Generator<undefined, Buffer> {
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += COPIED) {
      at += piece.copy(whole, at, from, from + COPIED);
      yield;
    }
  }
  return whole;
}

import { Worker } from 'node:worker_threads';

/** The line of a running stage: an animated sign, its title and its progress. */
export interface Spinner {
  readonly start: (title: string) => void;
  readonly count: (done: number, total: number) => void;
  /** Takes the line away. */
  readonly stop: () => void;
  /** Takes the line away while something else is written; the next turn draws it again. */
  readonly aside: (write: () => void) => void;
}

/** What both threads see, as places in an Int32Array. */
export const shared = { lock: 0, stage: 1, done: 2, total: 3, drawn: 4, length: 5 } as const;

export const clearLine = '\r\u001b[2K';

/**
 * A spinner on a terminal. It is drawn by a thread of its own, because some stages compute for
 * seconds without a pause; the thread is started with the first stage.
 */
export function createSpinner(write: (text: string) => unknown, descriptor: number): Spinner {
  const state = new Int32Array(new SharedArrayBuffer(4 * shared.length));
  let worker: Worker | undefined;
  let stages = 0;
  const alone = (work: () => void): void => {
    lockLine(state);
    try {
      if (Atomics.exchange(state, shared.drawn, 0) === 1) write(clearLine);
      work();
    } finally {
      unlockLine(state);
    }
  };
  return {
    start: (title) => {
      worker ??= startThread(state, descriptor);
      stages += 1;
      worker.postMessage({ stage: stages, title });
      Atomics.store(state, shared.total, 0);
      Atomics.store(state, shared.stage, stages);
    },
    count: (done, total) => {
      Atomics.store(state, shared.done, done);
      Atomics.store(state, shared.total, total);
    },
    stop: () => {
      alone(() => Atomics.store(state, shared.stage, 0));
    },
    aside: alone,
  };
}

/** One thread writes at a time. A turn takes microseconds. */
export function lockLine(state: Int32Array): void {
  while (Atomics.compareExchange(state, shared.lock, 0, 1) !== 0) Atomics.wait(state, shared.lock, 1, 10);
}

export function unlockLine(state: Int32Array): void {
  Atomics.store(state, shared.lock, 0);
  Atomics.notify(state, shared.lock);
}

function startThread(state: Int32Array, descriptor: number): Worker {
  const worker = new Worker(new URL('./spinner-thread.js', import.meta.url), { workerData: { state, descriptor } });
  worker.unref();
  return worker;
}

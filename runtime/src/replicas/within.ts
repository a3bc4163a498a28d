import { setTimeout as sleep } from 'node:timers/promises';

/** The value of a promise. Rejects when it takes longer. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const over = sleep(milliseconds, undefined, { signal: ended.signal }).then(() => {
    throw new Error('timeout of a question to a database server');
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    over.catch(() => undefined);
    ended.abort();
  }
}

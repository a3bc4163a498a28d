import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when all of these have settled, or the time is over. */
export async function within(milliseconds: number, works: readonly Promise<void>[]): Promise<void> {
  const ended = new AbortController();
  const over = sleep(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(works), over]);
  ended.abort();
}

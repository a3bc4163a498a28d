/** Orders texts by code point, so that the order does not depend on the machine's locale. */
export const compareCodePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Runs `work` on every item, at most `width` at a time, and answers in the items' order. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  width = 32,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, worker));
  // Rejects only after all workers have ended: a caller that cleans up must not race with late
  // writers.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}

/** The median, so that one disturbed measurement does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Several measurements of the same thing. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

/** The result of the work, and how many seconds it took. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly seconds: number; readonly result: T }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

export { memory, processorTime } from './processes.js';

import type { Registry } from './descriptor/registry.js';

/** How much a cache may hold. */
export interface Bounds {
  readonly max: number;
  /** Sum of the entries' sizes. */
  readonly maxSize: number;
}

/** Such as one read by key and one list. Shapes of one table beyond that share the room of tables that are asked for less. */
const entriesPerTable = 2;

/**
 * Room for what requests are made into, kept by their shape: at least so many entries, more where there are more tables. A fixed number would
 * not do: requests that go round more shapes than a cache holds push out each the one that comes next, and nothing is ever found.
 * @param least entries of a cache for few tables
 * @param size what an entry takes at most on average, in the unit of the cache
 */
export function boundsOf({ tables }: Pick<Registry, 'tables'>, least: number, size: number): Bounds {
  const max = Math.max(least, entriesPerTable * tables.length);
  return { max, maxSize: max * size };
}

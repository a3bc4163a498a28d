import type { Registry } from './registry.js';

/** How much a cache may hold. */
export interface Bounds {
  readonly max: number;
  /** Sum of the entries' sizes. */
  readonly maxSize: number;
}

/**
 * For example one read by key and one list. A table with more shapes uses the room of tables that
 * have fewer.
 */
const entriesPerTable = 2;

/**
 * The bounds of a cache of compiled requests, kept by their shape: `least` entries, and more where
 * there are more tables. With a fixed number, requests that cycle through more shapes than the
 * cache holds would each evict the entry that is needed next, and no entry would ever be found.
 * @param least entries of a cache for few tables
 * @param size what an entry takes at most on average, in the unit of the cache
 */
export function boundsOf({ tables }: Pick<Registry, 'tables'>, least: number, size: number): Bounds {
  const max = Math.max(least, entriesPerTable * tables.length);
  return { max, maxSize: max * size };
}

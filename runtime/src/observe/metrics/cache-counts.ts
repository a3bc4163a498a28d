import { BoundedCache } from '../../bounded-cache.js';

/** The statistics of a cache. */
export interface CacheCounts {
  readonly size: number;
  readonly hits: number;
  readonly misses: number;
}

/** A bounded cache that counts hits and misses. */
export class CountedCache<V extends object> extends BoundedCache<V> implements CacheCounts {
  hits = 0;
  misses = 0;

  override get(key: string): V | undefined {
    const found = super.get(key);
    if (found === undefined) this.misses += 1;
    else this.hits += 1;
    return found;
  }
}

/** The caches of the API that is served, by name. They are replaced with it. */
export type CacheListener = (name: CacheName, cache: CacheCounts) => void;

/** Those of REST begin with the name of a mount's form. */
export type CacheName = 'graphql_documents' | `${string}_statements` | `${string}_writes`;

import { LRUCache } from 'lru-cache';

let neverHits = false;

/**
 * From now on no cache of this process finds anything: every request is parsed, planned and
 * compiled again. Only for the test that compares such a server with an ordinary one.
 */
export function forgetShapes(): void {
  neverHits = true;
}

/**
 * A bounded cache whose values follow from their keys: a statement from the shape of a request, a
 * parsed header from its text. Answers are the same without it.
 */
export class BoundedCache<V extends object | string> extends LRUCache<string, V> {
  override get(key: string): V | undefined {
    return neverHits ? undefined : super.get(key);
  }

  /** The value of a key. One that is not there is made, and kept with this size. */
  getOrMake(key: string, size: number, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made, { size });
    return made;
  }
}

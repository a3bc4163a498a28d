/**
 * Answers the values of many keys at once: a list in the order of the keys, or a map that has all
 * keys. A value that is an Error fails its key alone.
 */
export type Batch<Key, Value, Context> = (
  keys: readonly Key[],
  context: Context,
) => Promise<readonly (Value | Error)[] | ReadonlyMap<Key, Value | Error>>;

/** Loads values of single keys, which are read together. */
export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
  loadMany(keys: readonly Key[]): Promise<readonly Value[]>;
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls `batch` once for all keys that are asked for in a tick, each key once. Values are not
 * cached: the fields of a mutation see the writes of earlier fields.
 */
class BatchLoader<Key, Value> implements Loader<Key, Value> {
  #waiting = new Map<Key, Waiter<Value>[]>();

  constructor(private readonly read: (keys: readonly Key[]) => ReturnType<Batch<Key, Value, unknown>>) {}

  load(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#schedule();
      const others = this.#waiting.get(key);
      if (others === undefined) this.#waiting.set(key, [{ resolve, reject }]);
      else others.push({ resolve, reject });
    });
  }

  loadMany(keys: readonly Key[]): Promise<readonly Value[]> {
    return Promise.all(keys.map((key) => this.load(key)));
  }

  /**
   * Waits until the continuations of resolved promises have run: they call the resolvers of other
   * rows.
   */
  #schedule(): void {
    void Promise.resolve().then(() => {
      process.nextTick(() => {
        void this.#flush();
      });
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const keys = [...waiting.keys()];
    try {
      const found = await this.read(keys);
      if (Array.isArray(found) && found.length !== keys.length) throw wrongLength(found.length, keys.length);
      for (const [at, key] of keys.entries()) {
        const value = valueOf(found, key, at);
        for (const { resolve, reject } of waiting.get(key) ?? []) {
          if (value instanceof Error) reject(value);
          else resolve(value);
        }
      }
    } catch (error) {
      for (const waiters of waiting.values()) for (const { reject } of waiters) reject(error);
    }
  }
}

function valueOf<Key, Value>(
  found: readonly (Value | Error)[] | ReadonlyMap<Key, Value | Error>,
  key: Key,
  at: number,
): Value | Error {
  if (!('get' in found)) return found[at] as Value | Error;
  return found.has(key) ? (found.get(key) as Value | Error) : missing();
}

const missing = (): TypeError =>
  new TypeError('The batch function of a loader returned a Map without one of the keys.');

const wrongLength = (found: number, asked: number): TypeError =>
  new TypeError(
    `The batch function of a loader returned ${String(found)} values for ${String(asked)} keys: return one value for each key in their order, or a Map.`,
  );

/** The loaders of one request, one for each batch function. */
export class Loaders<Context> {
  readonly #known = new WeakMap<object, unknown>();

  of<Key, Value>(batch: Batch<Key, Value, Context>, context: Context): Loader<Key, Value> {
    const known = this.#known.get(batch) as Loader<Key, Value> | undefined;
    if (known !== undefined) return known;
    const made = new BatchLoader<Key, Value>((keys) => batch(keys, context));
    this.#known.set(batch, made);
    return made;
  }
}

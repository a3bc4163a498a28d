type Listener<T> = (current: T, previous: T) => void;

/**
 * The API served at the moment: one value that is replaced as a whole, and the listeners of
 * replacements.
 */
export class Served<T> {
  private readonly listeners = new Set<Listener<T>>();

  constructor(private value: T) {}

  get current(): T {
    return this.value;
  }

  /** Replaces the served API. Running requests finish on the API that they started with. */
  replace(next: T): void {
    const previous = this.value;
    this.value = next;
    for (const listener of this.listeners) listener(next, previous);
  }

  /** Calls `listener` after each replacement. Returns a function that stops it. */
  onSwap(listener: Listener<T>): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}

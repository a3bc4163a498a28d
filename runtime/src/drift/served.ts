type Listener<T> = (current: T, previous: T) => void;

/** What is served at the moment: one value that is replaced as a whole, and those who want to know when it is. */
export class Served<T> {
  private readonly listeners = new Set<Listener<T>>();

  constructor(private value: T) {}

  get current(): T {
    return this.value;
  }

  /** From now on this is served. Requests under way end on what they began with. */
  replace(next: T): void {
    const previous = this.value;
    this.value = next;
    for (const listener of this.listeners) listener(next, previous);
  }

  /** Has `listener` told of each replacement, after it was made. Answers how to stop that. */
  onSwap(listener: Listener<T>): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}

/** How many different lines may be counted at a time; beyond it all others count as one. */
const MAX_KEYS = 200;

const WINDOW_MS = 1000;

interface Repeat {
  count: number;
  write: (count: number) => void;
  timer: NodeJS.Timeout;
}

/**
 * Keeps one problem from filling the log: the first message with a key is written at once, and then
 * one message per second with the number of repetitions.
 */
export class Repeats {
  readonly #repeats = new Map<string, Repeat>();

  write(key: string, write: (count: number) => void): void {
    const used = this.#repeats.size < MAX_KEYS || this.#repeats.has(key) ? key : 'others';
    const known = this.#repeats.get(used);
    if (known === undefined) {
      this.#repeats.set(used, { count: 0, write, timer: this.#wait(used) });
      write(1);
      return;
    }
    known.count += 1;
    known.write = write;
  }

  /** Writes the counts, and resets them. */
  flush(): void {
    for (const { timer, count, write } of this.#repeats.values()) {
      clearTimeout(timer);
      if (count > 0) write(count);
    }
    this.#repeats.clear();
  }

  #wait(key: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.#elapsed(key);
    }, WINDOW_MS).unref();
  }

  #elapsed(key: string): void {
    const repeat = this.#repeats.get(key);
    if (repeat === undefined) return;
    const { count, write } = repeat;
    if (count === 0) {
      this.#repeats.delete(key);
      return;
    }
    repeat.count = 0;
    repeat.timer = this.#wait(key);
    write(count);
  }
}

/** A small generator of numbers (mulberry32): the same seed gives the same run on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0, less than `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  }

  /** Whether something with this probability, in per cent, happens. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error('There is nothing to pick.');
    return found;
  }

  /** Some of the list, in its order, at least one where it is not empty. */
  some<T>(list: readonly T[], percent = 50): readonly T[] {
    const kept = list.filter(() => this.chance(percent));
    return kept.length > 0 || list.length === 0 ? kept : [this.pick(list)];
  }

  /** The list in another order. */
  shuffled<T>(list: readonly T[]): readonly T[] {
    return list
      .map((item) => ({ item, by: this.below(1_000_000) }))
      .sort((a, b) => a.by - b.by)
      .map(({ item }) => item);
  }

  /** What `make` gives, `count` times. */
  times<T>(count: number, make: (at: number) => T): readonly T[] {
    return Array.from({ length: count }, (_, at) => make(at));
  }
}

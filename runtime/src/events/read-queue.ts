import type { Group } from './group.js';

/** Groups that are read at the same time. */
const MAX_READING = 64;

/** The groups with changes that are not read yet. A few are read at a time, in their order. */
export class ReadQueue {
  readonly #waiting: Group[] = [];
  #reading = 0;
  #isReadingSoon = false;

  /**
   * The group is read when all changes that arrived together are distributed: otherwise the first
   * row of a transaction would be read alone.
   */
  add(group: Group): void {
    this.#waiting.push(group);
    if (this.#isReadingSoon) return;
    this.#isReadingSoon = true;
    queueMicrotask(() => {
      this.#isReadingSoon = false;
      this.#next();
    });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  #next(): void {
    while (this.#reading < MAX_READING) {
      const group = this.#waiting.shift();
      if (group === undefined) return;
      if (group.members.size === 0) continue;
      this.#reading += 1;
      void group.flush().finally(() => {
        this.#reading -= 1;
        this.#next();
      });
    }
  }
}

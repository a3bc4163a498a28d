/** Most sent rows that a group remembers. */
export const MAX_SENT = 10_000;

/** Bytes that a key takes besides its characters: an entry of a set, and the head of a text. */
const BYTES_PER_KEY = 64;

/** The memory for remembered keys of all groups of a process. */
export class KeyMemory {
  /** The first is the one whose last addition is the oldest. */
  readonly #all = new Set<SentKeys>();
  #bytes = 0;

  /** @param most bytes of all keys together */
  constructor(private readonly most: number) {}

  /** Adds to the bytes that the keys of a group take; a negative number subtracts. */
  changed(keys: SentKeys, bytes: number): void {
    this.#bytes += bytes;
    if (bytes <= 0) return;
    this.#all.delete(keys);
    this.#all.add(keys);
    while (this.#bytes > this.most) {
      const [oldest] = this.#all;
      if (oldest === undefined) return;
      oldest.pushOut();
    }
  }

  forget(keys: SentKeys): void {
    this.#all.delete(keys);
  }
}

/** The keys of the rows that were last sent to a group, up to a number. */
export class SentKeys {
  readonly #keys = new Set<string>();
  #bytes = 0;
  #isOver = false;

  /** @param pushedOut called when sent rows are forgotten: their deletion will not be sent */
  constructor(
    private readonly most: number,
    private readonly memory: KeyMemory,
    private readonly pushedOut: () => void,
  ) {}

  add(id: string): void {
    if (this.#isOver) return;
    const isNew = !this.#keys.delete(id);
    this.#keys.add(id);
    if (!isNew) return;
    if (this.#keys.size > this.most) this.pushOut();
    else this.#change(bytesOf(id));
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Forgets a row, and returns whether it was remembered. */
  delete(id: string): boolean {
    if (!this.#keys.delete(id)) return false;
    this.#change(-bytesOf(id));
    return true;
  }

  /** Forgets all rows at once: subscribers receive one RESYNC, not one for each later row. */
  pushOut(): void {
    this.clear();
    this.pushedOut();
  }

  /** The group has ended. */
  end(): void {
    this.#isOver = true;
    this.clear();
  }

  clear(): void {
    this.#keys.clear();
    this.#change(-this.#bytes);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    this.memory.changed(this, bytes);
    if (this.#bytes === 0) this.memory.forget(this);
  }
}

const bytesOf = (id: string): number => 2 * id.length + BYTES_PER_KEY;

/**
 * A statement on one connection: `parse` when the server does not have it yet, `close` the one that makes room for it.
 */
export interface Prepared {
  readonly name: string;
  readonly parse: boolean;
  readonly close?: string;
}

interface Entry {
  readonly name: string;
  readonly text: string;
}

/**
 * The named statements of one connection, the least recently used ones closed. A statement counts as prepared only once
 * the server has said so: after an error, what was on its way is forgotten, and gets a new name next time.
 */
export class PreparedStatements {
  readonly #byText = new Map<string, Entry>();
  #awaited: Entry[] = [];
  #named = 0;

  constructor(private readonly most: number) {}

  use(text: string): Prepared {
    const known = this.#byText.get(text);
    if (known !== undefined) {
      this.#byText.delete(text);
      this.#byText.set(text, known);
      return { name: known.name, parse: false };
    }
    const entry = { name: `s${++this.#named}`, text };
    this.#byText.set(text, entry);
    this.#awaited.push(entry);
    const oldest = this.#byText.size > this.most ? this.#oldest() : undefined;
    return { name: entry.name, parse: true, ...(oldest === undefined ? {} : { close: oldest.name }) };
  }

  /** The server has parsed the statement that has waited longest. */
  parsed(): void {
    this.#awaited.shift();
  }

  /** The server skipped what was still on its way. */
  failed(): void {
    for (const { text } of this.#awaited) this.#byText.delete(text);
    this.#awaited = [];
  }

  /** The server does not have these any more, or has them for another schema. */
  forget(texts: readonly string[]): void {
    for (const text of texts) this.#byText.delete(text);
  }

  #oldest(): Entry | undefined {
    const [oldest] = this.#byText.values();
    if (oldest !== undefined) this.#byText.delete(oldest.text);
    return oldest;
  }
}

/**
 * Statements that a connection may come to have although others have them, too. Each is some 45 kB
 * of its process's memory.
 */
export const KEPT_BY_EACH = 250;

const MOST_KEPT = 1000;

/**
 * Shapes of request of each table that connections keep together: twice as many as are kept
 * prepared here, some of them being kept twice.
 */
const SHAPES_PER_TABLE = 4;

/**
 * How many statements each connection keeps, at most: more where there are more tables, so that all
 * connections together have room for theirs.
 */
export const mostPrepared = (tables: number, connections: number): number =>
  Math.min(MOST_KEPT, Math.max(KEPT_BY_EACH, Math.ceil((SHAPES_PER_TABLE * tables) / connections)));

/**
 * A statement on one connection: `parse` when the server does not have it yet, `close` the
 * statements that it replaces.
 */
export interface Prepared {
  readonly name: string;
  readonly parse: boolean;
  readonly close?: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly text: string;
  /** When it was used last, counted in uses of any statement. */
  used: number;
}

/**
 * The named statements of one connection, the least recently used ones closed. A statement counts
 * as prepared only once the server has said so: after an error, statements on their way are
 * dropped, and get new names next time.
 */
export class PreparedStatements {
  readonly #byText = new Map<string, Entry>();
  #awaited: Entry[] = [];
  /** Statements that the server was asked to close and has not closed yet. */
  #closing: string[] = [];
  /** Statements to close in the next request, also after an error skipped their closing. */
  #unclosed: string[] = [];
  #named = 0;
  #uses = 0;

  /**
   * @param prefix of names: a pooler may give a connection another server, where another of ours
   * has its statements
   */
  constructor(
    private readonly most: number,
    private readonly prefix = 's',
  ) {}

  use(text: string): Prepared {
    const known = this.#byText.get(text);
    this.#uses += 1;
    if (known !== undefined) {
      known.used = this.#uses;
      return { name: known.name, parse: false };
    }
    const entry = { name: `${this.prefix}${String(++this.#named)}`, text, used: this.#uses };
    this.#byText.set(text, entry);
    this.#awaited.push(entry);
    const oldest = this.#byText.size > this.most ? this.#oldest() : undefined;
    const close = [...this.#unclosed, ...(oldest === undefined ? [] : [oldest.name])];
    this.#unclosed = [];
    this.#closing.push(...close);
    return { name: entry.name, parse: true, ...(close.length === 0 ? {} : { close }) };
  }

  /**
   * Whether it was asked to parse the statement, and nothing has failed since that would have kept
   * it from that.
   */
  has(text: string): boolean {
    return this.#byText.has(text);
  }

  /** How many there are. */
  get size(): number {
    return this.#byText.size;
  }

  /** The server has parsed the statement that has waited longest. */
  parsed(): void {
    this.#awaited.shift();
  }

  /** The server has closed the statement that has waited longest. */
  closed(): void {
    this.#closing.shift();
  }

  /** The server skipped all messages that were still on their way. */
  failed(): void {
    for (const { text } of this.#awaited) this.#byText.delete(text);
    this.#awaited = [];
    this.#unclosed.push(...this.#closing);
    this.#closing = [];
  }

  /** The server has these for another schema. */
  forget(texts: readonly string[]): void {
    for (const text of texts) {
      const entry = this.#byText.get(text);
      if (entry !== undefined) this.#unclosed.push(entry.name);
      this.#byText.delete(text);
    }
  }

  /**
   * The server has lost one of them, and perhaps all. To close an unknown statement is no error.
   */
  forgetAll(): void {
    this.forget([...this.#byText.keys()]);
  }

  /**
   * Looks at all of them, which only a new statement makes necessary: keeping them in order would
   * cost every use.
   */
  #oldest(): Entry | undefined {
    let oldest: Entry | undefined;
    for (const entry of this.#byText.values()) if (oldest === undefined || entry.used < oldest.used) oldest = entry;
    if (oldest !== undefined) this.#byText.delete(oldest.text);
    return oldest;
  }
}

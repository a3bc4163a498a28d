/**
 * Statements that a connection may prepare although other connections have prepared them, too. Each
 * takes some 45 kB of the database process's memory.
 */
export const KEPT_BY_EACH = 250;

const MAX_KEPT = 1000;

/**
 * Statements per table that all connections together keep prepared: twice as many as a table needs,
 * because some are prepared twice.
 */
const SHAPES_PER_TABLE = 4;

/**
 * The largest number of statements that each connection keeps prepared. It grows with the number of
 * tables, so that all connections together have room for their statements.
 */
export const maxPrepared = (tables: number, connections: number): number =>
  Math.min(MAX_KEPT, Math.max(KEPT_BY_EACH, Math.ceil((SHAPES_PER_TABLE * tables) / connections)));

/**
 * A statement on one connection: `parse` if the server has not prepared it yet, `close` the
 * statements that it replaces.
 */
export interface Prepared {
  readonly name: string;
  readonly parse: boolean;
  readonly close?: readonly string[];
  /** Where messages that run it are kept, for a statement without values. */
  readonly kept?: KeptMessages;
}

export interface KeptMessages {
  bytes?: Buffer;
}

interface Entry {
  readonly text: string;
  /** How it is used from now on. */
  readonly prepared: Prepared;
  /** The time of the last use, counted in uses of any statement. */
  used: number;
}

/**
 * The named statements of one connection; the least recently used are closed. A statement counts as
 * prepared once the server has confirmed it: after an error, unconfirmed statements are dropped and
 * get new names next time.
 */
export class PreparedStatements {
  readonly #byText = new Map<string, Entry>();
  #awaited: Entry[] = [];
  /** Statements for which Close was sent and not confirmed yet. */
  #closing: string[] = [];
  /** Statements to close with the next request, also those whose Close an error skipped. */
  #unclosed: string[] = [];
  #named = 0;
  #uses = 0;

  /**
   * @param prefix of the names: a pooler may give a connection a server on which another connection
   * of this runtime has prepared statements
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
      return known.prepared;
    }
    const name = `${this.prefix}${String(++this.#named)}`;
    const entry: Entry = { text, prepared: { name, parse: false, kept: {} }, used: this.#uses };
    this.#byText.set(text, entry);
    this.#awaited.push(entry);
    const oldest = this.#byText.size > this.most ? this.#oldest() : undefined;
    const close = [...this.#unclosed, ...(oldest === undefined ? [] : [oldest.prepared.name])];
    this.#unclosed = [];
    this.#closing.push(...close);
    return { name, parse: true, ...(close.length === 0 ? {} : { close }) };
  }

  /** Whether Parse of the statement was sent, and no later error has skipped it. */
  has(text: string): boolean {
    return this.#byText.has(text);
  }

  /** The number of prepared statements. */
  get size(): number {
    return this.#byText.size;
  }

  /** The server has parsed the statement that was sent first. */
  parsed(): void {
    this.#awaited.shift();
  }

  /** The server has closed the statement whose Close was sent first. */
  closed(): void {
    this.#closing.shift();
  }

  /** After an error the server skipped all messages that were still on their way. */
  failed(): void {
    for (const { text } of this.#awaited) this.#byText.delete(text);
    this.#awaited = [];
    this.#unclosed.push(...this.#closing);
    this.#closing = [];
  }

  /** The server has prepared these for another schema. */
  forget(texts: readonly string[]): void {
    for (const text of texts) {
      const entry = this.#byText.get(text);
      if (entry !== undefined) this.#unclosed.push(entry.prepared.name);
      this.#byText.delete(text);
    }
  }

  /**
   * The server has lost at least one of the statements. Closing an unknown statement is no error.
   */
  forgetAll(): void {
    this.forget([...this.#byText.keys()]);
  }

  /**
   * Scans all statements. Only a new statement needs this; keeping them in order would cost every
   * use.
   */
  #oldest(): Entry | undefined {
    let oldest: Entry | undefined;
    for (const entry of this.#byText.values()) if (oldest === undefined || entry.used < oldest.used) oldest = entry;
    if (oldest !== undefined) this.#byText.delete(oldest.text);
    return oldest;
  }
}

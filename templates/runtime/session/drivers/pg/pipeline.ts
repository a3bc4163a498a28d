import { explained } from '../explained.js';
import type { RawRow } from '../../statement.js';
import { Cancelling } from './cancelling.js';
import { isReparsable } from './connection.js';
import type { Paces } from './paces.js';
import type { PipelinedRead, RunAlone } from './pipelined-read.js';
import type { Leased } from './pool.js';

/** Milliseconds without an answer after which reads no longer wait for the one before them. */
const PATIENCE_MILLISECONDS = 25;

/**
 * Reads of several requests that were sent over one connection in one write. Each is a transaction of its own, so that what one of them fails
 * with does not concern the others; they are answered in turn. Where one takes unexpectedly long, those behind it are run elsewhere, and
 * what comes of them here is passed over: from then on what runs here can be cancelled without harm to others.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Pipeline {
  /** The place of the read that is running, since when, and where it was when last looked at. */
  #running = 0;
  #since = 0;
  #seen = 0;
  #watch: NodeJS.Timeout | undefined;
  #cancelling: Cancelling | undefined;
  #isOver = false;

  constructor(
    private readonly reads: readonly PipelinedRead[],
    private readonly leased: Leased,
    private readonly paces: Paces,
    private readonly alone: RunAlone,
    /** Called once, when others may use a connection instead: this one is done, or held up. */
    private readonly isOver: (leased: Leased) => void,
  ) {}

  send(): void {
    this.#since = performance.now();
    this.#watch = setTimeout(this.#look, PATIENCE_MILLISECONDS);
    const { connection } = this.leased;
    connection.readInTurn(
      this.reads.map(({ statements }) => statements),
      this.#answered,
      this.#ended,
    );
  }

  readonly #answered = (error: unknown, rows: readonly RawRow[]): void => {
    const read = this.reads[this.#running];
    this.#running += 1;
    this.#cancelling?.stop();
    this.#cancelling = undefined;
    if (read === undefined) return;
    const now = performance.now();
    this.paces.ran(read.text, now - this.#since, this.#running > 1);
    this.#since = now;
    if (error === undefined) read.answer(rows);
    else if (read.isAlone) return;
    else if (isReparsable(error)) read.runAlone(this.alone);
    else read.fail(explained(error));
  };

  /** Answers that are here already are looked at first: it may be this process that had no time. */
  readonly #look = (): void => {
    setImmediate(() => {
      const read = this.reads[this.#running];
      if (read === undefined) return;
      if (this.#running === this.#seen && this.#cancelling === undefined) this.#hasStalled(read);
      this.#seen = this.#running;
      this.#watch = setTimeout(this.#look, PATIENCE_MILLISECONDS);
    });
  };

  #hasStalled(running: PipelinedRead): void {
    const waiting = this.reads.slice(this.#running + 1).filter((read) => !read.isAlone);
    if (waiting.length > 0) this.paces.heldUp(running.text);
    this.#over();
    for (const read of waiting) read.runAlone(this.alone);
    const { connection } = this.leased;
    this.#cancelling = new Cancelling(connection, running.isAlone ? nobodyWaits : running.options.signal);
  }

  readonly #ended = (): void => {
    clearTimeout(this.#watch);
    this.leased.connection.onceUncancelled(this.leased.release);
    this.#over();
  };

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.isOver(this.leased);
  }
}

const nobodyWaits = AbortSignal.abort();

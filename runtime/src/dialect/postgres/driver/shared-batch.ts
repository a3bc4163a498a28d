import type { Observer } from '../../../observe/observation.js';
import { ServerError } from '../../../errors.js';
import type { RawRow } from '../../statement.js';
import { Cancelling } from './cancelling.js';
import { isReparsable } from './connection.js';
import type { StatementTimings } from './statement-timings.js';
import type { RunAlone, SharedRead } from './shared-read.js';
import type { Leased } from './pool.js';

/** Milliseconds without an answer after which reads no longer wait for the read before them. */
const PATIENCE_MILLISECONDS = 25;

/**
 * Reads of several requests, sent over one connection in one write. Each is a transaction of its
 * own, so that the failure of one does not concern the others; they are answered in turn.
 *
 * Where a read takes unexpectedly long, those behind it are run elsewhere, and their answers here
 * are passed over: from then on the read can be cancelled without harm to others.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class SharedBatch {
  /** The place of the read that is running, since when, and the place when last looked at. */
  #running = 0;
  #since = 0;
  #seen = 0;
  #watch: NodeJS.Timeout | undefined;
  #cancelling: Cancelling | undefined;
  #isOver = false;

  constructor(
    private readonly reads: readonly SharedRead[],
    private readonly leased: Leased,
    private readonly timings: StatementTimings,
    private readonly alone: RunAlone,
    private readonly observe: Observer,
    /** Called once, when others may use a connection instead: this one is done, or held up. */
    private readonly isOver: () => void,
  ) {}

  send(): void {
    this.#since = performance.now();
    this.#watch = setTimeout(this.#look, PATIENCE_MILLISECONDS);
    const { connection } = this.leased;
    connection.runInTurn(
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
    const milliseconds = now - this.#since;
    if (error === undefined) this.#remember(read, milliseconds);
    this.#since = now;
    if (error === undefined) read.answer(rows);
    else if (read.isAlone) return;
    else if (this.#isForOthers(error)) read.runAlone(this.alone);
    else read.fail(error);
  };

  #remember({ text }: SharedRead, milliseconds: number): void {
    if (this.#running > 1) this.timings.followed(text, milliseconds);
    else this.timings.ranAlone(text, milliseconds);
  }

  /**
   * A read may be run again: its statement went stale, or the connection was discarded for the
   * answer to another read.
   */
  #isForOthers(error: unknown): boolean {
    return isReparsable(error) || (this.leased.connection.isCutShort && !(error instanceof ServerError));
  }

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

  #hasStalled(running: SharedRead): void {
    const waiting = this.reads.slice(this.#running + 1).filter((read) => !read.isAlone);
    if (waiting.length > 0) {
      this.timings.markSlow(running.text);
      this.observe({ kind: 'stalled', milliseconds: performance.now() - this.#since });
    }
    this.#over();
    for (const read of waiting) read.runAlone(this.alone);
    this.#cancelling = new Cancelling(this.leased.connection, running.isAlone ? nobodyWaits : running.options.signal);
  }

  readonly #ended = (): void => {
    clearTimeout(this.#watch);
    this.leased.connection.onceUncancelled(this.leased.release);
    this.#over();
  };

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.isOver();
  }
}

const nobodyWaits = AbortSignal.abort();

import type { Observer } from '../../../observe/observation.js';
import { ServerError } from '../../../errors.js';
import type { RawRow } from '../../../plan/statement.js';
import { Cancelling } from '../../cancelling.js';
import { isReparsable, type PgConnection } from './connection.js';
import type { StatementTimings } from './statement-timings.js';
import type { RunAlone, SharedRead } from './shared-read.js';
import type { PgPool } from './pool.js';

/** Milliseconds without an answer after which reads no longer wait for the read before them. */
const TIMEOUT_MS = 25;

/**
 * Reads of several requests, sent over one connection in one write. Each is a transaction of its
 * own, so that a failure does not affect the others; they are answered in turn.
 *
 * If a read takes unexpectedly long, the reads behind it run elsewhere, and their answers here are
 * ignored. From then on the slow read can be cancelled without harm to others.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class SharedBatch {
  /** The position of the running read, its start, and the position at the last check. */
  #running = 0;
  #since = 0;
  #seen = 0;
  #watch: NodeJS.Timeout | undefined;
  #cancelling: Cancelling | undefined;
  #isOver = false;

  constructor(
    private readonly reads: readonly SharedRead[],
    private readonly connection: PgConnection,
    private readonly pool: Pick<PgPool, 'release'>,
    private readonly timings: StatementTimings,
    private readonly alone: RunAlone,
    private readonly observe: Observer,
    /**
     * Called once, when another connection may be shared instead: this batch is finished or
     * stalled.
     */
    private readonly isOver: () => void,
  ) {}

  send(): void {
    this.#since = performance.now();
    this.#watch = setTimeout(this.#look, TIMEOUT_MS);
    this.connection.runInTurn(
      this.reads.map(({ statements, options }) => ({ statements, bytes: options.bytes })),
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
   * Whether a read may run again: its statement went stale, or the answer to another read closed
   * the connection.
   */
  #isForOthers(error: unknown): boolean {
    return isReparsable(error) || (this.connection.isCutShort && !(error instanceof ServerError));
  }

  /** Answers that have arrived are read first: this process itself may have been busy. */
  readonly #look = (): void => {
    setImmediate(() => {
      const read = this.reads[this.#running];
      if (read === undefined) return;
      if (this.#running === this.#seen && this.#cancelling === undefined) this.#hasStalled(read);
      this.#seen = this.#running;
      this.#watch = setTimeout(this.#look, TIMEOUT_MS);
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
    this.#cancelling = new Cancelling(this.connection, running.isAlone ? nobodyWaits : running.options.signal);
  }

  readonly #ended = (): void => {
    clearTimeout(this.#watch);
    this.pool.release(this.connection);
    this.#over();
  };

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.isOver();
  }
}

const nobodyWaits = AbortSignal.abort();

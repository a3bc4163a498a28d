import type { RawRow } from '../../statement.js';
import type { SharedAccess } from './access-mode.js';
import { Cancelling } from './cancelling.js';
import { isReparsable, isWithdrawn } from './connection.js';
import type { Paces } from './paces.js';
import type { PipelinedRun, RunAlone } from './pipelined-run.js';
import type { Leased } from './pool.js';

/** Milliseconds without an answer after which reads no longer wait for the one before them. */
const PATIENCE_MILLISECONDS = 25;

/**
 * What several requests read, or what several write, sent over one connection in one write. Each is a transaction of its own, so that what
 * one of them fails with does not concern the others; they are answered in turn.
 *
 * Where a read takes unexpectedly long, those behind it are run elsewhere, and what comes of them here is passed over: from then on what
 * runs here can be cancelled without harm to others. A write cannot be run elsewhere as long as it may be done here. So it does not wait here
 * for what may take long, a lock: the database undoes it, and says so, and it waits on a connection of its own.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Pipeline {
  /** The place of what is running, since when, and where it was when last looked at. */
  #running = 0;
  #since = 0;
  #seen = 0;
  #watch: NodeJS.Timeout | undefined;
  #cancelling: Cancelling | undefined;
  #isOver = false;

  /** @param access what all of them do */
  constructor(
    private readonly access: SharedAccess,
    private readonly runs: readonly PipelinedRun[],
    private readonly leased: Leased,
    private readonly paces: Paces,
    private readonly alone: RunAlone,
    /** Called once, when others may use a connection instead: this one is done, or held up. */
    private readonly isOver: () => void,
  ) {}

  send(): void {
    this.#since = performance.now();
    this.#watch = setTimeout(this.#look, PATIENCE_MILLISECONDS);
    const { connection } = this.leased;
    connection.runInTurn(
      this.access,
      this.runs.map(({ statements }) => statements),
      this.#answered,
      this.#ended,
    );
  }

  readonly #answered = (error: unknown, rows: readonly RawRow[]): void => {
    const run = this.runs[this.#running];
    this.#running += 1;
    this.#cancelling?.stop();
    this.#cancelling = undefined;
    if (run === undefined) return;
    const now = performance.now();
    this.paces.ran(run.text, now - this.#since, this.#running > 1);
    this.#since = now;
    if (error === undefined) run.answer(rows);
    else if (run.isAlone) return;
    else if (this.access === 'read' ? isReparsable(error) : isWithdrawn(error)) run.runAlone(this.alone);
    else run.fail(error);
    if (this.access === 'write' && isWithdrawn(error)) this.paces.heldUp(run.text);
  };

  /** Answers that are here already are looked at first: it may be this process that had no time. */
  readonly #look = (): void => {
    setImmediate(() => {
      const run = this.runs[this.#running];
      if (run === undefined) return;
      if (this.#running === this.#seen && this.#cancelling === undefined) this.#hasStalled(run);
      this.#seen = this.#running;
      this.#watch = setTimeout(this.#look, PATIENCE_MILLISECONDS);
    });
  };

  #hasStalled(running: PipelinedRun): void {
    const waiting = this.runs.slice(this.#running + 1).filter((run) => !run.isAlone);
    if (waiting.length > 0) this.paces.heldUp(running.text);
    this.#over();
    if (this.access === 'write') return;
    for (const run of waiting) run.runAlone(this.alone);
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

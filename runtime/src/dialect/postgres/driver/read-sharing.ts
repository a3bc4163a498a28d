import type { Observer } from '../../../observe/observation.js';
import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { requestAborted } from '../../request-aborted.js';
import type { PgConnection } from './connection.js';
import { textOf, type StatementTimings } from './statement-timings.js';
import { SharedBatch } from './shared-batch.js';
import { SharedRead, type RunAlone } from './shared-read.js';
import type { Leased, PgPool } from './pool.js';

/**
 * Largest expected total duration of one batch, in ms. Beyond it sharing saves little and leaves
 * database cores idle.
 */
const MOST_MILLISECONDS_TOGETHER = 1;

const MOST_RUNS = 16;

/**
 * The share of the connections that are shared at a time: further short reads wait, rather than
 * keep more database processes busy.
 */
const SHARE_OF_CONNECTIONS = 3 / 8;

/** Of the reads that wait, so many are looked at for the next batch. */
const MOST_LOOKED_AT = 4 * MOST_RUNS;

/**
 * Sends the short reads of requests that come in at about the same time over one connection
 * together: a message, a wake-up and an answer less for each of them, here and at the database.
 * Never a write: a trigger of the database may wait as long as it likes. A read that comes alone is
 * sent alone, as soon as the sockets have been looked at.
 *
 * A batch has only reads that its connection has prepared.
 */
export class ReadSharing {
  /** In the order they came in. */
  readonly #waiting: SharedRead[] = [];
  readonly #mostShared: number;
  /** Connections that are shared. */
  #shared = 0;
  #isScheduled = false;

  constructor(
    private readonly pool: PgPool,
    private readonly timings: StatementTimings,
    private readonly alone: RunAlone,
    private readonly observe: Observer,
  ) {
    this.#mostShared = Math.ceil(pool.size * SHARE_OF_CONNECTIONS);
    pool.onIdle = this.#schedule;
  }

  /** The answer of short reads; undefined for reads that need a connection to themselves. */
  run(statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> | undefined {
    const text = textOf(statements);
    const milliseconds = this.timings.expected(text);
    if (milliseconds === undefined) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiting.push(new SharedRead(text, milliseconds, statements, options, resolve, reject));
      this.#schedule();
    });
  }

  /** Sends once everything that the sockets have brought by now has been looked at. */
  readonly #schedule = (): void => {
    if (this.#isScheduled || this.#shared >= this.#mostShared || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendWaiting();
    });
  };

  #sendWaiting(): void {
    while (this.#shared < this.#mostShared) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const leased = this.pool.leaseToShare(first.statements);
      if (leased !== undefined) this.#send(this.#gather(leased.connection), leased);
      else if (this.pool.hasIdle) this.#waiting.shift()?.runAlone(this.alone);
      else this.#sendWhenLeased(this.#gather());
    }
  }

  /**
   * Takes the next batch from the waiting reads: those that the connection has prepared, if the
   * connection is known.
   */
  #gather(connection?: PgConnection): readonly SharedRead[] {
    const gathered: SharedRead[] = [];
    const left: SharedRead[] = [];
    let milliseconds = 0;
    for (const read of this.#waiting.slice(0, MOST_LOOKED_AT)) {
      const isShort = gathered.length === 0 || milliseconds + read.milliseconds <= MOST_MILLISECONDS_TOGETHER;
      if (isShort && gathered.length < MOST_RUNS && connection?.canShare(read.statements) !== false) {
        gathered.push(read);
        milliseconds += read.milliseconds;
      } else left.push(read);
    }
    this.#waiting.splice(0, gathered.length + left.length, ...left);
    return gathered;
  }

  /** A connection that has to be waited for counts as shared when it is there. */
  #sendWhenLeased(reads: readonly SharedRead[]): void {
    const lease = this.pool.lease([]);
    if (lease instanceof Promise)
      lease.then(
        (leased) => {
          this.#send(reads, leased);
        },
        (error: unknown) => {
          for (const read of reads) read.fail(error);
        },
      );
    else this.#send(reads, lease);
  }

  /**
   * A read that the connection has yet to parse is run alone: after an error it would be unknown
   * which of several statements it has.
   */
  #send(reads: readonly SharedRead[], leased: Leased): void {
    const here: SharedRead[] = [];
    const elsewhere: SharedRead[] = [];
    for (const read of reads) {
      if (read.isAborted) read.fail(requestAborted());
      else (leased.connection.canShare(read.statements) ? here : elsewhere).push(read);
    }
    if (here.length === 0) leased.release();
    else {
      this.#shared += 1;
      if (here.length > 1) this.observe({ kind: 'shared', runs: here.length });
      new SharedBatch(here, leased, this.timings, this.alone, this.observe, this.#isOver).send();
    }
    for (const read of elsewhere) read.runAlone(this.alone);
  }

  readonly #isOver = (): void => {
    this.#shared -= 1;
    this.#schedule();
  };
}

import type { Observer } from '../../../observe/observation.js';
import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import { requestAborted } from '../../request-aborted.js';
import type { PgConnection } from './connection.js';
import { textOf, type StatementTimings } from './statement-timings.js';
import { SharedBatch } from './shared-batch.js';
import { SharedRead, type RunAlone } from './shared-read.js';
import type { PgPool } from './pool.js';

/**
 * Largest expected total duration of one batch, in ms. Beyond it sharing saves little and leaves
 * database cores idle.
 */
const MAX_TOGETHER_MS = 1;

const MAX_RUNS = 16;

/**
 * The share of the connections that may be shared at a time. Further short reads wait, so that
 * fewer database processes are busy.
 */
const SHARE_OF_CONNECTIONS = 3 / 8;

/** The number of waiting reads that are considered for the next batch. */
const MAX_LOOKED_AT = 4 * MAX_RUNS;

/**
 * Sends short reads of concurrent requests over one connection together, which saves a message, a
 * wake-up and an answer for each of them, here and at the database. Writes are never shared: a
 * trigger may wait for any time. A single read is sent alone, as soon as the sockets have been
 * read.
 *
 * A batch has only reads that its connection has prepared.
 */
export class ReadSharing {
  /** Waiting reads in the order of their arrival. */
  readonly #waiting: SharedRead[] = [];
  readonly #mostShared: number;
  /** The number of shared connections. */
  #shared = 0;
  #isScheduled = false;

  constructor(
    private readonly pool: PgPool,
    private readonly timings: StatementTimings,
    private readonly alone: RunAlone,
    private readonly observe: Observer,
    /** Time limit of a read in ms; 0: no limit. */
    private readonly limit: number,
  ) {
    this.#mostShared = Math.ceil(pool.size * SHARE_OF_CONNECTIONS);
    pool.onIdle = this.#schedule;
  }

  /** The answer of a short read; undefined for reads that need a connection to themselves. */
  run(statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> | undefined {
    const text = textOf(statements);
    const milliseconds = this.timings.expected(text);
    if (milliseconds === undefined) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiting.push(new SharedRead(text, milliseconds, statements, options, resolve, reject));
      this.#schedule();
    });
  }

  /** Sends once everything that has arrived on the sockets by now has been read. */
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
      const connection = this.pool.leaseToShare(first.statements);
      if (connection !== undefined) this.#send(this.#gather(connection), connection);
      else if (this.pool.hasIdle) this.#waiting.shift()?.runAlone(this.alone);
      else this.#sendWhenLeased(this.#gather());
    }
  }

  /**
   * Takes the next batch from the waiting reads: if the connection is known, those that it has
   * prepared.
   */
  #gather(connection?: PgConnection): readonly SharedRead[] {
    const gathered: SharedRead[] = [];
    const left: SharedRead[] = [];
    let milliseconds = 0;
    for (const read of this.#waiting.slice(0, MAX_LOOKED_AT)) {
      const isShort = gathered.length === 0 || milliseconds + read.milliseconds <= MAX_TOGETHER_MS;
      if (isShort && gathered.length < MAX_RUNS && connection?.canShare(read.statements) !== false) {
        gathered.push(read);
        milliseconds += read.milliseconds;
      } else left.push(read);
    }
    this.#waiting.splice(0, gathered.length + left.length, ...left);
    return gathered;
  }

  /** A connection that is not free yet counts as shared when it arrives. */
  #sendWhenLeased(reads: readonly SharedRead[]): void {
    const lease = this.pool.leaseFor([]);
    if (lease instanceof Promise)
      lease.then(
        (connection) => {
          this.#send(reads, connection);
        },
        (error: unknown) => {
          for (const read of reads) read.fail(error);
        },
      );
    else this.#send(reads, lease);
  }

  /**
   * A read that the connection has not parsed yet runs alone: after an error it would be unknown
   * which of several statements the server has.
   */
  #send(reads: readonly SharedRead[], connection: PgConnection): void {
    const here: SharedRead[] = [];
    const elsewhere: SharedRead[] = [];
    for (const read of reads) {
      if (read.isAborted) read.fail(requestAborted());
      else (connection.canShare(read.statements) ? here : elsewhere).push(read);
    }
    if (here.length === 0) this.pool.release(connection);
    else {
      this.#shared += 1;
      connection.timeout = this.#limitOf(here);
      if (here.length > 1) this.observe({ kind: 'shared', runs: here.length });
      new SharedBatch(here, connection, this.pool, this.timings, this.alone, this.observe, this.#isOver).send();
    }
    for (const read of elsewhere) read.runAlone(this.alone);
  }

  /** The longest time limit of these reads. */
  #limitOf(reads: readonly SharedRead[]): number {
    let longest = 0;
    for (const { options } of reads) {
      const { timeout = this.limit } = options;
      if (timeout === 0) return 0;
      longest = Math.max(longest, timeout);
    }
    return longest;
  }

  readonly #isOver = (): void => {
    this.#shared -= 1;
    this.#schedule();
  };
}

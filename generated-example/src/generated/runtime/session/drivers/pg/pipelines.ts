import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { givenUp } from '../given-up.js';
import type { PgConnection } from './connection.js';
import { textOf, type Paces } from './paces.js';
import { Pipeline } from './pipeline.js';
import { PipelinedRead, type RunAlone } from './pipelined-read.js';
import type { Leased, PgPool } from './pool.js';

/** Milliseconds a read may usually take to share a connection, and those on one connection together. */
const MOST_MILLISECONDS = 2;

const MOST_READS = 16;

/** Of four connections one is shared at a time: short reads that find none of them free wait for each other, rather than keep more processes busy. */
const SHARE_OF_CONNECTIONS = 1 / 4;

/** Of those that wait, so many are looked at for what goes together. */
const MOST_LOOKED_AT = 4 * MOST_READS;

/**
 * Sends short reads of requests that come at about the same time over one connection together: a write, a wake-up and an answer less for
 * each of them, here and at the database. A request that comes alone is sent alone, as soon as what else has come in has been looked at.
 *
 * Together go those that one connection has prepared, which are all of them where there are not more different ones than a connection keeps.
 */
export class Pipelines {
  /** In the order they came in. */
  readonly #waiting: PipelinedRead[] = [];
  readonly #mostShared: number;
  /** Connections that are shared. */
  readonly #shared = new Set<PgConnection>();
  #isScheduled = false;

  constructor(
    private readonly pool: PgPool,
    private readonly paces: Paces,
    private readonly alone: RunAlone,
  ) {
    this.#mostShared = Math.ceil(pool.size * SHARE_OF_CONNECTIONS);
  }

  /** The answer of a read that is known to be short; undefined for others, which are to have a connection to themselves. */
  read(statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> | undefined {
    const text = textOf(statements);
    const milliseconds = this.paces.of(text);
    if (milliseconds === undefined || milliseconds > MOST_MILLISECONDS) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiting.push(new PipelinedRead(text, milliseconds, statements, options, resolve, reject));
      this.#schedule();
    });
  }

  /** Sends once what the sockets have brought by now has been looked at. */
  #schedule(): void {
    if (this.#isScheduled || this.#shared.size >= this.#mostShared) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendWaiting();
    });
  }

  #sendWaiting(): void {
    let at = 0;
    while (this.#shared.size < this.#mostShared && at < MOST_LOOKED_AT) {
      const read = this.#waiting[at];
      if (read === undefined) return;
      const leased = this.pool.leaseReadyToRead(read.statements);
      if (leased !== undefined) this.#send(this.#gather(at, leased.connection), leased);
      else if (!this.pool.hasRoom && this.#isSharedConnectionReadyFor(read)) at += 1;
      else if (this.pool.hasAtHand) this.#waiting.splice(at, 1)[0]?.runAlone(this.alone);
      else this.#sendWhenLeased(this.#gather(at));
    }
  }

  /** It would have to push another statement out where it ran now: soon, it need not. */
  #isSharedConnectionReadyFor({ statements }: PipelinedRead): boolean {
    for (const connection of this.#shared) if (connection.isReadyToRead(statements)) return true;
    return false;
  }

  /** Takes out of those that wait, from a place on, what may go together: what the connection is prepared for, unless it has yet to be had, or room. */
  #gather(from: number, connection?: PgConnection): readonly PipelinedRead[] {
    const isAny = connection === undefined || connection.hasRoom;
    const gathered: PipelinedRead[] = [];
    const left: PipelinedRead[] = [];
    let milliseconds = 0;
    for (const read of this.#waiting.slice(from, from + MOST_LOOKED_AT)) {
      const fits = milliseconds + read.milliseconds <= MOST_MILLISECONDS;
      if (fits && (isAny || connection.isReadyToRead(read.statements))) {
        gathered.push(read);
        milliseconds += read.milliseconds;
      } else left.push(read);
      if (gathered.length === MOST_READS) break;
    }
    this.#waiting.splice(from, gathered.length + left.length, ...left);
    return gathered;
  }

  /** One that has to be waited for counts when it is there: each wait has its own end. */
  #sendWhenLeased(reads: readonly PipelinedRead[]): void {
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

  /** What the connection has yet to parse is run alone: after an error, nobody would know which of several statements it has. */
  #send(reads: readonly PipelinedRead[], leased: Leased): void {
    const here: PipelinedRead[] = [];
    const elsewhere: PipelinedRead[] = [];
    for (const read of reads) {
      if (read.isGivenUp) read.fail(givenUp());
      else (leased.connection.isReadyToRead(read.statements) ? here : elsewhere).push(read);
    }
    if (here.length === 0) leased.release();
    else {
      this.#shared.add(leased.connection);
      new Pipeline(here, leased, this.paces, this.alone, this.#isOver).send();
    }
    for (const read of elsewhere) read.runAlone(this.alone);
  }

  readonly #isOver = ({ connection }: Leased): void => {
    this.#shared.delete(connection);
    if (this.#waiting.length > 0) this.#schedule();
  };
}

import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { givenUp } from '../given-up.js';
import type { SharedAccess } from './access-mode.js';
import type { PgConnection } from './connection.js';
import { textOf, type Paces } from './paces.js';
import { Pipeline } from './pipeline.js';
import { PipelinedRun, type RunAlone } from './pipelined-run.js';
import type { Leased, PgPool } from './pool.js';

/** Milliseconds a request's statements may usually take to share a connection. */
const MOST_MILLISECONDS = 2;

/** What may go together usually takes that many milliseconds: what is sent with it saves little more, and another processor may be idle. */
const MOST_MILLISECONDS_TOGETHER = 1;

const MOST_RUNS = 16;

/** How many connections are shared at a time: what is short and finds none of them free waits, rather than keep more processes busy. */
const SHARE_OF_CONNECTIONS = 3 / 8;

/** Milliseconds for which something waits for a connection that has it prepared, before it is prepared on another. */
const PATIENCE_MILLISECONDS = 10;

/** Of those that wait, so many are looked at for what goes together. */
const MOST_LOOKED_AT = 4 * MOST_RUNS;

/**
 * Sends what requests that come at about the same time read, or write, over one connection together, where it is short: a message, a wake-up
 * and an answer less for each of them, here and at the database. A request that comes alone is sent alone, as soon as what else has come in
 * has been looked at.
 *
 * Together go those that one connection has prepared, which are all of them where there are not more different ones than a connection keeps.
 */
export class Pipelines {
  /** In the order they came in. */
  readonly #waiting: PipelinedRun[] = [];
  readonly #mostShared: number;
  /** Connections that are shared. */
  #shared = 0;
  #isScheduled = false;
  #look: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: PgPool,
    private readonly paces: Paces,
    private readonly alone: RunAlone,
  ) {
    this.#mostShared = Math.ceil(pool.size * SHARE_OF_CONNECTIONS);
    pool.onAtHand = this.#lookAgain;
  }

  /**
   * The answer of statements that are known to take little; undefined for others, which are to have a connection to themselves. Of writes
   * only those of one row: what others take depends on what they find.
   */
  run(statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> | undefined {
    if (options.write === true && options.oneRow !== true) return undefined;
    const text = textOf(statements);
    const milliseconds = this.paces.of(text);
    if (milliseconds === undefined || milliseconds > MOST_MILLISECONDS) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiting.push(new PipelinedRun(text, milliseconds, statements, options, resolve, reject));
      this.#schedule();
    });
  }

  /** Sends once what the sockets have brought by now has been looked at. */
  #schedule(): void {
    if (this.#isScheduled || this.#shared >= this.#mostShared) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendWaiting();
    });
  }

  #sendWaiting(): void {
    let at = 0;
    while (this.#shared < this.#mostShared && at < MOST_LOOKED_AT) {
      const run = this.#waiting[at];
      if (run === undefined) return;
      const leased = this.pool.leaseToShare(run.access, run.statements);
      if (leased !== undefined) this.#send(run.access, this.#gather(at, leased.connection), leased);
      else if (this.#canWait(run)) at += 1;
      else if (this.pool.hasAtHand) this.#waiting.splice(at, 1)[0]?.runAlone(this.alone);
      else this.#sendWhenLeased(run.access, this.#gather(at));
    }
  }

  /** Where it ran now, it would have to be parsed, and might push another out: some connection that is busy has it already. */
  #canWait(run: PipelinedRun): boolean {
    if (this.pool.hasRoom(run.access)) return false;
    const now = performance.now();
    if (run.passedOverSince === undefined && !this.pool.has(run.statements)) return false;
    run.passedOverSince ??= now;
    if (now - run.passedOverSince >= PATIENCE_MILLISECONDS) return false;
    this.#look ??= setTimeout(this.#lookAgain, PATIENCE_MILLISECONDS);
    return true;
  }

  readonly #lookAgain = (): void => {
    clearTimeout(this.#look);
    this.#look = undefined;
    if (this.#waiting.length > 0) this.#schedule();
  };

  /**
   * Takes out of those that wait, from a place on, what may go together: what does the same as the first, and what the connection has
   * prepared, unless it has yet to be had, or room.
   */
  #gather(from: number, connection?: PgConnection): readonly PipelinedRun[] {
    const isAny = connection === undefined || connection.hasRoom;
    const gathered: PipelinedRun[] = [];
    const left: PipelinedRun[] = [];
    const access = this.#waiting[from]?.access;
    let milliseconds = 0;
    for (const run of this.#waiting.slice(from, from + MOST_LOOKED_AT)) {
      const isShort = gathered.length === 0 || milliseconds + run.milliseconds <= MOST_MILLISECONDS_TOGETHER;
      if (run.access === access && isShort && (isAny || connection.has(run.statements))) {
        gathered.push(run);
        milliseconds += run.milliseconds;
      } else left.push(run);
      if (gathered.length === MOST_RUNS) break;
    }
    this.#waiting.splice(from, gathered.length + left.length, ...left);
    return gathered;
  }

  /** One that has to be waited for counts when it is there: each wait has its own end. */
  #sendWhenLeased(access: SharedAccess, runs: readonly PipelinedRun[]): void {
    const lease = this.pool.lease(access, []);
    if (lease instanceof Promise)
      lease.then(
        (leased) => {
          this.#send(access, runs, leased);
        },
        (error: unknown) => {
          for (const run of runs) run.fail(error);
        },
      );
    else this.#send(access, runs, lease);
  }

  /** What the connection has yet to parse is run alone: after an error, nobody would know which of several statements it has. */
  #send(access: SharedAccess, runs: readonly PipelinedRun[], leased: Leased): void {
    const here: PipelinedRun[] = [];
    const elsewhere: PipelinedRun[] = [];
    for (const run of runs) {
      if (run.isGivenUp) run.fail(givenUp());
      else (leased.connection.has(run.statements) ? here : elsewhere).push(run);
    }
    if (here.length === 0) leased.release();
    else {
      this.#shared += 1;
      new Pipeline(access, here, leased, this.paces, this.alone, this.#isOver).send();
    }
    for (const run of elsewhere) run.runAlone(this.alone);
  }

  readonly #isOver = (): void => {
    this.#shared -= 1;
    this.#lookAgain();
  };
}

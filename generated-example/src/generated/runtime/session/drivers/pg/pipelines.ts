import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { givenUp } from '../given-up.js';
import { textOf, type Paces } from './paces.js';
import { Pipeline } from './pipeline.js';
import { PipelinedRead, type RunAlone } from './pipelined-read.js';
import type { Leased, PgPool } from './pool.js';

/** Milliseconds a read may usually take to share a connection, and those on one connection together. */
const MOST_MILLISECONDS = 2;

const MOST_READS = 16;

/** Of four connections one is shared at a time: short reads that find none of them free wait for each other, rather than keep more processes busy. */
const SHARE_OF_CONNECTIONS = 1 / 4;

/** Reads that go together once there is a connection for them. */
interface Gathering {
  readonly reads: PipelinedRead[];
  milliseconds: number;
}

/**
 * Sends short reads of requests that come at about the same time over one connection together: a write, a wake-up and an answer less for
 * each of them, here and at the database. A request that comes alone is sent alone, as soon as what else has come in has been looked at.
 */
export class Pipelines {
  /** In the order they are sent in; the last one takes in what comes. */
  readonly #gatherings: Gathering[] = [];
  readonly #mostShared: number;
  /** Connections that are shared. */
  #shared = 0;
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
      this.#gather(new PipelinedRead(text, statements, options, resolve, reject), milliseconds);
      this.#schedule();
    });
  }

  #gather(read: PipelinedRead, milliseconds: number): void {
    const last = this.#gatherings.at(-1);
    if (last === undefined || last.reads.length >= MOST_READS || last.milliseconds + milliseconds > MOST_MILLISECONDS)
      this.#gatherings.push({ reads: [read], milliseconds });
    else {
      last.reads.push(read);
      last.milliseconds += milliseconds;
    }
  }

  /** Sends once what the sockets have brought by now has been looked at. */
  #schedule(): void {
    if (this.#isScheduled || this.#shared >= this.#mostShared) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#shared < this.#mostShared) {
        const gathering = this.#gatherings.shift();
        if (gathering === undefined) return;
        this.#share(gathering.reads);
      }
    });
  }

  /** One that has to be waited for counts when it is there: each wait has its own end. */
  #share(reads: readonly PipelinedRead[]): void {
    const lease = this.pool.lease();
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
      else (leased.connection.isPreparedFor(read.statements) ? here : elsewhere).push(read);
    }
    if (here.length === 0) leased.release();
    else {
      this.#shared += 1;
      new Pipeline(here, leased, this.paces, this.alone, this.#isOver).send();
    }
    for (const read of elsewhere) read.runAlone(this.alone);
  }

  readonly #isOver = (): void => {
    this.#shared -= 1;
    if (this.#gatherings.length > 0) this.#schedule();
  };
}

import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { givenUp } from '../given-up.js';
import { textOf, type Paces } from './paces.js';
import { Pipeline } from './pipeline.js';
import { PipelinedRead, type RunAlone } from './pipelined-read.js';
import type { Leased, PgPool } from './pool.js';

/** Milliseconds a read may usually take to share a connection, and those on one connection together. */
const MOST_MILLISECONDS = 2;

const MOST_READS = 8;

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
  #gathering: Gathering | undefined;

  constructor(
    private readonly pool: PgPool,
    private readonly paces: Paces,
    private readonly alone: RunAlone,
  ) {}

  /** The answer of a read that is known to be short; undefined for others, which are to have a connection to themselves. */
  read(statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> | undefined {
    const text = textOf(statements);
    const milliseconds = this.paces.of(text);
    if (milliseconds === undefined || milliseconds > MOST_MILLISECONDS) return undefined;
    return new Promise((resolve, reject) => {
      this.#add(new PipelinedRead(text, statements, options, resolve, reject), milliseconds);
    });
  }

  #add(read: PipelinedRead, milliseconds: number): void {
    const open = this.#gathering;
    if (open === undefined || open.reads.length >= MOST_READS || open.milliseconds + milliseconds > MOST_MILLISECONDS)
      this.#open({ reads: [read], milliseconds });
    else {
      open.reads.push(read);
      open.milliseconds += milliseconds;
    }
  }

  #open(gathering: Gathering): void {
    this.#gathering = gathering;
    const lease = this.pool.lease();
    if (lease instanceof Promise)
      lease.then(
        (leased) => {
          this.#sendSoon(gathering, leased);
        },
        (error: unknown) => {
          this.#close(gathering);
          for (const read of gathering.reads) read.fail(error);
        },
      );
    else this.#sendSoon(gathering, lease);
  }

  /** Once what the sockets have brought by now has been looked at. */
  #sendSoon(gathering: Gathering, leased: Leased): void {
    setImmediate(() => {
      this.#close(gathering);
      this.#send(gathering.reads, leased);
    });
  }

  #close(gathering: Gathering): void {
    if (this.#gathering === gathering) this.#gathering = undefined;
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
    else new Pipeline(here, leased, this.paces, this.alone).send();
    for (const read of elsewhere) read.runAlone(this.alone);
  }
}

import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import pg from 'pg';

/**
 * The part of node-postgres's connection that replication uses. Its types leave it out; the version
 * is pinned.
 */
interface ReplicationWire extends EventEmitter {
  sendCopyFromChunk(chunk: Buffer): void;
  readonly stream: { destroy(): void };
}

export interface ReplicationHandlers {
  /** A message of the output plugin begins at `at`. The buffer is valid only during the call. */
  readonly message: (buffer: Buffer, at: number) => void;
}

interface Times {
  /**
   * Milliseconds between confirmations of the position when there are no changes. Otherwise the
   * slot would keep all later WAL. Each asks the server for an answer: the server sends a message
   * of its own only if it has received none for five seconds.
   */
  readonly acknowledge: number;
  /** Milliseconds without a message of the server after which the connection counts as lost. */
  readonly silence: number;
}

const defaultTimes: Times = { acknowledge: 5_000, silence: 25_000 };

/**
 * Headers of the server's messages:
 * https://www.postgresql.org/docs/current/protocol-replication.html
 */
const DATA = 'w'.charCodeAt(0);
const KEEPALIVE = 'k'.charCodeAt(0);
const DATA_HEADER = 25;

/**
 * Streams the changes of a publication over a temporary slot, which ends with the connection.
 * Incoming data is always read: a reader that pauses would hold back the database's checkpoints.
 */
export class Replication {
  #received = 0n;
  #acknowledging: NodeJS.Immediate | undefined;
  #heard = Date.now();
  readonly #timer: NodeJS.Timeout;
  readonly #wire: ReplicationWire;
  /** Rejects when the stream ends, with the reason. */
  readonly ended: Promise<never>;

  private constructor(
    private readonly client: pg.Client,
    private readonly handlers: ReplicationHandlers,
    private readonly times: Times,
  ) {
    this.#wire = wireOf(client);
    this.#timer = setInterval(() => {
      this.#tick();
    }, times.acknowledge).unref();
    this.ended = new Promise<never>((_, reject) => {
      client.once('error', reject);
      client.once('end', () => {
        reject(new Error('The database ended the replication connection.'));
      });
    });
    this.ended.catch(() => {
      this.#stop();
    });
  }

  /**
   * Connects, creates a slot, and begins to stream. Resolves when the stream has begun: it has
   * every commit from now on.
   */
  static async open(
    config: pg.ClientConfig,
    publication: string,
    signal: AbortSignal,
    handlers: ReplicationHandlers,
    times = defaultTimes,
  ): Promise<Replication> {
    const client = new pg.Client({ ...config, replication: 'database' } as pg.ClientConfig);
    // An unobserved rejection would end the process.
    client.on('error', () => undefined);
    const abort = (): void => {
      wireOf(client).stream.destroy();
    };
    signal.addEventListener('abort', abort);
    try {
      await client.connect();
      const replication = new Replication(client, handlers, times);
      await Promise.race([replication.#begin(publication), replication.ended]);
      return replication;
    } catch (error) {
      abort();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the connection, and the slot with it. */
  close(): void {
    this.#stop();
    this.#wire.stream.destroy();
  }

  async #begin(publication: string): Promise<void> {
    const slot = `tablewright_${String(process.pid)}_${randomBytes(4).toString('hex')}`;
    await this.client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
    this.#wire.on('copyData', ({ chunk }: { readonly chunk: Buffer }) => {
      this.#receive(chunk);
    });
    const begun = new Promise<void>((resolve) => this.#wire.once('replicationStart', resolve));
    const names = pg.escapeLiteral(pg.escapeIdentifier(publication));
    const streaming = this.client.query(
      `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names ${names})`,
    );
    // The streaming query settles when the stream has ended, with an error.
    streaming.then(
      () => this.client.emit('error', new Error('The database ended the stream of changes.')),
      (error: unknown) => this.client.emit('error', error),
    );
    await begun;
  }

  #receive(chunk: Buffer): void {
    this.#heard = Date.now();
    const kind = chunk.readUInt8(0);
    if (kind === DATA) {
      const end = chunk.readBigUInt64BE(1);
      if (end > this.#received) this.#received = end;
      this.handlers.message(chunk, DATA_HEADER);
      this.#acknowledging ??= setImmediate(() => {
        this.#acknowledge();
      });
    } else if (kind === KEEPALIVE) {
      const end = chunk.readBigUInt64BE(1);
      if (end > this.#received) this.#received = end;
      if (chunk.readUInt8(17) === 1) this.#acknowledge();
    }
  }

  #tick(): void {
    if (Date.now() - this.#heard > this.times.silence) {
      this.client.emit('error', new Error('The database has not answered for too long.'));
      this.#wire.stream.destroy();
    } else this.#acknowledge(true);
  }

  /** No change is requested twice, so the server may forget everything that has arrived. */
  #acknowledge(asksForAnswer = false): void {
    clearImmediate(this.#acknowledging);
    this.#acknowledging = undefined;
    const status = Buffer.alloc(34);
    status.write('r');
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(this.#received, at);
    status.writeUInt8(asksForAnswer ? 1 : 0, 33);
    this.#wire.sendCopyFromChunk(status);
  }

  #stop(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#acknowledging);
  }
}

const wireOf = (client: pg.Client): ReplicationWire =>
  (client as unknown as { connection: ReplicationWire }).connection;

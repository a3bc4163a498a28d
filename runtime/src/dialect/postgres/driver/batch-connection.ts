import { EventEmitter } from 'node:events';
import pg from 'pg';
import { answerTooLong } from '../../answer-too-long.js';
import type { AnswerRow } from '../../../plan/statement.js';
import type { PgConnectionConfig, WireClient, WireConnection } from './wire.js';

/** Longer fields of a row stay bytes: decoding and encoding them again is most of a long answer. */
const LONG_FIELD_BYTES = 4096;

/**
 * A longer message gets a buffer of its own size at once, instead of one that grows. Longer batches
 * are sent in pieces, because a copy costs more than another piece.
 */
const LONG_MESSAGE_BYTES = 65_536;

/** The kind of a message and its length. */
const HEAD_BYTES = 5;

/** Receives the messages that a batch consists of, in their order. */
export interface BatchReceiver {
  parsed(): void;
  bound(): void;
  closed(): void;
  row(fields: AnswerRow): void;
  /** @param tag reads the command tag, such as `UPDATE 2`. */
  completed(tag: () => string): void;
}

/**
 * Kinds of messages that are read here.
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const kinds = { parseComplete: 0x31, bindComplete: 0x32, closeComplete: 0x33, commandComplete: 0x43, dataRow: 0x44 };
const own: ReadonlySet<number> = new Set(Object.values(kinds));

const Connection = pg.Connection as unknown as new (config: PgConnectionConfig) => WireConnection;

/**
 * A connection of node-postgres that sends a batch as one buffer, and reads the messages of its
 * answer itself. node-postgres writes each message on its own, and decodes every field to text;
 * here a long field is bytes. It still reads everything else: log-in, errors, notices, and when the
 * connection is ready.
 */
export class BatchConnection extends Connection {
  /** Undefined until the connection is logged in: node-postgres reads all messages. */
  receiver: BatchReceiver | undefined;
  /** The messages of the running `inOnePiece` or `messagesOf`, which collect them. */
  #gathered: Buffer[] | undefined;
  /** Passes bytes to node-postgres. */
  readonly #others = new EventEmitter();
  /** How many of the next bytes are the rest of a message of node-postgres. */
  #othersLeft = 0;
  /** The beginning of a message. */
  #rest: Buffer | undefined;
  /** A long message of which more is to come, and how much of it is here. */
  #long: { readonly bytes: Buffer; filled: number } | undefined;

  /** Sends everything that `write` sends at once: as one buffer, unless a copy costs more. */
  inOnePiece(write: () => void): void {
    const pieces = this.#gather(write);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length <= LONG_MESSAGE_BYTES) {
      super._send(Buffer.concat(pieces, length));
      return;
    }
    this.stream.cork();
    for (const piece of pieces) super._send(piece);
    this.stream.uncork();
  }

  /** What `write` would send. */
  messagesOf(write: () => void): Buffer {
    return Buffer.concat(this.#gather(write));
  }

  #gather(write: () => void): readonly Buffer[] {
    const outer = this.#gathered;
    const pieces: Buffer[] = [];
    this.#gathered = pieces;
    try {
      write();
    } finally {
      this.#gathered = outer;
    }
    return pieces;
  }

  override _send(bytes: Buffer): boolean {
    if (this.#gathered === undefined) return super._send(bytes);
    this.#gathered.push(bytes);
    return true;
  }

  override attachListeners(stream: EventEmitter): void {
    super.attachListeners(this.#others);
    stream.on('data', (piece: Buffer) => {
      try {
        this.#read(piece);
      } catch (error) {
        // Bytes that are not PostgreSQL's end this connection alone.
        this.stream.destroy(error instanceof Error ? error : undefined);
      }
    });
  }

  #read(piece: Buffer): void {
    let at = this.#finish(piece);
    let bytes = piece;
    if (this.#rest !== undefined && at < piece.length) {
      bytes = Buffer.concat([this.#rest, piece.subarray(at)]);
      at = 0;
      this.#rest = undefined;
    }
    while (bytes.length - at >= HEAD_BYTES) {
      const kind = bytes.readUInt8(at);
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      const isOwn = this.receiver !== undefined && own.has(kind);
      if (!isOwn) this.#pass(bytes, at, end);
      else if (end <= bytes.length) this.#take(kind, bytes, at + HEAD_BYTES, end);
      else if (end - at <= LONG_MESSAGE_BYTES) break;
      else {
        const long = Buffer.allocUnsafe(end - at);
        this.#long = { bytes: long, filled: bytes.copy(long, 0, at) };
      }
      at = Math.min(end, bytes.length);
    }
    if (at < bytes.length) this.#rest = bytes.subarray(at);
  }

  /** Takes the rest of the last message; returns how many bytes of the piece it is. */
  #finish(piece: Buffer): number {
    if (this.#othersLeft > 0) {
      const length = Math.min(this.#othersLeft, piece.length);
      this.#pass(piece, 0, this.#othersLeft);
      return length;
    }
    const long = this.#long;
    if (long === undefined) return 0;
    const { bytes } = long;
    const length = piece.copy(bytes, long.filled);
    long.filled += length;
    if (long.filled === bytes.length) {
      this.#long = undefined;
      this.#take(bytes.readUInt8(0), bytes, HEAD_BYTES, bytes.length);
    }
    return length;
  }

  /** @param end may lie beyond these bytes */
  #pass(bytes: Buffer, from: number, end: number): void {
    this.#othersLeft = Math.max(0, end - bytes.length);
    this.#others.emit('data', bytes.subarray(from, end));
  }

  #take(kind: number, bytes: Buffer, from: number, end: number): void {
    const { receiver } = this;
    switch (kind) {
      case kinds.dataRow:
        receiver?.row(fieldsOf(bytes, from));
        break;
      case kinds.commandComplete:
        // A text of C ends with a zero byte.
        receiver?.completed(() => bytes.toString('latin1', from, end - 1));
        break;
      case kinds.bindComplete:
        receiver?.bound();
        break;
      case kinds.parseComplete:
        receiver?.parsed();
        break;
      case kinds.closeComplete:
        receiver?.closed();
        break;
    }
  }
}

function fieldsOf(bytes: Buffer, from: number): AnswerRow {
  const fields: (string | Buffer | null)[] = [];
  let at = from + 2;
  for (let left = bytes.readInt16BE(from); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      fields.push(null);
      continue;
    }
    const end = at + length;
    fields.push(length > LONG_FIELD_BYTES ? bytes.subarray(at, end) : bytes.toString('utf8', at, end));
    at = end;
  }
  return fields;
}

/** A client of node-postgres, not connected yet, whose `connection` is a BatchConnection. */
export function batchClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  const wire = client as unknown as WireClient;
  const { keepAlive, keepAliveInitialDelayMillis } = config;
  const { ssl, sslNegotiation } = wire;
  wire.connection = new BatchConnection({ ssl, sslNegotiation, keepAlive, keepAliveInitialDelayMillis });
  return client;
}

/** One piece of received data may hold the end of one answer and the beginning of the next. */
const MAX_PIECE_BYTES = 65_536;

/**
 * Stops a read while its answer arrives, if the answer is too long, so that the server never holds
 * it in full. The connection is discarded, too, because the rest of the answer would have to be
 * read.
 */
export class AnswerLimit {
  #reading: object | undefined;
  #received = 0;
  #stopped: object | undefined;

  constructor(
    stream: WireConnection['stream'],
    private readonly most: number,
  ) {
    // Runs before the connection reads the piece, which may end one batch and begin the next.
    stream.prependListener('data', (piece: Buffer) => {
      this.#received += piece.length;
      if (this.#received <= most + MAX_PIECE_BYTES || this.#reading === undefined) return;
      this.#stopped ??= this.#reading;
      stream.destroy();
    });
  }

  /** A batch begins. Writes have no limit: stopping one would leave its outcome unknown. */
  begin(batch: object, isRead: boolean): void {
    this.#received = 0;
    this.#reading = isRead ? batch : undefined;
  }

  /** A batch has ended. Its rows are released now and not when the next batch begins. */
  end(): void {
    this.#reading = undefined;
  }

  /** Whether the connection was discarded because of the answer of one of its batches. */
  get isExceeded(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * The error of a batch: the limit for the batch that was stopped, the lost connection for the
   * others.
   */
  explain(batch: object, error: Error): Error {
    if (this.#stopped === undefined) return error;
    return batch === this.#stopped ? answerTooLong(this.most) : new Error('Connection terminated with another answer');
  }
}
